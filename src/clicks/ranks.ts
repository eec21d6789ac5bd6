import type { Log } from '../base/log.ts'
import { createOutageWarning, sleep, type Service } from '../base/service.ts'
import type { SystemSql } from '../storage/postgres.ts'

/** Lists in the order of clicks are allowed to lag by ten seconds, twice this. */
const EVERY_MS = 5_000
/** A segment of the journal has the clicks of half a second. */
const SEGMENTS_AT_ONCE = 20

/**
 * Copies the click counters of links to the table by which lists order them. The counters change with
 * every segment and have no index, so that such a change rewrites none.
 *
 *   addClicks: link_clicks, link_rank_changes ──every 5 s──▶ copy_link_ranks: link_ranks
 */
export function createLinkRanks({ sql, log }: { sql: SystemSql; log: Log }): Service {
  return {
    name: 'link-ranks',
    async run(signal) {
      const warn = createOutageWarning(log)
      while (!signal.aborted) {
        const copied = await copyLinkRanks(sql).catch((error: unknown) => {
          if (!signal.aborted) warn({ err: error }, 'order by clicks not copied; trying again')
          return 0
        })
        if (copied < SEGMENTS_AT_ONCE) await sleep(EVERY_MS, signal)
      }
    },
  }
}

/** @returns the number of segments; 0 when none waits, or another process copies */
export async function copyLinkRanks(sql: SystemSql): Promise<number> {
  const [row] = await sql<[{ copied: number }]>`
    select copy_link_ranks(${SEGMENTS_AT_ONCE}) as copied`
  return row.copied
}
