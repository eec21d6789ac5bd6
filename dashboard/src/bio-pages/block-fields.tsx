import { CheckField, TextField } from '../kit/field.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { text } from '../text/en.ts'
import type { BlockDraft } from './draft.ts'
import { TextArea } from './page-cards.tsx'
import { PlatformField } from './platform-field.tsx'

const words = text.bioPages

type Props = {
  block: BlockDraft
  /** Of its errors. */
  path: string
  errors: Partial<Record<string, string>>
  onChange: (part: Partial<BlockDraft>) => void
}

/** The fields that the type of a block has, and when it is shown. */
export function BlockFields({ block, path, errors, onChange }: Props) {
  const { type } = block
  const errorOf = (field: keyof BlockDraft) => errors[`${path}.${field}`]
  return (
    <div className="flex flex-col gap-3">
      {type === 'image' && (
        <ImageField
          label={words.image}
          value={block.mediaId}
          onValue={(mediaId) => onChange({ mediaId })}
          error={errorOf('mediaId')}
        />
      )}
      {type === 'social' && (
        <PlatformField
          value={block.icon}
          onValue={(icon) => onChange({ icon })}
          error={errorOf('icon')}
        />
      )}
      {type === 'text' ? (
        <TextArea
          label={words.titles.text}
          maxLength={2_000}
          value={block.title}
          onValue={(title) => onChange({ title })}
          error={errorOf('title')}
        />
      ) : (
        <TextField
          label={words.titles[type]}
          maxLength={255}
          value={block.title}
          onValue={(title) => onChange({ title })}
          error={errorOf('title')}
        />
      )}
      {type !== 'header' && type !== 'text' && (
        <TextField
          label={words.url}
          hint={block.isForeignLink ? words.foreignLink : undefined}
          disabled={block.isForeignLink}
          placeholder="https://"
          className="font-mono text-sm"
          value={block.url}
          onValue={(url) => onChange({ url })}
          error={errorOf('url') ?? errorOf('linkId')}
        />
      )}
      {type === 'link' && (
        <TextField
          label={words.emoji}
          maxLength={16}
          value={block.icon}
          onValue={(icon) => onChange({ icon })}
          error={errorOf('icon')}
        />
      )}
      <Schedule block={block} path={path} errors={errors} onChange={onChange} />
    </div>
  )
}

function Schedule({ block, path, errors, onChange }: Props) {
  return (
    <details open={block.startsAt !== '' || block.endsAt !== '' || !block.enabled}>
      <summary className="cursor-pointer text-sm text-soft">{words.schedule}</summary>
      <div className="flex flex-col gap-3 pt-2">
        <CheckField
          label={words.enabled}
          checked={block.enabled}
          onChecked={(enabled) => onChange({ enabled })}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          {(['startsAt', 'endsAt'] as const).map((field) => (
            <TextField
              key={field}
              label={words.times[field]}
              type="datetime-local"
              value={block[field]}
              onValue={(value) => onChange({ [field]: value })}
              error={errors[`${path}.${field}`]}
            />
          ))}
        </div>
      </div>
    </details>
  )
}
