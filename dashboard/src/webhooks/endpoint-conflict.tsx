import { currentOf } from '../api/conflict.ts'
import { Button } from '../kit/button.tsx'
import { text } from '../text/en.ts'
import { draftOf, isEqual, type EndpointDraft } from './endpoint-draft.ts'
import type { Endpoint } from './queries.ts'

export type Present = { endpoint: Endpoint; etag: string | null }

/** The endpoint as it is now, when it was changed after the drawer had read it; null: another error, or none. */
export function presentOf(error: unknown): Present | null {
  const found = currentOf(error)
  return found && { endpoint: found.current as Endpoint, etag: found.etag }
}

/** Both values of each field that another user has changed, and the choice between them. */
export function EndpointConflict({
  present,
  before,
  draft,
  onResolve,
}: {
  present: Present
  before: EndpointDraft
  draft: EndpointDraft
  onResolve: (keepsMine: boolean) => void
}) {
  const theirs = draftOf(present.endpoint)
  const fields = (Object.keys(theirs) as (keyof EndpointDraft)[]).filter(
    (field) => !isEqual(theirs[field], before[field]) && !isEqual(theirs[field], draft[field]),
  )
  return (
    <div role="alert" className="flex flex-col gap-2 rounded border border-warn p-3 text-sm">
      <p className="font-semibold">{text.webhooks.conflict}</p>
      <dl className="flex flex-col gap-2">
        {fields.map((field) => (
          <div key={field}>
            <dt className="text-soft">{NAMES[field]}</dt>
            <dd className="break-all">
              {text.webhooks.isNow} <b className="font-semibold">{show(theirs[field])}</b>
            </dd>
            {!isEqual(draft[field], before[field]) && (
              <dd className="break-all">
                {text.webhooks.isYours} <b className="font-semibold">{show(draft[field])}</b>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onResolve(true)}>{text.webhooks.keepMine}</Button>
        <Button onClick={() => onResolve(false)}>{text.webhooks.takeTheirs}</Button>
      </div>
    </div>
  )
}

const NAMES: Record<keyof EndpointDraft, string> = {
  url: text.webhooks.url,
  description: text.webhooks.description,
  events: text.webhooks.events,
  failureEmail: text.webhooks.failureEmail,
  disableAfterHours: text.webhooks.disableAfter,
  standardHeaders: text.webhooks.standardHeaders,
  headers: text.webhooks.headers,
}

/** Values of headers stay out of sight. */
function show(value: EndpointDraft[keyof EndpointDraft]): string {
  if (typeof value === 'string') return value || text.webhooks.noValue
  if (typeof value === 'boolean') return value ? text.webhooks.on : text.webhooks.off
  return value.map((each) => (typeof each === 'string' ? each : each.name)).join(', ')
}
