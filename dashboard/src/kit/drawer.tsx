import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { text } from '../text/en.ts'
import { IconButton } from './button.tsx'

type Props = {
  title: ReactNode
  /** Beside the title: the state of a draft. */
  note?: ReactNode
  isOpen?: boolean
  onClose: () => void
  /** Keeps the drawer when the user clicks beside it: its content was changed. */
  isChanged?: boolean
  foot?: ReactNode
  children: ReactNode
}

const BACKDROP =
  'fixed inset-0 bg-black/45 transition-opacity duration-100 data-[starting-style]:opacity-0 data-[ending-style]:opacity-0'

/** A panel at the right edge, on a phone from below. Esc and the close button close it. */
export function Drawer({
  title,
  note,
  isOpen = true,
  onClose,
  isChanged = false,
  foot,
  children,
}: Props) {
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open, details) => {
        if (!open && !(isChanged && details.reason === 'outside-press')) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup className="fixed inset-y-0 right-0 flex w-full max-w-xl flex-col bg-paper shadow-popup max-md:top-auto max-md:max-h-[92dvh] max-md:rounded-t-lg">
          <div className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
            <Dialog.Title className="text-lg font-bold">
              {title} {note && <span className="text-sm font-normal text-soft">{note}</span>}
            </Dialog.Title>
            <IconButton icon="x" label={text.actions.close} onClick={onClose} />
          </div>
          <div className="flex flex-1 flex-col gap-4 overflow-y-auto px-5 py-4">{children}</div>
          {foot && (
            <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3 max-md:pb-[max(12px,env(safe-area-inset-bottom))]">
              {foot}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A question in the middle of the page. */
export function Popup({
  title,
  isOpen = true,
  onClose,
  foot,
  children,
}: Omit<Props, 'note' | 'isChanged'>) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup className="fixed top-1/2 left-1/2 flex max-h-[92dvh] w-[calc(100%-32px)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded bg-paper p-5 shadow-popup">
          <Dialog.Title className="text-lg font-bold">{title}</Dialog.Title>
          {children}
          {foot && <div className="flex flex-wrap justify-end gap-2">{foot}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
