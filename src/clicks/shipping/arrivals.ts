import { notifyAfterCommit, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Frozen } from './rows.ts'

/** Clicks began to count; the receivers read which ones. */
export const CLICKS_CHANNEL = 'signpost_clicks'

/** Segments that a live stream can go back to: some hours of one edge, which ships two a second at most. */
const KEPT_SEGMENTS = 20_000
/** A row names up to this many workspaces, so that the kept ones take a few megabytes. */
const MAX_NAMED = 200

type Segment = { journalId: string; sequence: number; frozen: Frozen }

/**
 * Gives a segment its number in the order in which clicks begin to count. The last statement of the commit: other
 * commits wait for its lock until this one has ended.
 */
export async function addArrival(
  tx: Tx,
  { journalId, sequence, frozen: { about } }: Segment,
): Promise<void> {
  if (about.tallies.length === 0) return
  const workspaceIds = [...new Set(about.tallies.map(({ workspaceId }) => workspaceId))]
  const named = workspaceIds.length <= MAX_NAMED ? workspaceIds : []
  await tx`
    with next as (
      update click_arrival_count set arrivals = arrivals + 1 returning arrivals
    ), dropped as (
      delete from click_arrivals where arrival = (select arrivals from next) - ${KEPT_SEGMENTS}
    )
    insert into click_arrivals (arrival, segment, from_ms, to_ms, workspaces)
    select arrivals, ${`${journalId}-${sequence}`}, ${about.fromMs}, ${about.toMs},
      (select array_agg(hashtext(id)) from unnest(${named}::text[]) as named (id))
    from next`
  notifyAfterCommit(tx, CLICKS_CHANNEL, '')
}
