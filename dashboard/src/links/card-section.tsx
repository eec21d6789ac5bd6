import { imageUrl } from '../api/media.ts'
import { AreaField, TextField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { ImageField } from '../kit/image-picker.tsx'
import { text } from '../text/link-page.ts'
import type { LinkDraft } from './draft.ts'
import type { FormProps } from './form-props.ts'
import { Section } from './section.tsx'

/** Preview that messengers and social networks show in place of the destination's own. */
export function CardSection({ form, host }: FormProps) {
  const { draft, change } = form
  const { cardTitle, cardDescription, cardImage } = draft
  return (
    <Section
      icon="image"
      title={text.linkOptions.card}
      state={cardTitle || cardDescription || cardImage || text.linkOptions.cardOfDestination}
      hasError={form.errorAt('card') !== undefined}
    >
      <TextField
        label={text.linkOptions.cardTitle}
        maxLength={255}
        {...form.field('cardTitle', 'card.title')}
        error={form.errorAt('card.title') ?? form.errorAt('card')}
      />
      <AreaField
        label={text.linkOptions.cardDescription}
        rows={2}
        maxLength={1000}
        {...form.field('cardDescription', 'card.description')}
      />
      <ImageField
        label={text.linkOptions.cardUpload}
        value={uploadedOf(cardImage)}
        onValue={(id) => change({ cardImage: id ?? '' })}
      />
      <TextField
        label={text.linkOptions.cardImage}
        hint={text.linkOptions.cardImageHint}
        placeholder="https://"
        className="font-mono text-sm"
        {...form.field('cardImage', 'card.image')}
      />
      {(cardTitle || cardDescription || cardImage) && <Preview draft={draft} host={host} />}
    </Section>
  )
}

/** The id of an uploaded image, by itself or in its public address. */
function uploadedOf(image: string): string | null {
  return /(?:^|\/media-public\/)(med_[0-9A-Z]{26})(?:\?|$)/.exec(image)?.[1] ?? null
}

/** The page asks no other host for anything, so that an image that is not uploaded is named and not shown. */
function Preview({ draft, host }: { draft: LinkDraft; host: string }) {
  const { cardTitle, cardDescription, cardImage } = draft
  const uploaded = uploadedOf(cardImage)
  return (
    <figure className="max-w-96 overflow-hidden rounded border border-line bg-card">
      {uploaded && (
        <img src={imageUrl(uploaded)} alt="" className="aspect-[1200/630] w-full object-cover" />
      )}
      {cardImage && !uploaded && (
        <div className="flex h-32 flex-col items-center justify-center gap-1 bg-sunk px-3 text-soft">
          <Icon name="image" size={24} />
          <span className="max-w-full truncate font-mono text-xs">{cardImage}</span>
        </div>
      )}
      <figcaption className="flex flex-col px-3 py-2">
        <span className="text-xs text-soft">{host}</span>
        <b className="font-semibold break-words">{cardTitle || draft.name}</b>
        <span className="line-clamp-2 text-sm break-words text-soft">{cardDescription}</span>
      </figcaption>
    </figure>
  )
}
