import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listJournals } from './format.ts'

/** Measured only while the folder may be more than half full. */
const MEASURE_EVERY_MS = 1_000

/**
 * An upper bound of the bytes of all journals under `root`, known without waiting for the disk: the last
 * measurement plus everything written since. Files that the shipper removes count until the next
 * measurement, which happens only while the bound is near `maxBytes`.
 */
export class JournalSize {
  readonly #root: string
  readonly #maxBytes: number
  readonly #writers: number
  #measured = 0
  #writtenSince = 0
  #measuredAtMs = -Infinity
  #isMeasuring = false

  /**
   * @param writers processes with journals under `root`; each knows only its own bytes between measurements
   */
  constructor(root: string, maxBytes: number, writers = 1) {
    this.#root = root
    this.#maxBytes = maxBytes
    this.#writers = writers
  }

  upperBound(): number {
    return this.#measured + this.#writtenSince
  }

  add(bytes: number): void {
    this.#writtenSince += bytes
  }

  /** True if `bytes` more would exceed the limit. Starts a measurement when one is due. */
  isFull(bytes: number): boolean {
    if (this.upperBound() + bytes > this.#maxBytes / 2 / this.#writers) this.#measureIfDue()
    return this.upperBound() + bytes > this.#maxBytes
  }

  #measureIfDue(): void {
    const now = performance.now()
    if (this.#isMeasuring || now - this.#measuredAtMs < MEASURE_EVERY_MS) return
    this.#measuredAtMs = now
    void this.#measure()
  }

  async #measure(): Promise<void> {
    this.#isMeasuring = true
    const before = this.#writtenSince
    try {
      this.#measured = await totalBytes(this.#root)
      this.#writtenSince -= before
    } catch {
      // The folder cannot be read: the bound stays valid.
    } finally {
      this.#isMeasuring = false
    }
  }
}

export async function totalBytes(root: string): Promise<number> {
  let total = 0
  for (const journal of await listJournals(root)) {
    const folder = join(root, journal)
    for (const name of await readdir(folder).catch(() => []))
      total += (await stat(join(folder, name)).catch(() => null))?.size ?? 0
  }
  return total
}
