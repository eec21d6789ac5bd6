import { AreaField, CheckField, TextField } from '../kit/field.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/bio-pages.ts'
import type { BlockDraft } from './draft.ts'
import type { CardProps } from './page-cards.tsx'
import { PlatformField } from './platform-field.tsx'

type Props = {
  block: BlockDraft
  /** Of its errors. */
  path: string
  errorAt: CardProps['form']['errorAt']
  onChange: (part: Partial<BlockDraft>) => void
}

/** The fields that the type of a block has, and when it is shown. */
export function BlockFields({ block, path, errorAt, onChange }: Props) {
  const { type } = block
  const field = <Name extends keyof BlockDraft>(name: Name): Bound<BlockDraft[Name]> => ({
    value: block[name],
    onValue: (value) => onChange({ [name]: value }),
    error: errorAt(`${path}.${name}`),
  })
  return (
    <div className="flex flex-col gap-3">
      {type === 'image' && <ImageField label={text.bioPages.image} {...field('mediaId')} />}
      {type === 'social' && <PlatformField {...field('icon')} />}
      {type === 'text' ? (
        <AreaField label={text.bioPages.titles.text} maxLength={2_000} {...field('title')} />
      ) : (
        <TextField label={text.bioPages.titles[type]} maxLength={255} {...field('title')} />
      )}
      {type !== 'header' && type !== 'text' && (
        <TextField
          label={text.bioPages.url}
          hint={block.isForeignLink ? text.bioPages.foreignLink : undefined}
          disabled={block.isForeignLink}
          placeholder="https://"
          className="font-mono text-sm"
          {...field('url')}
          error={errorAt(`${path}.url`) ?? errorAt(`${path}.linkId`)}
        />
      )}
      {type === 'link' && (
        <TextField label={text.bioPages.emoji} maxLength={16} {...field('icon')} />
      )}
      <details open={block.startsAt !== '' || block.endsAt !== '' || !block.enabled}>
        <summary className="cursor-pointer text-sm text-soft">{text.bioPages.schedule}</summary>
        <div className="flex flex-col gap-3 pt-2">
          <CheckField label={text.bioPages.enabled} {...field('enabled')} />
          <div className="grid gap-3 sm:grid-cols-2">
            {(['startsAt', 'endsAt'] as const).map((name) => (
              <TextField
                key={name}
                label={text.bioPages.times[name]}
                type="datetime-local"
                {...field(name)}
              />
            ))}
          </div>
        </div>
      </details>
    </div>
  )
}
