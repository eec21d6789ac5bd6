import { AreaField, TextField } from '../kit/field.tsx'
import { text } from '../text/link-page.ts'
import type { FormProps } from './form-props.ts'
import { Section } from './section.tsx'

/** Fields for other programs: external id and metadata. */
export function MoreSection({ form }: FormProps) {
  const { draft, errorAt } = form
  return (
    <Section
      icon="terminal"
      title={text.linkOptions.forPrograms}
      state={draft.externalId || (draft.metadata && 'JSON') || text.links.none}
      hasError={['externalId', 'metadata'].some(errorAt)}
    >
      <TextField
        label={text.linkOptions.externalId}
        hint={text.linkOptions.externalIdHint}
        maxLength={255}
        autoComplete="off"
        {...form.field('externalId')}
      />
      <AreaField
        label={text.linkOptions.metadata}
        hint={text.linkOptions.metadataHint}
        rows={5}
        spellCheck={false}
        className="font-mono text-sm"
        {...form.field('metadata')}
      />
    </Section>
  )
}
