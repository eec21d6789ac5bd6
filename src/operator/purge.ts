import type { Log } from '../platform/core/log.ts'
import { sleep } from '../platform/core/service.ts'
import { areDeletionsHeld } from '../platform/storage/postgres/advisory-locks.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'
import { announceCredentials } from '../accounts/credentials/cache.ts'
import { announceLinksOf } from '../links/link/addresses.ts'
import {
  deleteClicks,
  emptyOtherTables,
  findWithClicks,
  workspaceStep,
  type PurgeDeps,
  type PurgeStep,
} from '../platform/resources/purge-steps.ts'
import type { Resource } from '../platform/resources/resource.ts'
import { RESOURCES } from '../resources.ts'
import { endSubscription } from './billing/ends.ts'

type Deps = PurgeDeps & { log: Log; steps?: readonly PurgeStep[] }

const WAIT_MS = 5_000
/** Longer than any transaction that still saw the workspace. */
const SWEEP_AFTER_MS = 60_000
/** Clicks that waited in an unshipped journal for up to this long are still removed when they arrive. */
const KEPT_MS = 90 * 86_400_000
const CLICKS_PER_QUERY = 1_000
const NEVER = new AbortController().signal

const DECLARED = Object.values<Resource>(RESOURCES)
const DECLARED_STEPS = [
  ...DECLARED.flatMap(({ purgeFirst = [] }) => purgeFirst),
  ...DECLARED.flatMap(({ purge = [] }) => purge),
]

/** The steps in order. Before the first one the workspace has no members and its links do not redirect. */
export const PURGE_STEPS: readonly PurgeStep[] = [
  ...DECLARED_STEPS,
  emptyOtherTables(DECLARED_STEPS.flatMap(({ tables }) => tables)),
  workspaceStep,
]

/**
 * From `begin` on a workspace has no members, its credentials are refused, its links answer 410, its deliveries
 * wait, and its subscription is marked to be ended. After a crash a sweep begins again with the first step. A
 * second round, a minute later, removes rows that a transaction or the click shipper adds late; an hourly query of
 * ClickHouse removes clicks of journals that were shipped weeks later.
 */
export class Purge {
  readonly #deps: Deps
  readonly #steps: readonly PurgeStep[]
  readonly #running = new Map<string, Promise<void>>()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#steps = deps.steps ?? PURGE_STEPS
  }

  /** Marks the workspace. The caller holds the lock of its row, and commits. */
  async begin(tx: Tx, workspaceId: string): Promise<void> {
    const now = new Date(this.#deps.clock())
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

  /** Runs every step, once at a time in this process. */
  finish(workspaceId: string, signal: AbortSignal = NEVER): Promise<void> {
    const running = this.#running.get(workspaceId)
    if (running) return running
    const run = this.#runSteps(workspaceId, signal).finally(() => this.#running.delete(workspaceId))
    this.#running.set(workspaceId, run)
    return run
  }

  async finishSoon(workspaceId: string): Promise<void> {
    const stop = new AbortController()
    const finished = this.finish(workspaceId).catch((error: unknown) =>
      this.#deps.log.warn(
        { err: error, workspaceId },
        'purge of a workspace failed; the worker tries again',
      ),
    )
    await Promise.race([finished, sleep(WAIT_MS, stop.signal)])
    stop.abort()
  }

  async finishAll(signal: AbortSignal): Promise<void> {
    const { sql, clock } = this.#deps
    const due = await sql<{ id: string }[]>`
      select id from purges
      where swept_at is null
        and (purged_at is null or started_at < ${new Date(clock() - SWEEP_AFTER_MS)})
      order by started_at limit 100`
    for (const { id } of due) {
      if (signal.aborted) return
      await this.finish(id, signal)
    }
  }

  async #runSteps(workspaceId: string, signal: AbortSignal): Promise<void> {
    const { sql, clock } = this.#deps
    if (await areDeletionsHeld(sql)) return
    for (const step of this.#steps) await step.run(this.#deps, workspaceId, signal)
    const now = new Date(clock())
    await sql`
      update purges set purged_at = coalesce(purged_at, ${now}),
        swept_at = case when started_at < ${new Date(now.getTime() - SWEEP_AFTER_MS)} then ${now} end
      where id = ${workspaceId}`
  }

  async deleteLateClicks(signal: AbortSignal): Promise<void> {
    const { sql, clickhouse, clock } = this.#deps
    await sql`delete from purges where swept_at < ${new Date(clock() - KEPT_MS)}`
    for (let after = ''; !signal.aborted;) {
      const rows = await sql<{ id: string }[]>`
        select id from purges where id > ${after} and swept_at is not null
        order by id limit ${CLICKS_PER_QUERY}`
      if (rows.length === 0) return
      const ids = rows.map((row) => row.id)
      for (const id of await findWithClicks(clickhouse, ids))
        await deleteClicks(this.#deps, id, signal)
      after = ids.at(-1)!
    }
  }
}
