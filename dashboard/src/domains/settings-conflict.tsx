import { currentOf } from '../api/conflict.ts'
import { Button } from '../kit/button.tsx'
import { text } from '../text/en.ts'
import type { Domain } from './queries.ts'
import { conflictingFields, draftOf, type SettingsDraft } from './settings-draft.ts'

export type Present = { domain: Domain; etag: string | null }

/** The domain as it is now, when it was changed after the drawer had read it; null: another error, or none. */
export function presentOf(error: unknown): Present | null {
  const found = currentOf(error)
  return found && { domain: found.current as Domain, etag: found.etag }
}

/** Both values of each field that another user has changed, and the choice between them. */
export function SettingsConflict({
  present,
  before,
  draft,
  onResolve,
}: {
  present: Present
  before: SettingsDraft
  draft: SettingsDraft
  onResolve: (keepsMine: boolean) => void
}) {
  const theirs = draftOf(present.domain)
  return (
    <div role="alert" className="flex flex-col gap-2 rounded border border-warn p-3 text-sm">
      <p className="font-semibold">{text.domains.conflict}</p>
      <dl className="flex flex-col gap-2">
        {conflictingFields(before, draft, theirs).map((field) => (
          <div key={field}>
            <dt className="text-soft">{text.domains[field]}</dt>
            <dd className="break-all">
              {text.domains.isNow} <b className="font-semibold">{show(theirs[field])}</b>
            </dd>
            {draft[field] !== before[field] && (
              <dd className="break-all">
                {text.domains.isYours} <b className="font-semibold">{show(draft[field])}</b>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onResolve(true)}>{text.domains.keepMine}</Button>
        <Button onClick={() => onResolve(false)}>{text.domains.takeTheirs}</Button>
      </div>
    </div>
  )
}

function show(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? text.domains.yes : text.domains.no
  return value || text.domains.noFile
}
