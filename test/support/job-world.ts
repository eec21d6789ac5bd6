import { setPace } from '../../src/platform/core/service.ts'
import type { TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import type { Role, Principal } from '../../src/platform/routes/principal.ts'
import {
  createJobs,
  type Job,
  type NewJobOptions,
  type JobKind,
} from '../../src/platform/jobs/jobs.ts'
import { JobWorker } from '../../src/platform/jobs/worker.ts'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from './engines.ts'
import { eventually } from './eventually.ts'
import { addMembership, addUser, addWorkspace, toPrincipal } from './fixtures.ts'

export type JobWorld = Awaited<ReturnType<typeof openJobWorld>>

/** Pools of both roles, as the program has them. */
export function openPools(postgresUrl: string) {
  const sql = openPostgres(postgresUrl, { role: REQUEST_ROLE, maxConnections: 4 })
  const systemSql = openPostgres(postgresUrl, { role: WORKER_ROLE, maxConnections: 4 })
  const close = async () => {
    await closePostgres(sql)
    await closePostgres(systemSql)
  }
  return { sql, systemSql, close }
}

/** Jobs with the real roles of the database. */
export async function openJobWorld(t: TestContext) {
  setPace(5)
  t.after(() => setPace(1))
  const { sql: owner, postgresUrl } = await freshPostgres(t)
  const { sql, systemSql, close } = openPools(postgresUrl)
  t.after(close)
  const time = { ms: Date.now() }
  const clock = () => time.ms
  const jobs = createJobs({ clock, systemSql })

  async function member(role: Role = 'member', rest: Partial<Principal> = {}): Promise<Principal> {
    const workspaceId = await addWorkspace(owner)
    const { id: userId } = await addUser(owner)
    await addMembership(owner, { workspaceId, userId, role })
    return toPrincipal(userId, workspaceId, { role, ...rest })
  }

  const enqueue = (principal: Principal, kind: string, input: unknown, options?: NewJobOptions) =>
    inWorkspace(sql, principal.workspaceId, (tx) =>
      jobs.enqueue(tx, principal, kind, input, options),
    )

  async function read(principal: Principal, kind: string, id: string): Promise<Job> {
    const job = await inWorkspace(sql, principal.workspaceId, (tx) =>
      jobs.get(tx, principal, kind, id),
    )
    if (!job) throw new Error(`there is no job ${id}`)
    return job
  }

  /** A worker with these kinds, until the test ends or `stop` is called. */
  function work(kinds: readonly JobKind[]) {
    const worker = new JobWorker({ sql, systemSql, clock, log: openLog('silent'), kinds })
    const stopping = new AbortController()
    const run = worker.run(stopping.signal)
    const stop = async () => {
      stopping.abort()
      await run
    }
    t.after(stop)
    return { worker, stop }
  }

  /** Waits until the job has one of these states. */
  const reaches = (principal: Principal, kind: string, id: string, ...statuses: Job['status'][]) =>
    eventually(async () => {
      const job = await read(principal, kind, id)
      if (!statuses.includes(job.status)) throw new Error(`the job is ${job.status}`)
      return job
    }, 60_000)

  return { owner, postgresUrl, sql, systemSql, time, jobs, member, enqueue, read, work, reaches }
}

/**
 * Counts to `input.pieces`: each piece inserts a row, and the state is the number of pieces.
 * @param during runs inside each piece, before its row
 */
export function countingKind(
  name: string,
  during: (piece: number, principal: Principal) => Promise<unknown> = async () => {},
): JobKind {
  return {
    name,
    requires: { role: 'member', scope: 'links:write' },
    async run(context) {
      const { pieces } = context.input as { pieces: number }
      for (;;) {
        const next = ((context.state as number | null) ?? 0) + 1
        if (next > pieces) return
        await context.commitPiece(async (tx, principal) => {
          await during(next, principal)
          await tx`
            insert into folders (id, workspace_id, name, name_key, created_at, updated_at)
            values (${`${context.jobId}-${next}`}, ${principal.workspaceId}, ${String(next)},
              ${`${context.jobId} ${next}`}, now(), now())`
          return next
        })
      }
    },
  }
}
