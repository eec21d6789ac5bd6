import { currentOf } from '../api/conflict.ts'
import { Button } from '../kit/button.tsx'
import { text } from '../text/en.ts'
import { draftOf, type LinkDraft } from './draft.ts'
import { keepEntityTag, type Link } from './queries.ts'

/** The link as it is now, when it was changed after the drawer had read it; null: another error, or none. */
export function presentOf(error: unknown): Link | null {
  const found = currentOf(error)
  if (!found) return null
  const link = found.current as Link
  keepEntityTag(link, found.etag)
  return link
}

type Props = {
  present: Link
  before: LinkDraft
  draft: LinkDraft
  /** Goes on from the present link, with the fields that the user has changed or with those of the other. */
  onResolve: (keepsMine: boolean) => void
}

/** Both values of each field that another user has changed, and the choice between them. */
export function ConflictNote({ present, before, draft, onResolve }: Props) {
  const theirs = draftOf(present)
  const fields = (Object.keys(theirs) as (keyof LinkDraft)[]).filter(
    (field) => !isEqual(theirs[field], before[field]) && !isEqual(theirs[field], draft[field]),
  )
  return (
    <div role="alert" className="flex flex-col gap-2 rounded border border-warn p-3 text-sm">
      <p className="font-semibold">{text.linkOptions.conflict}</p>
      <dl className="flex flex-col gap-2">
        {fields.map((field) => (
          <div key={field}>
            <dt className="text-soft">{text.linkHistory.fields[field] ?? field}</dt>
            <dd className="break-all">
              {text.linkOptions.theirs} <b className="font-semibold">{show(theirs[field])}</b>
            </dd>
            {!isEqual(draft[field], before[field]) && (
              <dd className="break-all">
                {text.linkOptions.yours} <b className="font-semibold">{show(draft[field])}</b>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onResolve(true)}>{text.linkOptions.keepMine}</Button>
        <Button onClick={() => onResolve(false)}>{text.linkOptions.takeTheirs}</Button>
      </div>
    </div>
  )
}

/** The present link with what the user has changed; where both changed a field, `keepsMine` decides. */
export function mergeDrafts(
  before: LinkDraft,
  draft: LinkDraft,
  theirs: LinkDraft,
  keepsMine: boolean,
): LinkDraft {
  const mine = Object.entries(draft).filter(([key, value]) => {
    const field = key as keyof LinkDraft
    if (isEqual(value, before[field])) return false
    return keepsMine || isEqual(theirs[field], before[field])
  })
  return { ...theirs, ...Object.fromEntries(mine) }
}

const isEqual = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

function show(value: LinkDraft[keyof LinkDraft]): string {
  if (typeof value === 'string') return value || text.links.none
  if (typeof value === 'boolean') return value ? text.linkHistory.on : text.linkHistory.off
  return value.map(({ name, destinationUrl }) => `${name} → ${destinationUrl}`).join('; ')
}
