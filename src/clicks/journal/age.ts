import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  HEADER_BYTES,
  RECORD_HEAD_BYTES,
  listJournals,
  listSegments,
  type SegmentFile,
} from './format.ts'

/** Flags and time: the beginning of a payload in every version. */
const TIME_END = HEADER_BYTES + RECORD_HEAD_BYTES + 7

/**
 * The journals under `root`, each with a time before which every answered click of it is in both databases:
 * the creation of its oldest unshipped segment, `Infinity` without one. A click that is answered during
 * the call may be missing, so a caller reads its clock first.
 */
export async function readUnshipped(root: string): Promise<Map<string, number>> {
  const journals = new Map<string, number>()
  for (const journalId of await listJournals(root))
    journals.set(journalId, await readOldestMs(join(root, journalId)))
  return journals
}

/** The earliest of {@link readUnshipped}. */
export async function unshippedSinceMs(root: string): Promise<number> {
  return Math.min(Infinity, ...(await readUnshipped(root)).values())
}

/**
 * Segments of a journal ship in order, so those of the lowest sequence are the oldest. When the
 * shipper has removed them during the call, the next ones are.
 */
async function readOldestMs(folder: string): Promise<number> {
  const files = await listSegments(folder).catch(refuseOther)
  for (const same of Map.groupBy(files ?? [], ({ sequence }) => sequence).values()) {
    const oldestMs = await readCreatedMs(folder, same)
    if (oldestMs !== null) return oldestMs
  }
  return Infinity
}

/** The files of one segment; the file of its rows is younger than its clicks. Null once all are removed. */
async function readCreatedMs(folder: string, files: readonly SegmentFile[]) {
  let createdMs: number | null = null
  for (const { name } of files) {
    const path = join(folder, name)
    const found = await stat(path).catch(refuseOther)
    if (!found) continue
    const ms = Math.min(found.birthtimeMs || found.mtimeMs, await readFirstClickMs(path))
    createdMs = createdMs === null ? ms : Math.min(createdMs, ms)
  }
  return createdMs
}

/**
 * Time of the first click in a segment, which a copy of the file has as well, unlike its creation. `Infinity`
 * without a click, and for a file of rows.
 */
async function readFirstClickMs(path: string): Promise<number> {
  if (path.endsWith('.rows')) return Infinity
  const file = await open(path).catch(refuseOther)
  if (!file) return Infinity
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TIME_END), 0, TIME_END, 0)
    return bytesRead < TIME_END ? Infinity : buffer.readUIntLE(TIME_END - 6, 6)
  } finally {
    await file.close()
  }
}

/** Undefined for a file or folder that is gone. */
function refuseOther(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
