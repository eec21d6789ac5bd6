import { setTimeout as sleep } from 'node:timers/promises'
import { ulid } from '../../src/platform/core/ids.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { balance, describeFailures } from './click-account.ts'
import { openDistantEdge } from './distant-edge.ts'
import { visitSteadily } from './visitors.ts'

export type OutageOptions = {
  /** Visits a second. */
  rate: number
  links: number
  /** Duration of the outage of both databases. */
  seconds: number
  beforeSeconds: number
}

export type Outage = { answeredPercent: number; drainedSeconds: number }

const POLL_MS = 100
const DRAIN_DEADLINE_MS = 10 * 60_000
const TIME_CHARS = 10
const RANDOM_CHARS = 16

/**
 * Visits an edge whose databases go away, restarts it half-way, and waits until they have every click.
 * @returns null when a click was lost or counted twice
 */
export async function measureOutage(options: OutageOptions): Promise<Outage | null> {
  const { rate, links, seconds, beforeSeconds } = options
  await using edge = await openDistantEdge({ links })
  const visitors = visitSteadily({ port: edge.port, rate, links, freshShare: 0.5 })
  await sleep(beforeSeconds * 1_000)
  edge.setAway(true)
  await sleep((seconds * 1_000) / 2)
  await edge.restart()
  await sleep((seconds * 1_000) / 2)
  edge.setAway(false)
  const restoredAtMs = Date.now()
  // Clicks have ids that sort by time.
  const limit = ulid(restoredAtMs).slice(0, TIME_CHARS) + '0'.repeat(RANDOM_CHARS)
  await sleep(POLL_MS)
  const waiting = await visitors.countBelow(limit)
  await untilStored(edge.databases.clickhouse, limit, waiting)
  const drainedSeconds = (Date.now() - restoredAtMs) / 1_000
  const answers = await visitors.stop()
  if (!(await balance('the outage', edge.databases, answers))) return null
  const answeredPercent = (answers.ids.length / answers.sent) * 100
  console.log(
    `outage of ${seconds} s at ${rate}/s, with a restart: ${answers.sent} visits, ${answeredPercent.toFixed(3)} % answered (failures ${describeFailures(answers)}), 0 clicks lost, drained ${drainedSeconds.toFixed(1)} s after`,
  )
  return { answeredPercent, drainedSeconds }
}

async function untilStored(clickhouse: ClickHouseClient, limit: string, clicks: number) {
  const deadline = performance.now() + DRAIN_DEADLINE_MS
  while (performance.now() < deadline) {
    const answer = await clickhouse.query({
      query: 'select count() from clicks where click_id < {limit:String}',
      query_params: { limit },
      format: 'JSONCompactEachRow',
    })
    const [row] = await answer.json<[number]>()
    if (row![0] >= clicks) return
    await sleep(POLL_MS)
  }
  throw new Error(`not all of ${clicks} clicks were stored in time`)
}
