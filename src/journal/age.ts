import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listJournals, listSegments } from './format.ts'

/**
 * Creation time of the oldest unshipped segment under `root`: every click of this machine before it
 * is in the databases. `Infinity` if there is none.
 */
export async function unshippedSinceMs(root: string): Promise<number> {
  let oldestMs = Infinity
  for (const journalId of await listJournals(root)) {
    const folder = join(root, journalId)
    // Segments of a journal ship in order: the first is the oldest. The shipper may remove both.
    const [first] = await listSegments(folder).catch(() => [])
    const found = first && (await stat(join(folder, first.name)).catch(() => null))
    if (found) oldestMs = Math.min(oldestMs, found.birthtimeMs || found.mtimeMs)
  }
  return oldestMs
}
