import type { Who } from '../../base/who.ts'
import type { LinkOptions } from '../../facts/link-options.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Part } from '../../storage/statement-parts.ts'

/** The number of redirects that a link has left is counted in the row of the link, while `maxClicks` is set. */
type Options = LinkOptions | null

/**
 * Keeps the row of a link in step with its `maxClicks`. Another maximum keeps the count; without the
 * option the row goes, and the count with it.
 */
export async function saveQuota(
  tx: Tx,
  { workspaceId }: Who,
  linkId: string,
  before: Options,
  after: Options,
): Promise<void> {
  const maxClicks = after?.maxClicks
  if (maxClicks === before?.maxClicks) return
  if (maxClicks === undefined)
    await tx`
      delete from link_quotas where link_id = ${linkId} and workspace_id = ${workspaceId}`
  else await insertQuota(tx, workspaceId, linkId, maxClicks)
}

/** The quota of a new link, as a part of a statement. */
export function quotaPart(tx: Tx, { workspaceId }: Who, linkId: string, maxClicks: number): Part {
  return {
    ctes: tx`quota as (${insertQuota(tx, workspaceId, linkId, maxClicks)})`,
    columns: tx`true as has_quota`,
  }
}

/** The quotas of new links, as a part of a statement. */
export function quotasPart(
  tx: Tx,
  { workspaceId }: Who,
  quotas: readonly { linkId: string; maxClicks: number }[],
): Part {
  return {
    ctes: tx`quota as (${insertQuotas(tx, workspaceId, quotas)})`,
    columns: tx`true as has_quota`,
  }
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

function insertQuota(tx: Tx, workspaceId: string, linkId: string, maxClicks: number) {
  return tx`
    insert into link_quotas (link_id, workspace_id, max_clicks)
    values (${linkId}, ${workspaceId}, ${maxClicks})
    on conflict (link_id) do update set max_clicks = excluded.max_clicks`
}

/** True for `links l` that has served as many redirects as it may. */
export function isUsedUp(tx: Tx) {
  return tx`exists (
    select from link_quotas q
    where q.link_id = l.id and q.workspace_id = l.workspace_id and q.served >= q.max_clicks)`
}
