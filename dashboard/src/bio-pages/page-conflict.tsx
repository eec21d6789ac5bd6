import { ConflictNote } from '../kit/conflict-note.tsx'
import { text } from '../text/en-bio-pages.ts'
import type { Draft } from './draft.ts'
import type { CardProps } from './page-cards.tsx'

const words = text.bioPages

export function PageConflict({ form }: CardProps) {
  return <ConflictNote form={form} title={words.conflict} names={words.fields} show={show} />
}

/** A value as a user reads it; ids of images and domains stand for one. */
function show(draft: Draft, field: keyof Draft): string {
  if (field === 'blocks')
    return (
      draft.blocks.map(({ title, type }) => title || words.types[type]).join(', ') || words.nothing
    )
  if (field === 'socials') return draft.socials.map(({ url }) => url).join(', ') || words.nothing
  if (field === 'theme') {
    const { preset, font, background, text: textColor, accent } = draft.theme
    const own = [font && words.fonts[font], background, textColor, accent].filter(Boolean)
    return [words.presets[preset], ...own].join(', ')
  }
  const value = draft[field]
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (field === 'domainId') return value === null ? words.sharedHost : words.itsDomain
  if (field === 'avatarMediaId' || field === 'seoImageId')
    return value === null ? words.nothing : words.anImage
  return value || words.nothing
}
