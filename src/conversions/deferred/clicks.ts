import type { Principal } from '../../platform/routes/principal.ts'
import { timeOfUlid } from '../../platform/core/ids.ts'
import type { NamedClick } from '../../platform/facts/sp-id.ts'
import type { ClickReader } from '../../analytics/questions/reader.ts'
import { namedClickSql } from '../named-clicks.ts'
import type { Found } from './found.ts'

/** A click answers an app for this long. */
export const CLICK_WINDOW_MS = 30 * 24 * 3_600_000

/**
 * The click of an id; null for one that is unknown, of a bot or older than 30 days. A signature proves click
 * and link, also before the click is stored; for a bare id the clicks of its minute are read.
 */
export async function findNamed(
  { reader, nowMs }: { reader: ClickReader; nowMs: number },
  principal: Principal,
  { clickId, linkId }: NamedClick,
  signal: AbortSignal | undefined,
): Promise<Found | null> {
  const atMs = timeOfUlid(clickId)
  if (atMs <= nowMs - CLICK_WINDOW_MS) return null
  if (linkId !== null) return { linkId, clickId, clickedAt: new Date(atMs) }
  const rows = await reader.run(principal, signal, (read) =>
    read<{ linkId: string; atMs: number }>({
      query: `
        select link_id as linkId, toUnixTimestamp64Milli(at) as atMs from clicks
        where workspace_id = {workspaceId:String} and kind = 'human'
          and ${namedClickSql({ clickId, linkId })}
        limit 1`,
      params: { workspaceId: principal.workspaceId },
    }),
  )
  const [row] = rows
  return row ? { linkId: row.linkId, clickId, clickedAt: new Date(row.atMs) } : null
}
