import { AreaField, CheckField, SelectField, TextField } from '../kit/field.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { Card } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import type { Form } from '../kit/use-form.ts'
import { text } from '../text/bio-pages.ts'
import { ColorField } from '../kit/color-field.tsx'
import type { Draft, Theme } from './draft.ts'

export type CardProps = { form: Form<Draft> }

const BODY = 'flex flex-col gap-4 px-4 pt-3 pb-4'

/** Fields of the head of the page. */
export function HeadCard({ form }: CardProps) {
  return (
    <Card title={text.bioPages.head}>
      <div className={BODY}>
        <TextField
          label={text.bioPages.titleField}
          required
          maxLength={100}
          {...form.field('title')}
        />
        <AreaField
          label={text.bioPages.description}
          maxLength={500}
          {...form.field('description')}
        />
        <ImageField label={text.bioPages.avatar} {...form.field('avatarMediaId')} />
      </div>
    </Card>
  )
}

/** The theme: a preset, and colors in its place. */
export function LookCard({ form }: CardProps) {
  const { theme } = form.draft
  const change = (part: Partial<Theme>) => form.change({ theme: { ...theme, ...part } })
  return (
    <Card title={text.bioPages.look}>
      <div className={BODY}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={text.bioPages.preset}
            value={theme.preset}
            options={optionsOf(text.bioPages.presets)}
            onValue={(preset) => change({ preset })}
          />
          <SelectField
            label={text.bioPages.font}
            value={theme.font ?? ''}
            options={[
              { value: '' as const, label: text.bioPages.ofPreset },
              ...optionsOf(text.bioPages.fonts),
            ]}
            onValue={(font) => change({ font: font === '' ? null : font })}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          {(['background', 'text', 'accent'] as const).map((part) => (
            <ColorField
              hint={text.bioPages.colorHint}
              placeholder={text.bioPages.ofPreset}
              key={part}
              label={text.bioPages.colors[part]}
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
    <Card title={text.bioPages.seo}>
      <div className={BODY}>
        <TextField
          label={text.bioPages.seoTitle}
          hint={text.bioPages.seoHint}
          maxLength={100}
          {...form.field('seoTitle', 'seo.title')}
        />
        <AreaField
          label={text.bioPages.seoDescription}
          maxLength={500}
          {...form.field('seoDescription', 'seo.description')}
        />
        <ImageField
          label={text.bioPages.seoImage}
          {...form.field('seoImageId', 'seo.imageMediaId')}
        />
        <CheckField label={text.bioPages.noindex} {...form.field('noindex')} />
      </div>
    </Card>
  )
}
