import { IconButton } from '../kit/button.tsx'
import { FieldError, INPUT, TextField } from '../kit/field.tsx'
import { formatCountry } from '../kit/format.ts'
import { splitList } from '../kit/lists.ts'
import { text } from '../text/link-page.ts'
import type { FormProps } from './form-props.ts'
import { CONDITION_FIELDS, type ConditionField, type ConditionsDraft } from './option-drafts.ts'

/** Labels that the server knows, as suggestions; of the others it has many more. */
const CHOICES: { readonly [F in ConditionField]?: readonly string[] } = {
  continent: ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'],
  device: ['desktop', 'mobile', 'tablet', 'other'],
  os: ['iOS', 'Android', 'Windows', 'macOS', 'Linux'],
  browser: ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet'],
}

type Props = {
  conditions: ConditionsDraft
  /** The path of the conditions in the request. */
  path: string
  errorAt: FormProps['form']['errorAt']
  onConditions: (conditions: ConditionsDraft) => void
}

/** Conditions on a visitor: all of them must hold, and of a list one entry. */
export function ConditionFields({ conditions, path, errorAt, onConditions }: Props) {
  const added = CONDITION_FIELDS.filter((field) => conditions[field] !== undefined)
  const free = CONDITION_FIELDS.filter((field) => conditions[field] === undefined)
  const set = (field: ConditionField, value: string | undefined) => {
    const { [field]: _before, ...others } = conditions
    onConditions(value === undefined ? others : { ...conditions, [field]: value })
  }
  return (
    <div className="flex flex-col gap-2">
      {added.map((field) => (
        <div key={field} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ConditionField
              field={field}
              value={conditions[field] ?? ''}
              error={errorAt(`${path}.${field}`)}
              onValue={(value) => set(field, value)}
            />
          </div>
          <IconButton
            icon="x"
            label={text.linkOptions.remove(text.linkOptions.conditions[field].label)}
            className="mt-6"
            onClick={() => set(field, undefined)}
          />
        </div>
      ))}
      {added.length === 0 && <FieldError>{errorAt(path)}</FieldError>}
      {free.length > 0 && (
        <select
          aria-label={text.linkOptions.addCondition}
          className={`${INPUT} text-sm`}
          value=""
          onChange={(event) => set(event.target.value as ConditionField, '')}
        >
          <option value="">{text.linkOptions.addCondition}</option>
          {free.map((field) => (
            <option key={field} value={field}>
              {text.linkOptions.conditions[field].label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

function ConditionField({
  field,
  value,
  error,
  onValue,
}: {
  field: ConditionField
  value: string
  error: string | undefined
  onValue: (value: string) => void
}) {
  const { label, hint } = text.linkOptions.conditions[field]
  const choices = CHOICES[field]
  const isTime = field === 'from' || field === 'to'
  return (
    <>
      <TextField
        label={label}
        hint={field === 'country' ? namesOf(value) || hint : hint}
        type={isTime ? 'datetime-local' : 'text'}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onValue={onValue}
        error={error}
      />
      {choices && (
        <div className="flex flex-wrap gap-1 pt-1" role="group" aria-label={label}>
          {choices.map((choice) => (
            <Choice key={choice} choice={choice} value={value} onValue={onValue} />
          ))}
        </div>
      )}
    </>
  )
}

/** Puts a label into the list, or takes it out. */
function Choice({
  choice,
  value,
  onValue,
}: {
  choice: string
  value: string
  onValue: (value: string) => void
}) {
  const parts = splitList(value)
  const isIn = parts.some((part) => part.toLowerCase() === choice.toLowerCase())
  return (
    <button
      type="button"
      aria-pressed={isIn}
      className={`min-h-8 rounded border px-2 text-xs max-md:min-h-11 max-md:px-3 ${isIn ? 'border-ink bg-ink text-paper' : 'border-edge'}`}
      onClick={() =>
        onValue(
          (isIn
            ? parts.filter((part) => part.toLowerCase() !== choice.toLowerCase())
            : [...parts, choice]
          ).join(', '),
        )
      }
    >
      {choice}
    </button>
  )
}

/** "Germany, Austria" for "DE, AT". */
function namesOf(value: string): string {
  return splitList(value)
    .map((code) => formatCountry(code.toUpperCase()))
    .join(', ')
}
