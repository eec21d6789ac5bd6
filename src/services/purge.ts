import type { Log } from '../base/log.ts'
import { sleep, type Service } from '../base/service.ts'
import type { Tx } from '../storage/postgres.ts'
import { announceCredentials } from './credential-changes.ts'
import { announceLinksOf } from './link-changes.ts'
import { endSubscription } from './subscription-ends.ts'
import {
  deleteClicks,
  PURGE_STEPS,
  withClicks,
  type PurgeGround,
  type PurgeStep,
} from './purge-steps.ts'

type Deps = PurgeGround & { log: Log; steps?: readonly PurgeStep[] }

export type Purge = ReturnType<typeof createPurge>

const LOOK_EVERY_MS = 5_000
/** A request does not wait longer for what is done anyway. */
const WAIT_MS = 5_000
/** Longer than any transaction that still saw the workspace. */
const SWEEP_AFTER_MS = 60_000
/** How long clicks may lie in a journal that nobody ships, and still be removed when they come. */
const KEPT_MS = 90 * 86_400_000
const CLICKS_EVERY_MS = 3_600_000
const CLICKS_AT_ONCE = 1_000

/**
 * The deletion of a workspace with everything in it:
 *
 *   there ──begin, in one transaction──▶ under way ──every step──▶ purged ──a minute──▶ swept ──90 days──▶ forgotten
 *                                           └── a crash: the service begins again with the first step
 *
 * From `begin` on nobody belongs to it, its credentials are refused, its links answer 410, its
 * deliveries wait, and what it has bought is to be ended (src/services/subscription-ends.ts), which no
 * step waits for. What a transaction or the click shipper brings in late is removed by the sweep, and
 * clicks of journals that lay somewhere for weeks by an hourly look into ClickHouse.
 */
export function createPurge(deps: Deps) {
  const { sql, clickhouse, clock, log, steps = PURGE_STEPS } = deps
  const running = new Map<string, Promise<void>>()
  const never = new AbortController().signal
  let clicksAtMs = -Infinity

  /** Marks the workspace; the caller holds the lock of its row, and commits. */
  async function begin(tx: Tx, workspaceId: string): Promise<void> {
    const now = new Date(clock())
    await tx`
      insert into purges (id, started_at) values (${workspaceId}, ${now}) on conflict (id) do nothing`
    await tx`
      update workspaces set suspended_at = coalesce(suspended_at, ${now}) where id = ${workspaceId}`
    await endSubscription(tx, workspaceId, now)
    await tx`delete from invitations where workspace_id = ${workspaceId}`
    await tx`delete from members where workspace_id = ${workspaceId}`
    await announceCredentials(tx, `workspace:${workspaceId}`)
    await announceLinksOf(tx, workspaceId)
  }

  /** Every step, once at a time in this process. */
  function finish(workspaceId: string, signal: AbortSignal = never): Promise<void> {
    const known = running.get(workspaceId)
    if (known) return known
    const made = runSteps(workspaceId, signal).finally(() => running.delete(workspaceId))
    running.set(workspaceId, made)
    return made
  }

  async function runSteps(workspaceId: string, signal: AbortSignal): Promise<void> {
    for (const step of steps) await step.run(deps, workspaceId, signal)
    const now = new Date(clock())
    await sql`
      update purges set purged_at = coalesce(purged_at, ${now}),
        swept_at = case when started_at < ${new Date(now.getTime() - SWEEP_AFTER_MS)} then ${now} end
      where id = ${workspaceId}`
  }

  /** Waits a few seconds for it; what takes longer, or fails, is finished by the service. */
  async function finishSoon(workspaceId: string): Promise<void> {
    const stop = new AbortController()
    const finished = finish(workspaceId).catch((error: unknown) =>
      log.warn({ err: error, workspaceId }, 'a purge was cut off; it will be finished'),
    )
    await Promise.race([finished, sleep(WAIT_MS, stop.signal)])
    stop.abort()
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await once(signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'workspaces could not be purged')
      })
      await sleep(LOOK_EVERY_MS, signal)
    }
  }

  /** Finishes what is under way and sweeps what is due. */
  async function once(signal: AbortSignal = never): Promise<void> {
    const due = await sql<{ id: string }[]>`
      select id from purges
      where swept_at is null
        and (purged_at is null or started_at < ${new Date(clock() - SWEEP_AFTER_MS)})
      order by started_at limit 100`
    for (const { id } of due) await finish(id, signal)
    if (Math.abs(clock() - clicksAtMs) < CLICKS_EVERY_MS) return
    await sweepClicks(signal)
    clicksAtMs = clock()
  }

  async function sweepClicks(signal: AbortSignal): Promise<void> {
    await sql`delete from purges where swept_at < ${new Date(clock() - KEPT_MS)}`
    for (let after = ''; ;) {
      const some = await sql<{ id: string }[]>`
        select id from purges where id > ${after} and swept_at is not null
        order by id limit ${CLICKS_AT_ONCE}`
      if (some.length === 0) return
      for (const id of await withClicks(
        clickhouse,
        some.map((row) => row.id),
      ))
        await deleteClicks(deps, id, signal)
      after = some.at(-1)!.id
    }
  }

  const service: Service = { name: 'purges', run }
  return { begin, finish, finishSoon, once, service }
}
