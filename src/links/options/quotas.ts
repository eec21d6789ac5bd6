import type { Principal } from '../../platform/routes/principal.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'

/** The number of redirects that a link has left is counted in the row of the link, while `maxClicks` is set. */
type Options = LinkOptions | null

/**
 * Keeps the rows of links in step with their `maxClicks`. Another maximum keeps the count; without the
 * option the row goes, and the count with it.
 */
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

/** True for `links l` that has served as many redirects as it may. */
export function isUsedUp(tx: Tx) {
  return tx`exists (
    select from link_quotas q
    where q.link_id = l.id and q.workspace_id = l.workspace_id and q.served >= q.max_clicks)`
}

/** Links that have served as many redirects as they may; null for more than `atMost`. */
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
