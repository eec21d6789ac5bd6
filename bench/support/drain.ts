import { setTimeout as sleep } from 'node:timers/promises'
import { awaitClicks, balance, countClicks, describeFailures } from './click-account.ts'
import { openDistantEdge } from './distant-edge.ts'
import { isSound } from './figures.ts'
import { prepareSegments } from './ingest-clicks.ts'
import { visitSteadily } from './visitors.ts'

export type DrainOptions = {
  /** Visits a second. */
  rate: number
  links: number
  beforeSeconds: number
  /** Full segments that wait: four million bytes each. */
  segments: number
  megabytes: number
}

/**
 * Visits an edge while a journal of many clicks is shipped that another process left behind.
 * @returns the p99 of the redirects beside it by that before; null when a visit failed, or a click was lost or counted
 *   twice
 */
export async function measureDrain(options: DrainOptions): Promise<number | null> {
  const { rate, links, beforeSeconds, segments, megabytes } = options
  await using edge = await openDistantEdge({ links })
  // Before the visits, since it takes a processor for seconds.
  const journal = prepareSegments(edge.journalDir, { segments, megabytes, links })
  const visitors = visitSteadily({ port: edge.port, rate, links })
  await sleep(beforeSeconds * 1_000)
  // The first window warms up.
  await visitors.takeWindow()
  await sleep(beforeSeconds * 1_000)
  const before = await visitors.takeWindow()
  const { rows } = await countClicks(edge.databases)
  const left = journal.clicks
  const startedAtMs = performance.now()
  journal.leave()
  await awaitClicks(edge.databases, rows + left)
  const tookSeconds = (performance.now() - startedAtMs) / 1_000
  const beside = await visitors.takeWindow()
  const answers = await visitors.stop()
  const failed = answers.sent - answers.ids.length
  if (!isSound(`visits beside a drain (${describeFailures(answers)})`, failed)) return null
  if (!(await balance('the drain', edge.databases, answers, left))) return null
  const ratio = beside.p99Ms / before.p99Ms
  console.log(
    `drain of ${left} clicks in ${tookSeconds.toFixed(1)} s beside ${rate}/s: redirects p99 × ${ratio.toFixed(2)}, ${before.p99Ms.toFixed(1)} → ${beside.p99Ms.toFixed(1)} ms`,
  )
  return ratio
}
