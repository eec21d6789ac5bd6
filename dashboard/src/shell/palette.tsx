import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { Icon } from '../kit/icon.tsx'
import { useSettled } from '../kit/use-settled.ts'
import { text } from '../text/shell.ts'
import { matching, useCommands, type Command, type CommandGroup } from './commands.ts'
import { useFound } from './found.ts'
import { PALETTE_BACKDROP, PALETTE_INPUT, PALETTE_PANEL } from './palette-field.tsx'

const TYPING_MS = 120

/** One field for every page, every action, and everything that the workspace holds. */
export function Palette({
  typed: first,
  onClose,
  onKeys,
}: {
  /** Text that was typed before the palette was loaded. */
  typed: string
  onClose: () => void
  onKeys: () => void
}) {
  const [typed, setTyped] = useState(first)
  const wanted = typed.trim()
  const q = useSettled(wanted, TYPING_MS)
  const commands = useCommands(onKeys)
  const { groups, isPending, hasFailed } = useFound(wanted === '' ? '' : q)
  const items = [...matching(commands, wanted), ...groups].filter((group) => group.items.length > 0)
  const isSearching = wanted !== '' && (isPending || q !== wanted)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={PALETTE_BACKDROP} />
        <Dialog.Popup aria-label={text.nav.find} className={PALETTE_PANEL}>
          <Autocomplete.Root
            inline
            open
            autoHighlight="always"
            mode="none"
            items={items}
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={({ label }: Command) => label}
          >
            <Autocomplete.Input
              autoFocus
              placeholder={text.palette.placeholder}
              aria-label={text.palette.placeholder}
              className={PALETTE_INPUT}
            />
            <Autocomplete.List className="max-h-[60vh] overflow-y-auto py-1 empty:hidden">
              {(group: CommandGroup) => <Group key={group.value} group={group} onRun={onClose} />}
            </Autocomplete.List>
            <Autocomplete.Status className="px-4 text-sm text-soft not-empty:py-3">
              {hasFailed
                ? text.palette.failed
                : isSearching
                  ? text.palette.searching
                  : items.length === 0
                    ? text.actions.nothingFound
                    : null}
            </Autocomplete.Status>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Group({ group: { value, items }, onRun }: { group: CommandGroup; onRun: () => void }) {
  return (
    <Autocomplete.Group items={items}>
      <Autocomplete.GroupLabel className="px-4 pt-2 pb-1 text-xs text-soft">
        {text.palette.groups[value]}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(command: Command) => (
          <Autocomplete.Item
            key={command.id}
            value={command}
            className="flex min-h-10 items-center gap-3 px-4 text-sm select-none data-[highlighted]:bg-sunk max-md:min-h-11"
            onClick={() => {
              onRun()
              command.run()
            }}
          >
            <Icon name={command.icon} className="shrink-0 text-soft" />
            <span className="truncate">{command.label}</span>
            <span className="ms-auto max-w-1/2 shrink-0 truncate text-xs text-soft">
              {command.note}
            </span>
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}
