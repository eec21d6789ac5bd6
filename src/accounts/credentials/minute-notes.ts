import { MINUTE_MS, type Clock } from '../../platform/core/clock.ts'
import { dropOldest } from '../../platform/core/functions.ts'

/** Limits the writes of times of use to one per minute and key in this process. */
export class MinuteNotes {
  readonly #notedMs = new Map<string, number>()
  readonly #clock: Clock
  readonly #maxKeys: number

  constructor(clock: Clock, maxKeys: number) {
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  /**
   * Null if a use was noted within a minute; otherwise the time up to which a stored time may be replaced, since
   * another process may have written it.
   */
  findStale(key: string): Date | null {
    const nowMs = this.#clock()
    const lastMs = this.#notedMs.get(key)
    if (lastMs !== undefined && Math.abs(nowMs - lastMs) < MINUTE_MS) return null
    this.#notedMs.set(key, nowMs)
    dropOldest(this.#notedMs, this.#maxKeys)
    return new Date(nowMs - MINUTE_MS)
  }
}
