import { AreaField, CheckField, SelectField, TextField } from '../kit/field.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { Card } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import type { Form } from '../kit/use-form.ts'
import { text } from '../text/en-bio-pages.ts'
import { ColorField } from './color-field.tsx'
import type { Draft, Theme } from './draft.ts'

const words = text.bioPages

export type CardProps = { form: Form<Draft> }

const BODY = 'flex flex-col gap-4 px-4 pt-3 pb-4'

/** Fields of the head of the page. */
export function HeadCard({ form }: CardProps) {
  return (
    <Card title={words.head}>
      <div className={BODY}>
        <TextField label={words.titleField} required maxLength={100} {...form.field('title')} />
        <AreaField label={words.description} maxLength={500} {...form.field('description')} />
        <ImageField label={words.avatar} {...form.field('avatarMediaId')} />
      </div>
    </Card>
  )
}

/** The theme: a preset, and colors in its place. */
export function LookCard({ form }: CardProps) {
  const { theme } = form.draft
  const change = (part: Partial<Theme>) => form.change({ theme: { ...theme, ...part } })
  return (
    <Card title={words.look}>
      <div className={BODY}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={words.preset}
            value={theme.preset}
            options={optionsOf(words.presets)}
            onValue={(preset) => change({ preset })}
          />
          <SelectField
            label={words.font}
            value={theme.font ?? ''}
            options={[{ value: '' as const, label: words.ofPreset }, ...optionsOf(words.fonts)]}
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
              error={form.errorAt(`theme.${part}`)}
            />
          ))}
        </div>
      </div>
    </Card>
  )
}

/** Fields for search engines and messengers. */
export function SearchCard({ form }: CardProps) {
  return (
    <Card title={words.seo}>
      <div className={BODY}>
        <TextField
          label={words.seoTitle}
          hint={words.seoHint}
          maxLength={100}
          {...form.field('seoTitle', 'seo.title')}
        />
        <AreaField
          label={words.seoDescription}
          maxLength={500}
          {...form.field('seoDescription', 'seo.description')}
        />
        <ImageField label={words.seoImage} {...form.field('seoImageId', 'seo.imageMediaId')} />
        <CheckField label={words.noindex} {...form.field('noindex')} />
      </div>
    </Card>
  )
}
