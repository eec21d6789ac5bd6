/** The longest interval, however busy the machine is: 32 deliveries a round, 320 a second. */
const MAX_ROUND_MS = 100
/** A claim that takes this much longer than the quickest one is slowed down by backlogs. */
const TOLERANCE_MS = 2
/** Time that each lane of a claim may add. */
const PER_LANE_MS = 0.1
const SLOWER_BY = 1.15
/** Sixteen claims in time make up for one that is late. */
const FASTER_BY = SLOWER_BY ** (-1 / 16)
/** The quickest claim is that of the last one or two of these windows. */
const WINDOW_MS = 10_000
/** Without a claim for this long, backlogs delay no other delivery. */
const ALONE_AFTER_MS = 200

/**
 * Gives backlogs the capacity that is left: the longer the claims of the other lanes take, the longer
 * the interval between claims for backlogs. While nothing else is delivered, or the machine has room
 * for both, the interval is the shortest. As in LEDBAT (RFC 6817), delay is the signal, measured
 * against the quickest claim.
 */
export class BacklogPacer {
  readonly #shortestMs: number
  #roundMs: number
  #lastClaimAtMs = -Infinity
  #windowAtMs = -Infinity
  #quickestMs = Infinity
  #quickestBeforeMs = Infinity

  constructor(shortestMs: number) {
    this.#shortestMs = shortestMs
    this.#roundMs = shortestMs
  }

  /** Records the duration of a claim for lanes without a backlog that returned deliveries. */
  record(claimMs: number, laneCount: number, nowMs: number): void {
    if (nowMs - this.#windowAtMs >= WINDOW_MS) {
      this.#windowAtMs = nowMs
      this.#quickestBeforeMs = this.#quickestMs
      this.#quickestMs = Infinity
    }
    this.#quickestMs = Math.min(this.#quickestMs, claimMs)
    const expectedMs = Math.min(this.#quickestMs, this.#quickestBeforeMs) + laneCount * PER_LANE_MS
    this.#roundMs =
      claimMs > expectedMs + TOLERANCE_MS
        ? Math.min(MAX_ROUND_MS, this.#roundMs * SLOWER_BY)
        : Math.max(this.#shortestMs, this.#roundMs * FASTER_BY)
    this.#lastClaimAtMs = nowMs
  }

  /** The interval between the beginnings of two claims for lanes with a backlog. */
  roundMs(nowMs: number): number {
    return nowMs - this.#lastClaimAtMs > ALONE_AFTER_MS ? this.#shortestMs : this.#roundMs
  }
}
