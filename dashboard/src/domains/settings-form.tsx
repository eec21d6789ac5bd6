import { CheckField, Field, INPUT, TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import {
  FILE_FIELDS,
  problemOfFile,
  URL_FIELDS,
  type FileField,
  type SettingsDraft,
} from './settings-draft.ts'

type Props = {
  draft: SettingsDraft
  /** Whether links on the domain redirect, so that it can be the default. */
  isServed: boolean
  /** Messages of the server by the path of their field. */
  errors: Readonly<Record<string, string>>
  onChange: (part: Partial<SettingsDraft>) => void
}

/** The fields of the settings. */
export function SettingsForm({ draft, isServed, errors, onChange }: Props) {
  return (
    <>
      <CheckField
        label={text.domains.isDefault}
        hint={isServed ? text.domains.isDefaultHint : text.domains.isDefaultLater}
        checked={draft.isDefault}
        disabled={!isServed && !draft.isDefault}
        onChecked={(isDefault) => onChange({ isDefault })}
      />
      <CheckField
        label={text.domains.caseSensitive}
        hint={text.domains.caseSensitiveHint}
        checked={draft.caseSensitive}
        onChecked={(caseSensitive) => onChange({ caseSensitive })}
      />
      {URL_FIELDS.map((field) => (
        <TextField
          key={field}
          label={text.domains[field]}
          hint={field === 'expiredUrl' ? text.domains.expiredUrlHint : undefined}
          name={field}
          type="url"
          placeholder="https://"
          value={draft[field]}
          onValue={(value) => onChange({ [field]: value })}
          error={errors[field]}
        />
      ))}
      {FILE_FIELDS.map((field) => (
        <FileArea
          key={field}
          field={field}
          value={draft[field]}
          error={errors[field]}
          onValue={(value) => onChange({ [field]: value })}
        />
      ))}
    </>
  )
}

/** A file for the apps of a phone, checked while it is typed. */
function FileArea({
  field,
  value,
  error,
  onValue,
}: {
  field: FileField
  value: string
  error: string | undefined
  onValue: (value: string) => void
}) {
  return (
    <Field
      label={text.domains[field]}
      hint={text.domains[`${field}Hint`]}
      error={error ?? problemOfFile(field, value) ?? undefined}
    >
      {(control) => (
        <textarea
          {...control}
          name={field}
          rows={6}
          spellCheck={false}
          className={`${INPUT} py-1.5 font-mono text-sm`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}
