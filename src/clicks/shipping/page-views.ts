import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkTally } from './rows.ts'

/**
 * Adds to the counters of bio pages. Pages that were deleted are skipped and cannot fail the segment: workspaces and
 * pages are locked against deletion until the commit, each in one order everywhere.
 * @param tallies with the id of the page as that of the link
 */
export async function addPageViews(tx: Tx, tallies: readonly LinkTally[]): Promise<void> {
  if (tallies.length === 0) return
  const workspaceIds = [...new Set(tallies.map(({ workspaceId }) => workspaceId))]
  await allOf([
    tx`select id from workspaces where id = any(${workspaceIds}) order by id for key share`,
    tx`
    with page as (
      select p.id, p.workspace_id, tally.clicks
      from json_to_recordset(${JSON.stringify(tallies)}::text::json) as tally (
        "workspaceId" text, "linkId" text, clicks bigint
      )
      join bio_pages p on p.id = tally."linkId" and p.workspace_id = tally."workspaceId"
      order by p.id for key share of p
    )
    insert into bio_page_views (page_id, workspace_id, views)
    select id, workspace_id, clicks from page order by id
    on conflict (page_id) do update set views = bio_page_views.views + excluded.views`,
  ])
}
