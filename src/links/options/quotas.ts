import type { Principal } from '../../platform/routes/principal.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'

/** While `maxClicks` is set, a row in `link_quotas` counts the redirects of the link. */
type Options = LinkOptions | null

/** Keeps the rows in step with `maxClicks`. A new maximum keeps the count; without the option the row is deleted. */
export async function saveQuotas(
  tx: Tx,
  { workspaceId }: Principal,
  changes: readonly { linkId: string; before: Options; after: Options }[],
): Promise<void> {
  const changed = changes.filter(({ before, after }) => before?.maxClicks !== after?.maxClicks)
  const quotas = changed.flatMap(({ linkId, after }) =>
    after?.maxClicks === undefined ? [] : [{ linkId, maxClicks: after.maxClicks }],
  )
  const removed = changed.filter(({ after }) => after?.maxClicks === undefined)
  await allOf([
    quotas.length > 0 && insertQuotas(tx, workspaceId, quotas),
    removed.length > 0 &&
      tx`
        delete from link_quotas
        where link_id = any(${removed.map(({ linkId }) => linkId)}::text[])
          and workspace_id = ${workspaceId}`,
  ])
}

function insertQuotas(
  tx: Tx,
  workspaceId: string,
  quotas: readonly { linkId: string; maxClicks: number }[],
) {
  return tx`
    insert into link_quotas (link_id, workspace_id, max_clicks)
    select link_id, ${workspaceId}, max_clicks
    from unnest(${quotas.map(({ linkId }) => linkId)}::text[],
      ${quotas.map(({ maxClicks }) => maxClicks)}::integer[]) as quota (link_id, max_clicks)
    order by link_id
    on conflict (link_id) do update set max_clicks = excluded.max_clicks`
}

/** The status of `links l`, with `expired`. */
export function statusOf(tx: Tx, now: Date) {
  return tx`
    case when l.status = 'active' and (l.expires_at <= ${now} or ${isUsedUp(tx)})
      then 'expired' else l.status end`
}

/** Whether `links l` has served all its redirects. */
export function isUsedUp(tx: Tx) {
  return tx`exists (
    select from link_quotas q
    where q.link_id = l.id and q.workspace_id = l.workspace_id and q.served >= q.max_clicks)`
}

/** Null for more than `atMost`. */
export async function readUsedUp(
  tx: Tx,
  { workspaceId }: Principal,
  atMost: number,
): Promise<string[] | null> {
  const rows = await tx<{ linkId: string }[]>`
    select link_id from link_quotas
    where workspace_id = ${workspaceId} and served >= max_clicks limit ${atMost + 1}`
  return rows.length > atMost ? null : rows.map(({ linkId }) => linkId)
}
