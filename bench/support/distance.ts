import { setTimeout as sleep } from 'node:timers/promises'
import { awaitClicks, balance, countClicks, describeFailures } from './click-account.ts'
import { openDistantEdge } from './distant-edge.ts'
import { isSound, quantile } from './figures.ts'
import { visitSteadily } from './visitors.ts'

export type DistanceOptions = {
  /** Visits a second. */
  rate: number
  links: number
  seconds: number
  /** To each database, in each direction. */
  delayMs: number
}

const POLL_MS = 50

/**
 * Visits an edge far away from its databases, and measures the time from each answer until the click is in both.
 * @returns the p99 in seconds; null when a visit failed, or a click was lost or counted twice
 */
export async function measureDistance(options: DistanceOptions): Promise<number | null> {
  const { rate, links, seconds, delayMs } = options
  await using edge = await openDistantEdge({ links, delayMs })
  const visitors = visitSteadily({ port: edge.port, rate, links })
  const seen: { atMs: number; clicks: number }[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rows, counted } = await countClicks(edge.databases)
      seen.push({ atMs: Date.now(), clicks: Math.min(rows, counted) })
      await sleep(POLL_MS)
    }
  })()
  await sleep(seconds * 1_000)
  const answers = await visitors.stop()
  await awaitClicks(edge.databases, answers.ids.length)
  await sleep(POLL_MS)
  isOver = true
  await watching
  seen.push({ atMs: Date.now(), clicks: answers.ids.length })
  const failed = answers.sent - answers.ids.length
  if (!isSound(`visits at a distance (${describeFailures(answers)})`, failed)) return null
  if (!(await balance('visits at a distance', edge.databases, answers))) return null
  const waits = toWaits(answers.answeredAtMs, seen)
  const at = (share: number) => (quantile(waits, share) / 1_000).toFixed(2)
  console.log(
    `${delayMs} ms to both databases and back, ${rate}/s for ${seconds} s: ${waits.length} clicks, freshness p50 ${at(0.5)} s, p99 ${at(0.99)} s, longest ${at(1)} s`,
  )
  return quantile(waits, 0.99) / 1_000
}

/** Segments ship in the order of their clicks, so that as many clicks are seen as there are rows. */
function toWaits(
  answeredAtMs: readonly number[],
  seen: readonly { atMs: number; clicks: number }[],
): number[] {
  let poll = 0
  return answeredAtMs.map((atMs, i) => {
    while (seen[poll]!.clicks <= i) poll++
    return Math.max(0, seen[poll]!.atMs - atMs)
  })
}
