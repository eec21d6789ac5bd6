import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listJournals, listSegments } from './format.ts'

/**
 * When the oldest segment under `root` that is not shipped yet was begun: every click of this machine
 * before that time is in the databases. `Infinity` when none waits.
 */
export async function unshippedSinceMs(root: string): Promise<number> {
  let oldestMs = Infinity
  for (const journalId of await listJournals(root)) {
    const folder = join(root, journalId)
    // Segments of a journal ship in order, so its first is its oldest. A folder may go meanwhile.
    const [first] = await listSegments(folder).catch(() => [])
    const found = first && (await stat(join(folder, first.name)).catch(() => null))
    if (found) oldestMs = Math.min(oldestMs, found.birthtimeMs || found.mtimeMs)
  }
  return oldestMs
}
