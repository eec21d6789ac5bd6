import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { text } from '../text/shared.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

export type Choice = { value: string; label: string; note?: string; isChosen?: boolean }

/** A list to choose from by typing. It stays open until the user closes it or the caller does. */
export function Picker({
  title,
  typed,
  onTyped,
  choices,
  onChoose,
  onClose,
  children,
}: {
  title: string
  typed: string
  onTyped: (typed: string) => void
  /** Those that match what is typed. */
  choices: readonly Choice[]
  onChoose: (value: string) => void
  onClose: () => void
  /** Below the list: an error, a hint. */
  children?: ReactNode
}) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-shade" />
        <Dialog.Popup className="fixed top-[10vh] left-1/2 z-20 w-[calc(100%-32px)] max-w-md -translate-x-1/2 rounded bg-card shadow-popup">
          <div className="flex items-center justify-between gap-2 pt-2 pe-2 ps-4">
            <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
            <IconButton icon="x" label={text.actions.close} onClick={onClose} />
          </div>
          <Autocomplete.Root
            inline
            open
            autoHighlight="always"
            mode="none"
            items={choices as Choice[]}
            value={typed}
            onValueChange={(value, { reason }) => {
              if (reason === 'input-change' || reason === 'input-clear') onTyped(value)
            }}
            itemToStringValue={({ label }: Choice) => label}
          >
            <Autocomplete.Input
              autoFocus
              placeholder={text.actions.search}
              aria-label={text.actions.search}
              className="min-h-11 w-full border-b border-line bg-transparent px-4 text-base outline-none"
            />
            <Autocomplete.Empty className="px-4 text-sm text-soft empty:hidden not-empty:py-4">
              {text.actions.nothingFound}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-[50vh] overflow-y-auto py-1 empty:hidden">
              {(choice: Choice) => (
                <Autocomplete.Item
                  key={choice.value}
                  value={choice}
                  className="flex min-h-9 items-center gap-2 px-4 text-sm select-none data-[highlighted]:bg-sunk max-md:min-h-11"
                  onClick={() => onChoose(choice.value)}
                >
                  <Icon
                    name="check"
                    className={choice.isChosen ? 'text-lake' : 'invisible'}
                    {...(choice.isChosen ? { label: text.actions.chosen } : {})}
                  />
                  <span className="min-w-0 flex-1 truncate">{choice.label}</span>
                  <span className="text-xs text-soft">{choice.note}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          {children && <div className="border-t border-line px-4 py-3 text-sm">{children}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
