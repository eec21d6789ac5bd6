import { useMemo } from 'react'
import { IconButton } from '../kit/button.tsx'
import { ChipsField, type Option } from '../kit/combobox.tsx'
import { FieldError, INPUT, TextField } from '../kit/field.tsx'
import { formatCountry, formatDateTime, formatLanguage } from '../kit/format.ts'
import { getLocale } from '../kit/locale.ts'
import { splitList } from '../kit/lists.ts'
import { text } from '../text/link-page.ts'
import type { FormProps } from './form-props.ts'
import { CONDITION_FIELDS, type ConditionField, type ConditionsDraft } from './option-drafts.ts'

const OS = ['iOS', 'Android', 'Windows', 'macOS', 'Linux']
const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet']
/** Of ISO 639-1, as browsers send them. */
const LANGUAGES =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu'.split(
    ' ',
  )

/** What each condition can be; where the list is not all, a typed label is added. */
const OPTIONS: { readonly [F in ConditionField]?: () => readonly Option[] } = {
  country: () => byName(countryCodes().map((code) => [code, formatCountry(code)])),
  continent: () => Object.entries(text.linkOptions.continents).map(toOption),
  device: () => Object.entries(text.linkOptions.devices).map(toOption),
  os: () => OS.map((value) => ({ value, label: value })),
  browser: () => BROWSERS.map((value) => ({ value, label: value })),
  language: () => byName(LANGUAGES.map((code) => [code, formatLanguage(code)])),
}
const OPEN: readonly ConditionField[] = ['os', 'browser', 'language']

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
  const options = useMemo(() => OPTIONS[field]?.(), [field])
  if (options)
    return (
      <ChipsField
        label={label}
        hint={hint}
        error={error}
        values={splitList(value)}
        options={options}
        onValues={(values) => onValue(values.join(', '))}
        {...(OPEN.includes(field) && { toNew: (typed: string) => typed })}
      />
    )
  const isTime = field === 'from' || field === 'to'
  return (
    <TextField
      label={label}
      hint={hint}
      type={isTime ? 'datetime-local' : 'text'}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onValue={onValue}
      error={error}
    />
  )
}

/** One value of a condition, as a visit has it. */
export function sayLabel(field: ConditionField, value: string): string {
  if (value === '') return text.actions.none
  if (value === 'unknown') return text.explain.unknown
  if (field === 'from' || field === 'to') return formatDateTime(value)
  return OPTIONS[field]?.().find((each) => each.value === value)?.label ?? value
}

function toOption([value, label]: readonly [string, string]): Option {
  return { value, label }
}

/** In the order of their names, each with its code, which is searched too. */
function byName(pairs: readonly (readonly [string, string])[]): Option[] {
  const collator = new Intl.Collator(getLocale())
  return pairs
    .map(([value, label]) => ({ value, label, note: value }))
    .toSorted((one, other) => collator.compare(one.label, other.label))
}

/** All codes of two letters that the browser knows as a country. */
function countryCodes(): string[] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  const codes = letters.flatMap((one) => letters.map((other) => one + other))
  const isCountry = (code: string) => !NO_COUNTRIES.has(code) && formatCountry(code) !== code
  return codes.filter(isCountry)
}

/** Names of regions that are no country, or of a former one. */
const NO_COUNTRIES = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO QU RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(
    ' ',
  ),
)
