import type { Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import { createReadMetrics } from '../../platform/processes/metrics.ts'
import { totalBytes } from './size.ts'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  HEADER_BYTES,
  RECORD_HEAD_BYTES,
  listJournals,
  listSegments,
  type SegmentFile,
} from './format.ts'

/** Reads the disk on collection, so that the values are right even while nothing is shipped. */
export function registerUnshipped(registry: Registry, root: string, clock: Clock): void {
  createReadMetrics(registry).gauge(
    'signpost_clicks_unshipped_age_seconds',
    'Age of the oldest click that is not in both databases yet; 0 without one.',
    async () => {
      const sinceMs = await unshippedSinceMs(root)
      return sinceMs === Infinity ? 0 : Math.max(0, clock() - sinceMs) / 1_000
    },
  )
  createReadMetrics(registry).gauge(
    'signpost_clicks_unshipped_bytes',
    'Bytes of the journals on the disk.',
    () => totalBytes(root),
  )
}

/** Flags and time: the start of a payload in every version. */
const TIME_END = HEADER_BYTES + RECORD_HEAD_BYTES + 7

/**
 * For each journal under `root`, a time before which every answered click is in both databases: the
 * creation of its oldest unshipped segment, `Infinity` without one. A click answered during the call may be
 * missing, so read the clock first.
 * /
 */
export async function readUnshipped(root: string): Promise<Map<string, number>> {
  const journals = new Map<string, number>()
  for (const journalId of await listJournals(root))
    journals.set(journalId, await readOldestMs(join(root, journalId)))
  return journals
}

export async function unshippedSinceMs(root: string): Promise<number> {
  return Math.min(Infinity, ...(await readUnshipped(root)).values())
}

/** Segments ship in order, so the lowest sequence is the oldest. If it is removed meanwhile, the next one is. */
async function readOldestMs(folder: string): Promise<number> {
  const files = await listSegments(folder).catch(refuseOther)
  for (const same of Map.groupBy(files ?? [], ({ sequence }) => sequence).values()) {
    const oldestMs = await readCreatedMs(folder, same)
    if (oldestMs !== null) return oldestMs
  }
  return Infinity
}

/** A rows file is younger than its clicks. Null once all are removed. */
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

/** Survives copying the file, unlike its creation time. `Infinity` without a click, and for a rows file. */
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

function refuseOther(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
