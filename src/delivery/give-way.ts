/** At least so often they are asked, however busy the machine is: 32 deliveries at a time, 320 a second. */
const LONGEST_MS = 100
/** So much longer than at its quickest a claim may take before backlogs are held to be in its way. */
const TARGET_MS = 2
/** What each lane it asks may add to it. */
const PER_LANE_MS = 0.1
const LONGER_BY = 1.15
/** Sixteen claims that are not hindered make up for one that is. */
const SHORTER_BY = LONGER_BY ** (-1 / 16)
/** The quickest claim is that of the last one or two of these. */
const WINDOW_MS = 10_000
/** Without a claim for so long there is nobody to give way to. */
const ALONE_AFTER_MS = 200

export type GiveWay = {
  /** How long a claim of so many lanes without a backlog took that brought something. */
  took(claimMs: number, laneCount: number, nowMs: number): void
  /** How far apart rounds of claims for lanes with a backlog begin. */
  roundMs(nowMs: number): number
}

/**
 * Lets backlogs have what is to spare: the longer the claims of the other lanes take, the more seldom
 * backlogs are asked; where nothing else is delivered, or the machine has room for both, they are
 * not held up at all. As in LEDBAT (RFC 6817), delay is the signal, and its quickest the measure.
 * @param shortestMs how far apart rounds begin that are not held up
 */
export function createGiveWay(shortestMs: number): GiveWay {
  let roundMs = shortestMs
  let lastAtMs = -Infinity
  let windowAtMs = -Infinity
  let quickestMs = Infinity
  let quickestBeforeMs = Infinity

  return {
    took(claimMs, laneCount, nowMs) {
      if (nowMs - windowAtMs >= WINDOW_MS) {
        windowAtMs = nowMs
        quickestBeforeMs = quickestMs
        quickestMs = Infinity
      }
      quickestMs = Math.min(quickestMs, claimMs)
      const expectedMs = Math.min(quickestMs, quickestBeforeMs) + laneCount * PER_LANE_MS
      const isHindered = claimMs > expectedMs + TARGET_MS
      roundMs = isHindered
        ? Math.min(LONGEST_MS, roundMs * LONGER_BY)
        : Math.max(shortestMs, roundMs * SHORTER_BY)
      lastAtMs = nowMs
    },
    roundMs: (nowMs) => (nowMs - lastAtMs > ALONE_AFTER_MS ? shortestMs : roundMs),
  }
}
