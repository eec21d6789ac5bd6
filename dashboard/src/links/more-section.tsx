import { Field, INPUT, TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import { problemOfMetadata } from './draft.ts'
import type { FormProps } from './form-props.ts'
import { errorAt, Section } from './section.tsx'

/** Fields for other programs: external id and metadata. */
export function MoreSection({ draft, onDraft, errors }: FormProps) {
  const problem = problemOfMetadata(draft.metadata)
  return (
    <Section
      icon="terminal"
      title={text.linkOptions.forPrograms}
      state={draft.externalId || (draft.metadata && 'JSON') || text.links.none}
      hasError={['externalId', 'metadata'].some((field) => errorAt(errors, field))}
    >
      <TextField
        label={text.linkOptions.externalId}
        hint={text.linkOptions.externalIdHint}
        maxLength={255}
        autoComplete="off"
        value={draft.externalId}
        onValue={(externalId) => onDraft({ externalId })}
        error={errors.externalId}
      />
      <Field
        label={text.linkOptions.metadata}
        hint={text.linkOptions.metadataHint}
        error={errorAt(errors, 'metadata') ?? problem ?? undefined}
      >
        {(control) => (
          <textarea
            {...control}
            rows={5}
            spellCheck={false}
            className={`${INPUT} py-1.5 font-mono text-sm`}
            value={draft.metadata}
            onChange={(event) => onDraft({ metadata: event.target.value })}
          />
        )}
      </Field>
    </Section>
  )
}
