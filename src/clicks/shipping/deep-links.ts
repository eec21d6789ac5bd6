import { MAX_CLICKS_PER_DAY } from '../../platform/facts/deep-link-fingerprint.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { DeepLinkClick } from './fingerprints.ts'

/**
 * Stores the clicks that an app may ask for, in the transaction that counts them. Those beyond the
 * bound are counted alone. Clicks whose link, workspace or key is deleted are skipped.
 */
export async function storeDeepLinks(
  tx: Tx,
  clicks: readonly DeepLinkClick[],
  maxPerDay = MAX_CLICKS_PER_DAY,
): Promise<void> {
  if (clicks.length === 0) return
  const list = tx`
    json_to_recordset(${JSON.stringify(clicks)}::text::json) as click (
      "workspaceId" text, "linkId" text, "clickId" text, "atMs" bigint, day date,
      platform text, language text, fingerprint text, agent text)`
  // Two shippers count after each other, and lock in one order.
  await allOf([
    tx`
    select from deep_link_keys k
    where (k.workspace_id, k.day) in (select "workspaceId", day from ${list})
    order by k.workspace_id, k.day for update`,
    tx`
    with fresh as (
      select click.*, k.clicks + row_number() over (
        partition by click."workspaceId", click.day order by click."clickId") as place
      from ${list}
      join deep_link_keys k on k.workspace_id = click."workspaceId" and k.day = click.day
      join links l on l.id = click."linkId" and l.workspace_id = click."workspaceId"
    ), counted as (
      update deep_link_keys k set clicks = last.place
      from (select "workspaceId", day, max(place) as place from fresh group by 1, 2) last
      where k.workspace_id = last."workspaceId" and k.day = last.day
    )
    insert into deep_link_clicks
      (workspace_id, click_id, link_id, clicked_at, platform, language, fingerprint, agent)
    select "workspaceId", "clickId", "linkId", to_timestamp("atMs" / 1000.0), platform, language,
      decode(fingerprint, 'base64'), decode(agent, 'base64')
    from fresh where place <= ${maxPerDay}
    on conflict do nothing`,
  ])
}
