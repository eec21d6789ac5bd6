import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

/** A segment of the journal has the clicks of half a second. */
const SEGMENTS_AT_ONCE = 20

/**
 * Copies the click counters of links to the table by which lists order them. The counters change with
 * every segment and have no index, so that such a change rewrites none.
 *
 *   addClicks: link_clicks, link_rank_changes ──every 5 seconds──▶ copy_link_ranks: link_ranks
 */
export async function copyAllLinkRanks(sql: SystemSql, signal: AbortSignal): Promise<void> {
  while ((await copyLinkRanks(sql)) === SEGMENTS_AT_ONCE && !signal.aborted);
}

/** @returns the number of segments; 0 when none waits, or another process copies */
export async function copyLinkRanks(sql: SystemSql): Promise<number> {
  const [row] = await sql<[{ copied: number }]>`
    select copy_link_ranks(${SEGMENTS_AT_ONCE}) as copied`
  return row.copied
}
