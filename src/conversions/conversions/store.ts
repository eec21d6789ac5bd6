import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Attribution, Link } from './attribution.ts'
import { isOfLead, type Draft } from './draft.ts'
import { toLabelsDueAt } from './labels.ts'
import type { ConversionReceived, Recorded } from './schema.ts'
import { DAY_MS } from '../../platform/core/clock.ts'

export type NewRow = { draft: Draft; attribution: Attribution; namedLink: Link | null }

/** A lead of the same customer with the same name counts again after this time. */
const LEAD_MS = 7 * DAY_MS

export async function insertNew(tx: Tx, principal: Principal, rows: readonly NewRow[]) {
  const [, inserted] = await allOf([
    releaseLeads(tx, principal, rows),
    insertRows(tx, principal, rows),
  ])
  return new Set(inserted.map(({ id }) => id))
}

/** A parallel request with the same event waits for the first one, and then inserts nothing. */
function insertRows(tx: Tx, { workspaceId }: Principal, rows: readonly NewRow[]) {
  return tx<{ id: string }[]>`
    insert into conversions (id, workspace_id, event_id, repeat_key, event_name, type, value, currency,
      customer_id, customer, metadata, occurred_at, received_at, named_click_id, signed_link_id,
      named_link_id, status, reason, link_id, slug, click_id, clicked_at, labels, labels_due_at, next_look_at)
    select id, ${workspaceId}, "eventId", "repeatKey", "eventName", type, value, currency,
      "customerId", customer, metadata, "occurredAt", "receivedAt", "namedClickId", "signedLinkId",
      "namedLinkId", status, reason, "linkId", slug, "clickId", "clickedAt", labels, "labelsDueAt",
      "nextLookAt"
    from json_to_recordset(${JSON.stringify(rows.map(toColumns))}::text::json) as new (
      id text, "eventId" text, "repeatKey" text, "eventName" text, type text, value bigint, currency text,
      "customerId" text, customer json, metadata json, "occurredAt" timestamptz, "receivedAt" timestamptz,
      "namedClickId" text, "signedLinkId" text, "namedLinkId" text, status text, reason text, "linkId" text,
      slug text, "clickId" text, "clickedAt" timestamptz, labels json, "labelsDueAt" timestamptz,
      "nextLookAt" timestamptz)
    on conflict do nothing
    returning id`
}

function toColumns({ draft, attribution, namedLink }: NewRow) {
  const { click, link: _link, ...own } = draft
  const { status, reason, link, clickId, clickedAt, labels } = attribution
  const named = click === 'unknown' ? null : click
  return {
    ...own,
    namedClickId: named?.clickId ?? null,
    signedLinkId: named?.linkId ?? null,
    namedLinkId: namedLink?.id ?? null,
    ...{ status, reason, clickId, clickedAt, labels },
    linkId: link?.id ?? null,
    slug: link?.slug ?? null,
    labelsDueAt: toLabelsDueAt(attribution, draft.receivedAt),
    nextLookAt: status === 'waiting' ? draft.receivedAt : null,
  }
}

async function releaseLeads(tx: Tx, { workspaceId }: Principal, rows: readonly NewRow[]) {
  const leads = rows.filter(({ draft: { repeatKey } }) => repeatKey !== null && isOfLead(repeatKey))
  const [first] = leads
  if (!first) return
  await tx`
    update conversions set repeat_key = null
    where workspace_id = ${workspaceId}
      and repeat_key = any(${leads.map(({ draft }) => draft.repeatKey!)}::text[])
      and received_at <= ${new Date(first.draft.receivedAt.getTime() - LEAD_MS)}`
}

type StoredRow = Pick<Draft, 'id' | 'eventId' | 'repeatKey'> & {
  status: Attribution['status']
  linkId: string | null
  clickId: string | null
}

export async function readRepeated(tx: Tx, { workspaceId }: Principal, drafts: readonly Draft[]) {
  if (drafts.length === 0) return []
  const stored = await tx<StoredRow[]>`
    select id, event_id, repeat_key, status, link_id, click_id from conversions
    where workspace_id = ${workspaceId} and (
      event_id = any(${drafts.map(({ eventId }) => eventId)}::text[])
      or repeat_key = any(${drafts.flatMap(({ repeatKey }) => repeatKey ?? [])}::text[]))`
  return drafts.map(({ eventId, repeatKey }) => {
    const row = stored.find(
      (known) => known.eventId === eventId || (repeatKey !== null && known.repeatKey === repeatKey),
    )!
    const { id, linkId, clickId, status } = row
    const attributed = status === 'attributed'
    return { id, eventId: row.eventId, duplicate: true, attributed, linkId, clickId }
  })
}

export function toRecorded({ draft: { id, eventId }, attribution }: NewRow): Recorded {
  const { status, link, clickId } = attribution
  const attributed = status === 'attributed'
  return { id, eventId, duplicate: false, attributed, linkId: link?.id ?? null, clickId }
}

export type Sent = Pick<
  Draft,
  | 'id'
  | 'eventId'
  | 'eventName'
  | 'type'
  | 'value'
  | 'currency'
  | 'customerId'
  | 'customer'
  | 'metadata'
  | 'occurredAt'
>

export function toEvent(
  workspaceId: string,
  draft: Sent,
  { link, clickId }: Pick<Attribution, 'link' | 'clickId'>,
) {
  const { id, eventId, eventName, type, value, currency, customerId, customer, metadata } = draft
  const data: ConversionReceived = {
    ...{ id, eventId, eventName, type, value, currency, clickId, link },
    ...{ customerId, customer, metadata },
    occurredAt: draft.occurredAt.toISOString(),
  }
  // The event's id is derived from the conversion's.
  return { type: 'conversion.received', workspaceId, data, id: id.replace('cnv_', 'evt_') }
}
