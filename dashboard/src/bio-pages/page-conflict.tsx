import { currentOf } from '../api/conflict.ts'
import { Button } from '../kit/button.tsx'
import { text } from '../text/en.ts'
import { changedFields, conflictingFields, draftOf, type Draft } from './draft.ts'
import type { BioPage, ReadPage } from './queries.ts'

const words = text.bioPages

/** The page as it is now, when it was changed after the editor had read it; null: another error, or none. */
export function presentOf(error: unknown): ReadPage | null {
  const found = currentOf(error)
  return found && { page: found.current as BioPage, etag: found.etag }
}

/** Both values of each field that another user has changed, and the choice between them. */
export function PageConflict({
  present,
  before,
  draft,
  onResolve,
}: {
  present: ReadPage
  before: Draft
  draft: Draft
  onResolve: (keepsMine: boolean) => void
}) {
  const theirs = draftOf(present.page)
  const mine = changedFields(before, draft)
  const fields = conflictingFields(before, draft, theirs)
  return (
    <div role="alert" className="flex flex-col gap-2 rounded border border-warn p-3 text-sm">
      <p className="font-semibold">{words.conflict}</p>
      {fields.length > 0 && (
        <dl className="flex flex-col gap-2">
          {fields.map((field) => (
            <div key={field}>
              <dt className="text-soft">{words.fields[field]}</dt>
              <dd className="wrap-anywhere">
                {words.isNow} <b className="font-semibold">{show(theirs, field)}</b>
              </dd>
              {mine.includes(field) && (
                <dd className="wrap-anywhere">
                  {words.isYours} <b className="font-semibold">{show(draft, field)}</b>
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onResolve(true)}>{words.keepMine}</Button>
        <Button onClick={() => onResolve(false)}>{words.takeTheirs}</Button>
      </div>
    </div>
  )
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
