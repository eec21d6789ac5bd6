import type { Clock } from '../base/clock.ts'
import { fanOut, type EventRow } from '../delivery/outbox.ts'
import type { Tx } from '../storage/postgres.ts'
import { workspaceIdOf } from './rows.ts'

/** Events of one statement: enough to be quick, few enough to be planned and sent at once. */
const MAX_EVENTS = 1_000

export type AnnouncingDeps = {
  clock: Clock
  shortUrlOf: (host: string, slug: string) => string
  /** Live deliveries of an endpoint above which it gets no more clicks. */
  maxBacklog?: number
}

/**
 * Publishes click.received for every click of a person in a workspace that listens, in the
 * transaction that counts the clicks. An event's id is made of its click's, so a segment that is
 * shipped again would make the same events; the cursor sees to it that it is not.
 * @param lines rows as `encodeRow` made them
 * @param workspaceIds the workspaces that occur in them
 */
export async function announceClicks(
  tx: Tx,
  deps: AnnouncingDeps,
  workspaceIds: readonly string[],
  lines: () => Iterable<string>,
): Promise<void> {
  if (workspaceIds.length === 0) return
  const rows = await tx<{ workspaceId: string }[]>`
    select distinct workspace_id from webhook_subscriptions
    where workspace_id = any(${workspaceIds}::text[]) and event_type in ('click.received', '*')`
  if (rows.length === 0) return
  const listening = new Set(rows.map((row) => row.workspaceId))
  let events: EventRow[] = []
  for (const line of lines()) {
    if (!listening.has(workspaceIdOf(line))) continue
    const event = toEvent(line, deps.shortUrlOf)
    if (event === null) continue
    events.push(event)
    if (events.length < MAX_EVENTS) continue
    await fanOut(tx, deps.clock, events, deps.maxBacklog)
    events = []
  }
  if (events.length > 0) await fanOut(tx, deps.clock, events, deps.maxBacklog)
}

/** Null for what is no click of a person. No address and no visitor: the event tells of a click. */
function toEvent(line: string, shortUrlOf: AnnouncingDeps['shortUrlOf']): EventRow | null {
  const row = JSON.parse(line) as Record<string, string>
  if (row['kind'] !== 'human') return null
  const shortUrl = shortUrlOf(row['host']!, row['slug']!)
  const data = {
    clickId: row['click_id'],
    link: { id: row['link_id'], slug: row['slug'], shortUrl, domain: new URL(shortUrl).host },
    destinationUrl: row['destination'],
    timestamp: `${row['at']!.replace(' ', 'T')}Z`,
    country: known(row['country']),
    region: known(row['region']),
    city: known(row['city']),
    continent: known(row['continent']),
    device: row['device'],
    browser: row['browser'],
    os: row['os'],
    referrer: row['referrer'],
    language: known(row['language']),
    trigger: row['trigger'],
    utmSource: known(row['utm_source']),
    utmMedium: known(row['utm_medium']),
    utmCampaign: known(row['utm_campaign']),
    utmTerm: known(row['utm_term']),
    utmContent: known(row['utm_content']),
  }
  return {
    id: `evt_${row['click_id']}`,
    workspaceId: row['workspace_id']!,
    type: 'click.received',
    data: JSON.stringify(data),
  }
}

/** Rows say '' or 'unknown' where an event says null. */
function known(value: string | undefined): string | null {
  return value === undefined || value === '' || value === 'unknown' ? null : value
}
