import type { Clock } from '../../base/clock.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { SourceName } from './sources.ts'

export type ImportedTotal = { linkId: string; clicks: number; day: string | null }

/**
 * Stores the clicks that links had in another service. Those that an earlier import of the same service
 * gave are replaced, so that a file may be imported twice. Without a day they count for that of the import.
 */
export async function saveImportedClicks(
  tx: Tx,
  { workspaceId }: Who,
  source: SourceName,
  totals: readonly ImportedTotal[],
  clock: Clock,
): Promise<void> {
  if (totals.length === 0) return
  const linkIds = totals.map(({ linkId }) => linkId)
  const today = new Date(clock()).toISOString().slice(0, 10)
  await tx`
    delete from imported_clicks
    where workspace_id = ${workspaceId} and source = ${source} and link_id = any(${linkIds}::text[])`
  await tx`
    insert into imported_clicks (workspace_id, link_id, source, day, clicks)
    select ${workspaceId}, link_id, ${source}, day::date, clicks
    from unnest(${linkIds}::text[], ${totals.map(({ day }) => day ?? today)}::text[],
      ${totals.map(({ clicks }) => clicks)}::bigint[]) as total (link_id, day, clicks)`
}
