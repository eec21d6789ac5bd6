import { text } from '../text/shared.ts'
import { Field, INPUT } from './field.tsx'

const HEX = /^#[0-9a-f]{6}$/i
/** The control of the browser has no empty value. */
const WHILE_EMPTY = '#ffffff'

type Props = {
  label: string
  value: string
  hint?: string
  /** What an empty value stands for. */
  placeholder?: string
  onValue: (value: string) => void
  error: string | undefined
}

/** A color by its digits, or from the control of the browser. */
export function ColorField({ label, hint, placeholder, value, onValue, error }: Props) {
  const isColor = HEX.test(value)
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={text.actions.chooseColor(label)}
            className={`h-9 w-11 shrink-0 cursor-pointer rounded border bg-card p-1 max-md:h-11 ${isColor ? 'border-edge' : 'border-dashed border-edge opacity-60'}`}
            value={isColor ? value : WHILE_EMPTY}
            onChange={(event) => onValue(event.target.value)}
          />
          <input
            {...control}
            className={`${INPUT} min-w-0 font-mono`}
            placeholder={placeholder}
            maxLength={7}
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}
