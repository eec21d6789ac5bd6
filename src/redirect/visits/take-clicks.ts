import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

/** Number of redirects that a link has granted, and whether it has some left after that. */
export type Taken = { granted: number; isLeft: boolean }

type Row = { linkId: string; granted: number; isLeft: boolean }

/**
 * Takes redirects of links with `maxClicks`, for all of them in one statement, and fewer than wanted where
 * fewer are left. A link that is absent from the answer has no `maxClicks` any more.
 *
 * Of two statements with the same link one waits for the other's commit, and counts from what that has
 * left. Rows are locked in one order, so that statements cannot deadlock; a row that has nothing to
 * give is not written.
 * @param wanted number of redirects by the id of the link; 0 only asks whether some are left
 */
export async function takeClicks(
  sql: SystemSql,
  wanted: ReadonlyMap<string, number>,
): Promise<Map<string, Taken>> {
  const rows = await sql<Row[]>`
    with wanted as (
      select * from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::int[])
        as wanted (link_id, clicks)
    ), locked as (
      select q.link_id, q.served, q.max_clicks, wanted.clicks
      from link_quotas q join wanted on wanted.link_id = q.link_id
      order by q.link_id for no key update of q
    ), taken as (
      update link_quotas q set served = least(locked.max_clicks, locked.served + locked.clicks)
      from locked
      where q.link_id = locked.link_id and locked.clicks > 0 and locked.served < locked.max_clicks
      returning q.link_id, q.served
    )
    select locked.link_id, coalesce(taken.served - locked.served, 0) as granted,
      coalesce(taken.served, locked.served) < locked.max_clicks as is_left
    from locked left join taken on taken.link_id = locked.link_id`
  return new Map(rows.map(({ linkId, granted, isLeft }) => [linkId, { granted, isLeft }]))
}
