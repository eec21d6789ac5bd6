import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { isServerAway, subscribeConnection } from '../api/connection.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/shared.ts'

/** Says above every popup that the server does not answer; once it does, what the page shows is read again. */
export function ConnectionNote() {
  const isAway = useSyncExternalStore(subscribeConnection, isServerAway)
  const queryClient = useQueryClient()
  useEffect(
    () =>
      subscribeConnection(() => {
        if (!isServerAway()) void queryClient.invalidateQueries()
      }),
    [queryClient],
  )
  return createPortal(
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-0 z-30 flex justify-center"
    >
      {isAway && (
        <p className="flex max-w-xl items-center gap-2 rounded-b bg-ink px-4 py-2 text-sm text-paper shadow-popup">
          <Icon name="circle-alert" /> {text.errors.away}
        </p>
      )}
    </div>,
    document.body,
  )
}
