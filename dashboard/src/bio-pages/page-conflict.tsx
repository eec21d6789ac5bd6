import { ConflictNote } from '../kit/conflict-note.tsx'
import { text } from '../text/bio-pages.ts'
import type { Draft } from './draft.ts'
import type { CardProps } from './page-cards.tsx'

export function PageConflict({ form }: CardProps) {
  return (
    <ConflictNote
      form={form}
      title={text.bioPages.conflict}
      names={text.bioPages.fields}
      show={show}
    />
  )
}

/** A value as a user reads it; ids of images and domains stand for one. */
function show(draft: Draft, field: keyof Draft): string {
  if (field === 'blocks')
    return (
      draft.blocks.map(({ title, type }) => title || text.bioPages.types[type]).join(', ') ||
      text.bioPages.nothing
    )
  if (field === 'socials')
    return draft.socials.map(({ url }) => url).join(', ') || text.bioPages.nothing
  if (field === 'theme') {
    const { preset, font, background, text: textColor, accent } = draft.theme
    const own = [font && text.bioPages.fonts[font], background, textColor, accent].filter(Boolean)
    return [text.bioPages.presets[preset], ...own].join(', ')
  }
  const value = draft[field]
  if (typeof value === 'boolean') return value ? text.bioPages.yes : text.bioPages.no
  if (field === 'domainId')
    return value === null ? text.bioPages.sharedHost : text.bioPages.itsDomain
  if (field === 'avatarMediaId' || field === 'seoImageId')
    return value === null ? text.bioPages.nothing : text.bioPages.anImage
  return value || text.bioPages.nothing
}
