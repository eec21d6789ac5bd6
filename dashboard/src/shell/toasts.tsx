import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '../kit/icon.tsx'
import { dismissToast, holdToasts, listToasts, subscribeToasts } from '../kit/toast.ts'
import { text } from '../text/shared.ts'

/**
 * Messages above every popup, read out when they appear: at the foot of a wide page, beside the buttons of a drawer,
 * and at the head of a narrow one, whose buttons are at its foot.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, listToasts)
  return createPortal(
    <div
      role="status"
      className="pointer-events-none fixed start-0 z-20 flex flex-col items-start gap-2 px-4 max-md:top-2 md:bottom-4 md:start-[216px]"
    >
      {toasts.map(({ id, message, undo, isError }) => (
        <div
          key={id}
          onPointerEnter={() => holdToasts(true)}
          onPointerLeave={() => holdToasts(false)}
          onFocus={() => holdToasts(true)}
          onBlur={() => holdToasts(false)}
          className="pointer-events-auto flex max-w-md items-center gap-3 rounded bg-ink px-4 py-2 text-sm text-paper shadow-popup"
        >
          {isError && <Icon name="circle-alert" />}
          <span className="break-words">{message}</span>
          {undo && (
            <button
              type="button"
              className="min-h-8 font-semibold underline"
              onClick={() => {
                dismissToast(id)
                undo()
              }}
            >
              {text.actions.undo}
            </button>
          )}
          <button
            type="button"
            aria-label={text.actions.close}
            className="min-h-8 min-w-8 inline-flex items-center justify-center"
            onClick={() => dismissToast(id)}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
    </div>,
    document.body,
  )
}
