import type { Clock } from '../base/clock.ts'
import { fanOut, type EventRow } from '../delivery/outbox.ts'
import type { Tx } from '../storage/postgres.ts'
import { readRows, type Frozen, type RowFields } from './rows.ts'

export type AnnouncingDeps = {
  clock: Clock
  /** The short URL that was clicked; `host` is the Host header of the visitor. */
  toShortUrl: (host: string, slug: string) => string
  /** Live deliveries of an endpoint above which it gets no more clicks. */
  maxBacklog?: number
}

/**
 * Publishes click.received for every human click of a workspace that subscribes to it, in the
 * transaction that counts the clicks. An event's id contains its click's; the cursor ensures that a
 * segment that is shipped again makes no second event.
 */
export async function announceClicks(tx: Tx, deps: AnnouncingDeps, frozen: Frozen): Promise<void> {
  const workspaceIds = [...new Set(frozen.about.tallies.map(({ workspaceId }) => workspaceId))]
  if (workspaceIds.length === 0) return
  const subscriptions = await tx<{ workspaceId: string }[]>`
    select distinct workspace_id from webhook_subscriptions
    where workspace_id = any(${workspaceIds}::text[]) and event_type in ('click.received', '*')`
  if (subscriptions.length === 0) return
  const subscribed = new Set(subscriptions.map(({ workspaceId }) => workspaceId))
  for await (const rows of readRows(frozen)) {
    const events = rows
      .filter(({ fields }) => fields.kind === 'human' && subscribed.has(fields.workspace_id))
      .map(({ fields }) => toEvent(fields, deps.toShortUrl))
    if (events.length > 0) await fanOut(tx, deps.clock, events, deps.maxBacklog)
  }
}

/** The event contains neither the address nor the visitor. */
function toEvent(row: RowFields, toShortUrl: AnnouncingDeps['toShortUrl']): EventRow {
  const shortUrl = toShortUrl(row.host, row.slug)
  const data = {
    clickId: row.click_id,
    link: { id: row.link_id, slug: row.slug, shortUrl, domain: new URL(shortUrl).host },
    destinationUrl: row.destination,
    timestamp: `${row.at.replace(' ', 'T')}Z`,
    country: nullIfUnknown(row.country),
    region: nullIfUnknown(row.region),
    city: nullIfUnknown(row.city),
    continent: nullIfUnknown(row.continent),
    device: row.device,
    browser: row.browser,
    os: row.os,
    referrer: row.referrer,
    language: nullIfUnknown(row.language),
    trigger: row.trigger,
    utmSource: nullIfUnknown(row.utm_source),
    utmMedium: nullIfUnknown(row.utm_medium),
    utmCampaign: nullIfUnknown(row.utm_campaign),
    utmTerm: nullIfUnknown(row.utm_term),
    utmContent: nullIfUnknown(row.utm_content),
  }
  return {
    id: `evt_${row.click_id}`,
    workspaceId: row.workspace_id,
    type: 'click.received',
    data: JSON.stringify(data),
  }
}

/** A row has '' or 'unknown' where an event has null. */
function nullIfUnknown(value: string): string | null {
  return value === '' || value === 'unknown' ? null : value
}
