import { text } from '../text/campaigns.ts'
import { TextField } from './field.tsx'
import type { Form } from './use-form.ts'

export const UTM_FIELDS = [
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
] as const
export type UtmField = (typeof UTM_FIELDS)[number]
export type UtmDraft = Record<UtmField, string>

export function utmDraftOf(
  values: { readonly [name in UtmField]: string | null } | null,
): UtmDraft {
  return Object.fromEntries(UTM_FIELDS.map((name) => [name, values?.[name] ?? ''])) as UtmDraft
}

/** The values of a request: an empty field removes its value. */
export function toUtmValues(draft: UtmDraft): Record<UtmField, string | null> {
  return Object.fromEntries(UTM_FIELDS.map((name) => [name, draft[name].trim() || null])) as Record<
    UtmField,
    string | null
  >
}

/** The five UTM parameters, and the address that follows from them. */
export function UtmFields({ form }: { form: Pick<Form<UtmDraft>, 'draft' | 'field'> }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {UTM_FIELDS.map((name) => (
          <TextField
            key={name}
            label={text.utm.fields[name]}
            hint={text.utm.hints[name]}
            maxLength={255}
            autoComplete="off"
            {...form.field(name)}
          />
        ))}
      </div>
      <div>
        <p className="text-sm font-semibold">{text.utm.preview}</p>
        <p className="font-mono text-sm break-all text-soft">{previewOf(form.draft)}</p>
      </div>
    </>
  )
}

/** `utmSource` is `utm_source` in an address. */
export function toParameter(field: UtmField): string {
  return `utm_${field.slice(3).toLowerCase()}`
}

function previewOf(draft: UtmDraft): string {
  const url = new URL(`https://${text.names.addressExample}`)
  for (const name of UTM_FIELDS)
    if (draft[name].trim()) url.searchParams.set(toParameter(name), draft[name].trim())
  return url.href
}
