import { AreaField, CheckField, TextField } from '../kit/field.tsx'
import type { Form } from '../kit/use-form.ts'
import { text } from '../text/domains.ts'
import { FILE_FIELDS, problemOfFile, URL_FIELDS, type SettingsDraft } from './settings-draft.ts'

type Props = {
  form: Form<SettingsDraft>
  /** Whether links on the domain redirect, so that it can be the default. */
  isServed: boolean
}

/** The fields of the settings. Files for the apps of a phone are checked while they are typed. */
export function SettingsForm({ form, isServed }: Props) {
  const { draft, errorAt } = form
  return (
    <>
      <CheckField
        label={text.domains.isDefault}
        hint={isServed ? text.domains.isDefaultHint : text.domains.isDefaultLater}
        disabled={!isServed && !draft.isDefault}
        {...form.field('isDefault')}
        error={undefined}
      />
      <CheckField
        label={text.domains.caseSensitive}
        hint={text.domains.caseSensitiveHint}
        {...form.field('caseSensitive')}
        error={undefined}
      />
      {URL_FIELDS.map((field) => (
        <TextField
          key={field}
          label={text.domains[field]}
          hint={field === 'expiredUrl' ? text.domains.expiredUrlHint : undefined}
          name={field}
          type="url"
          placeholder="https://"
          {...form.field(field)}
        />
      ))}
      {FILE_FIELDS.map((field) => (
        <AreaField
          key={field}
          label={text.domains[field]}
          hint={text.domains[`${field}Hint`]}
          name={field}
          rows={6}
          spellCheck={false}
          className="font-mono text-sm"
          {...form.field(field)}
          error={errorAt(field) ?? problemOfFile(field, draft[field]) ?? undefined}
        />
      ))}
    </>
  )
}
