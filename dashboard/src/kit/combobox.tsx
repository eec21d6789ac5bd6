import { Combobox } from '@base-ui/react/combobox'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { text } from '../text/shared.ts'
import { Field, INPUT } from './field.tsx'
import { Icon } from './icon.tsx'

/** Fields that are filled from a list by typing. Forms load them by `lazyPart`, since Base UI weighs more than any of them. */
export type Option = { value: string; label: string; note?: string }

type Labels = { label: ReactNode; hint?: ReactNode; error?: string | undefined }

/** The last item of a list, which stands for what is typed. */
type Item = Option & { isNew?: true }

const BOX =
  'flex w-full min-h-9 flex-wrap items-center gap-1 rounded border border-edge bg-card px-1.5 py-1 text-base focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-lake max-md:min-h-11'
const POPUP =
  'max-h-[min(var(--available-height),320px)] w-(--anchor-width) overflow-y-auto rounded border border-line bg-card py-1 text-sm shadow-popup outline-none empty:hidden'

export type ChipsFieldProps = Labels & {
  values: readonly string[]
  options: readonly Option[]
  onValues: (values: string[]) => void
  /** The value for a typed text that is no option. Without it, only options can be chosen. */
  toNew?: (typed: string) => string
}

/** Several values as chips; what is typed narrows the list down, and can become a value itself. */
export function ChipsField({ values, options, onValues, toNew, ...labels }: ChipsFieldProps) {
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const known = new Map(options.map((option) => [option.value, option]))
  const toItem = (value: string): Item => known.get(value) ?? { value, label: value }
  const add = (more: readonly string[]) =>
    onValues([...new Set([...values, ...more.map((each) => toNew?.(each) ?? each)])])
  const items = withNew(options, values, typed, toNew)
  return (
    <Field {...labels}>
      {(control) => (
        <Combobox.Root
          multiple
          items={items}
          value={values.map(toItem)}
          onValueChange={(next: Item[]) => {
            onValues(next.map(({ value }) => value))
            setTyped('')
          }}
          inputValue={typed}
          onInputValueChange={(next) => {
            const parts = toNew ? next.split(',') : [next]
            setTyped(parts.pop()!.trimStart())
            const done = parts.map((each) => each.trim()).filter(Boolean)
            if (done.length > 0) add(done)
          }}
          isItemEqualToValue={(a: Item, b: Item) => a.value === b.value}
          filteredItems={found(items, typed)}
          autoHighlight
        >
          <Combobox.Chips ref={box} className={`${BOX} ${labels.error ? 'border-stop' : ''}`}>
            {values.map((value) => {
              const { label } = toItem(value)
              return (
                <Combobox.Chip
                  key={value}
                  aria-label={label}
                  className="flex min-h-7 max-w-full items-center rounded-sm bg-sunk ps-2 text-sm data-[highlighted]:bg-lake-fill"
                >
                  <span className="truncate">{label}</span>
                  <Combobox.ChipRemove
                    aria-label={text.actions.removeChoice(label)}
                    className="inline-flex size-7 items-center justify-center rounded-sm hover:bg-line"
                  >
                    <Icon name="x" size={12} />
                  </Combobox.ChipRemove>
                </Combobox.Chip>
              )
            })}
            <Combobox.Input
              {...control}
              className="min-h-7 min-w-24 flex-1 bg-transparent px-1.5 text-base outline-none"
              onBlur={() => {
                if (toNew && typed.trim() !== '') add([typed.trim()])
                setTyped('')
              }}
            />
          </Combobox.Chips>
          <List anchor={box} />
        </Combobox.Root>
      )}
    </Field>
  )
}

export type ComboFieldProps = Labels & {
  /** Empty: none is chosen. */
  value: string
  options: readonly Option[]
  onValue: (value: string) => void
  /** Makes an option of a typed name, and answers its value. */
  onCreate?: ((name: string) => Promise<string>) | undefined
  placeholder?: string
  disabled?: boolean
}

/** One value of a list, or none. */
export function ComboField({
  value,
  options,
  onValue,
  onCreate,
  placeholder,
  disabled = false,
  ...labels
}: ComboFieldProps) {
  const chosen = options.find((option) => option.value === value) ?? null
  const [typed, setTyped] = useState<string | null>(null)
  const [isCreating, setCreating] = useState(false)
  const shown = typed ?? chosen?.label ?? value
  const items = withNew(options, [], typed ?? '', onCreate && ((name) => name))
  return (
    <Field {...labels}>
      {(control) => (
        <Combobox.Root
          items={items}
          value={chosen}
          disabled={disabled || isCreating}
          onValueChange={(next: Item | null) => {
            setTyped(null)
            if (!next?.isNew || !onCreate) return onValue(next?.value ?? '')
            setCreating(true)
            void onCreate(next.value)
              .then(onValue, () => {})
              .finally(() => setCreating(false))
          }}
          inputValue={shown}
          onInputValueChange={(next, { reason }) => {
            if (reason !== 'input-change') return
            setTyped(next)
            if (next === '') onValue('')
          }}
          onOpenChange={(open) => !open && setTyped(null)}
          isItemEqualToValue={(a: Item, b: Item) => a.value === b.value}
          autoHighlight
          filteredItems={found(items, typed ?? '')}
        >
          <Combobox.InputGroup className="relative">
            <Combobox.Input
              {...control}
              placeholder={placeholder ?? text.actions.none}
              className={`${INPUT} pe-16`}
            />
            <span className="absolute inset-y-0 end-1 flex items-center">
              {value !== '' && (
                <Combobox.Clear
                  aria-label={text.actions.clearChoice}
                  className="inline-flex size-7 items-center justify-center rounded-sm hover:bg-sunk"
                  onClick={() => onValue('')}
                >
                  <Icon name="x" size={14} />
                </Combobox.Clear>
              )}
              <Combobox.Trigger
                aria-label={text.actions.showChoices}
                tabIndex={-1}
                className="inline-flex size-7 items-center justify-center rounded-sm hover:bg-sunk"
              >
                <Icon name="chevron-down" size={14} />
              </Combobox.Trigger>
            </span>
          </Combobox.InputGroup>
          <List />
        </Combobox.Root>
      )}
    </Field>
  )
}

function List({ anchor }: { anchor?: RefObject<HTMLElement | null> }) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} className="z-30" {...(anchor && { anchor })}>
        <Combobox.Popup className={POPUP}>
          <Combobox.Empty className="px-3 py-2 text-soft empty:hidden">
            {text.actions.nothingFound}
          </Combobox.Empty>
          <Combobox.List>
            {(item: Item) => (
              <Combobox.Item
                key={`${item.isNew ?? ''}${item.value}`}
                value={item}
                className="flex min-h-9 cursor-default items-center gap-2 px-3 select-none data-[highlighted]:bg-sunk max-md:min-h-11"
              >
                {item.isNew ? (
                  <>
                    <Icon name="plus" />
                    <span className="min-w-0 truncate">
                      {text.actions.createChoice(item.value)}
                    </span>
                  </>
                ) : (
                  <>
                    <span className="w-4 shrink-0">
                      <Combobox.ItemIndicator>
                        <Icon name="check" className="text-lake" />
                      </Combobox.ItemIndicator>
                    </span>
                    <span className="min-w-0 flex-1 truncate">{item.label}</span>
                    {item.note && <span className="text-xs text-soft">{item.note}</span>}
                  </>
                )}
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  )
}

/** The items with a text in their name, those first that begin with it; or with it as their value. */
function found(items: readonly Item[], typed: string): Item[] {
  const wanted = plain(typed.trim())
  const isFirst = ({ label, value }: Item) =>
    plain(label).startsWith(wanted) || plain(value) === wanted
  const matching = items.filter(
    (item) => item.isNew === true || isFirst(item) || plain(item.label).includes(wanted),
  )
  return matching.toSorted(
    (one, other) =>
      Number(one.isNew ?? false) - Number(other.isNew ?? false) ||
      Number(isFirst(other)) - Number(isFirst(one)),
  )
}

/** Without case and accents: "Osterreich" finds "Österreich". */
function plain(written: string): string {
  return written.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The options, and last what is typed, if it is not one of them. */
function withNew(
  options: readonly Option[],
  values: readonly string[],
  typed: string,
  toNew: ((typed: string) => string) | undefined,
): Item[] {
  const name = typed.trim()
  if (!toNew || name === '') return [...options]
  const value = toNew(name)
  const isKnown =
    values.includes(value) ||
    options.some((option) => option.label.toLowerCase() === name.toLowerCase())
  return isKnown ? [...options] : [...options, { value, label: name, isNew: true }]
}
