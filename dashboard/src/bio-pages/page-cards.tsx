import { Field, CheckField, INPUT, SelectField, TextField } from '../kit/field.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { ColorField } from './color-field.tsx'
import type { Draft, Theme } from './draft.ts'

const words = text.bioPages
const PRESETS = [
  ...(['plain', 'paper', 'midnight', 'sunrise', 'forest'] as const),
  ...(['ocean', 'candy', 'clay', 'mono', 'neon'] as const),
]
const FONTS = ['sans', 'serif', 'rounded', 'mono'] as const

export type CardProps = {
  draft: Draft
  errors: Partial<Record<string, string>>
  onChange: (part: Partial<Draft>) => void
}

const BODY = 'flex flex-col gap-4 px-4 pt-3 pb-4'

/** Fields of the head of the page. */
export function HeadCard({ draft, errors, onChange }: CardProps) {
  return (
    <Card title={words.head}>
      <div className={BODY}>
        <TextField
          label={words.titleField}
          required
          maxLength={100}
          value={draft.title}
          onValue={(title) => onChange({ title })}
          error={errors.title}
        />
        <TextArea
          label={words.description}
          value={draft.description}
          onValue={(description) => onChange({ description })}
          error={errors.description}
        />
        <ImageField
          label={words.avatar}
          value={draft.avatarMediaId}
          onValue={(avatarMediaId) => onChange({ avatarMediaId })}
          error={errors.avatarMediaId}
        />
      </div>
    </Card>
  )
}

export function TextArea({
  label,
  value,
  onValue,
  error,
  maxLength = 500,
}: {
  label: string
  value: string
  onValue: (value: string) => void
  error?: string | undefined
  maxLength?: number
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          maxLength={maxLength}
          className={`${INPUT} py-1.5`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

/** The theme: a preset, and colors in its place. */
export function LookCard({ draft: { theme }, errors, onChange }: CardProps) {
  const change = (part: Partial<Theme>) => onChange({ theme: { ...theme, ...part } })
  return (
    <Card title={words.look}>
      <div className={BODY}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={words.preset}
            value={theme.preset}
            options={PRESETS.map((value) => ({ value, label: words.presets[value] }))}
            onValue={(preset) => change({ preset })}
          />
          <SelectField
            label={words.font}
            value={theme.font ?? ''}
            options={[
              { value: '' as const, label: words.ofPreset },
              ...FONTS.map((value) => ({ value, label: words.fonts[value] })),
            ]}
            onValue={(font) => change({ font: font === '' ? null : font })}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          {(['background', 'text', 'accent'] as const).map((part) => (
            <ColorField
              key={part}
              label={words.colors[part]}
              value={theme[part]}
              onValue={(value) => change({ [part]: value })}
              error={errors[`theme.${part}`]}
            />
          ))}
        </div>
      </div>
    </Card>
  )
}

/** Fields for search engines and messengers. */
export function SearchCard({ draft, errors, onChange }: CardProps) {
  return (
    <Card title={words.seo}>
      <div className={BODY}>
        <TextField
          label={words.seoTitle}
          hint={words.seoHint}
          maxLength={100}
          value={draft.seoTitle}
          onValue={(seoTitle) => onChange({ seoTitle })}
          error={errors['seo.title']}
        />
        <TextArea
          label={words.seoDescription}
          value={draft.seoDescription}
          onValue={(seoDescription) => onChange({ seoDescription })}
          error={errors['seo.description']}
        />
        <ImageField
          label={words.seoImage}
          value={draft.seoImageId}
          onValue={(seoImageId) => onChange({ seoImageId })}
          error={errors['seo.imageMediaId']}
        />
        <CheckField
          label={words.noindex}
          checked={draft.noindex}
          onChecked={(noindex) => onChange({ noindex })}
        />
      </div>
    </Card>
  )
}
