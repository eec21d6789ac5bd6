import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listJournals } from './format.ts'

/** How often the folder is measured while it is more than half full. */
const MEASURE_EVERY_MS = 1_000

export type JournalSize = ReturnType<typeof createJournalSize>

/**
 * How many bytes all journals under `root` take, as an upper bound that never waits for a disk:
 * the last measurement and everything written since it began. What the shipper has removed shows
 * at the next measurement, which is made only when the bound comes near `maxBytes`.
 */
export function createJournalSize(root: string, maxBytes: number) {
  let measured = 0
  let writtenSince = 0
  let measuredAtMs = -Infinity
  let isMeasuring = false

  function upperBound(): number {
    return measured + writtenSince
  }

  function add(bytes: number): void {
    writtenSince += bytes
  }

  /** True when `bytes` more would pass the limit. Begins a measurement when one is due. */
  function isFull(bytes: number): boolean {
    if (upperBound() + bytes > maxBytes / 2) refresh()
    return upperBound() + bytes > maxBytes
  }

  function refresh(): void {
    const now = performance.now()
    if (isMeasuring || now - measuredAtMs < MEASURE_EVERY_MS) return
    measuredAtMs = now
    void measure()
  }

  /** Resolves when a measurement is complete; an unreadable folder leaves the bound as it was. */
  async function measure(): Promise<void> {
    if (isMeasuring) return
    isMeasuring = true
    const before = writtenSince
    try {
      measured = await totalBytes(root)
      writtenSince -= before
    } catch {
      // Removed under our feet, or a failing disk: the upper bound stays right.
    } finally {
      isMeasuring = false
    }
  }

  return { upperBound, add, isFull, measure }
}

async function totalBytes(root: string): Promise<number> {
  let total = 0
  for (const journal of await listJournals(root)) {
    const folder = join(root, journal)
    for (const name of await readdir(folder).catch(() => []))
      total += await stat(join(folder, name)).then(
        (file) => file.size,
        () => 0,
      )
  }
  return total
}
