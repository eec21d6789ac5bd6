import { randomUUID } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { createOutageWarning, paced, repeat, type Service, sleep } from '../core/service.ts'
import { type Principal, roleAtLeast, scopeCovers, type Role } from '../routes/principal.ts'
import {
  inWorkspace,
  type SystemSql,
  type TenantSql,
  type Tx,
} from '../storage/postgres/postgres.ts'
import type { JobContext, JobKind } from './jobs.ts'
import {
  acquire,
  failGivenUp,
  finish,
  GIVEN_UP,
  heartbeat,
  MAX_ATTEMPTS,
  release,
  saveState,
  type HeldJob,
} from './leases.ts'

type Deps = {
  sql: TenantSql
  systemSql: SystemSql
  clock: Clock
  log: Log
  kinds: readonly JobKind[]
  name?: string
  /** While all places are taken, a job yields after this time to those that wait. */
  sliceMs?: number
}

const MAX_RUNNING = 2
const POLL_MS = 1_000
const HEARTBEAT_MS = 5_000
const SLICE_MS = 2_000
const RETRY_MS = 2_000

class Interruption extends Error {
  override name = 'Interruption'
}

type Running = { job: HeldJob; lost: AbortController; isOver: boolean; sinceMs: number }

/** Each job is leased by one process. When it dies or hangs, another one continues after the last committed piece. */
export class JobWorker implements Service {
  readonly name: string
  readonly #deps: Deps
  readonly #sliceMs: number
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #owner = randomUUID()
  readonly #running = new Map<string, Running>()
  readonly #ends = new Set<Promise<void>>()
  #wakened = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
    this.name = deps.name ?? 'jobs'
    this.#sliceMs = deps.sliceMs ?? SLICE_MS
    this.#kinds = new Map(deps.kinds.map((kind) => [kind.name, kind]))
  }

  wake(): void {
    this.#wakened.abort()
  }

  async run(signal: AbortSignal): Promise<void> {
    const closed = new AbortController()
    const { log } = this.#deps
    const beating = repeat(
      closed.signal,
      HEARTBEAT_MS,
      () => this.#beat(),
      log,
      'leases of jobs could not be extended; trying again',
    )
    const warn = createOutageWarning(log)
    while (!signal.aborted) {
      const wakened = (this.#wakened = new AbortController())
      await this.#fill(signal).catch((error: unknown) => {
        warn({ err: error }, `${this.name} could not be read; trying again`)
      })
      if (!signal.aborted) await sleep(paced(POLL_MS), AbortSignal.any([signal, wakened.signal]))
    }
    await Promise.all(this.#ends)
    closed.abort()
    await beating
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { systemSql, clock } = this.#deps
    await failGivenUp(systemSql, new Date(clock()))
    const free = MAX_RUNNING - this.#running.size
    if (free <= 0) return
    const kinds = [...this.#kinds.keys()]
    for (const job of await acquire(systemSql, this.#owner, kinds, free)) {
      const end = this.#runJob(job, signal).finally(() => {
        this.#ends.delete(end)
        this.wake()
      })
      this.#ends.add(end)
    }
  }

  async #beat(): Promise<void> {
    if (this.#running.size === 0) return
    const ids = [...this.#running.keys()]
    const held = new Set(await heartbeat(this.#deps.systemSql, this.#owner, ids))
    for (const id of ids) if (!held.has(id)) this.#running.get(id)?.lost.abort()
  }

  async #runJob(job: HeldJob, stop: AbortSignal): Promise<void> {
    const { systemSql, clock, log } = this.#deps
    const running = { job, lost: new AbortController(), isOver: false, sinceMs: performance.now() }
    this.#running.set(job.id, running)
    try {
      await this.#runKind(running, stop)
      await finish(systemSql, this.#owner, job, null, new Date(clock()))
    } catch (error) {
      // Otherwise the lease ends, and the job is found again.
      await this.#settle(job, error).catch((err: unknown) =>
        log.warn(
          { err, jobId: job.id },
          'the result of a job was not saved; it will run again after its lease',
        ),
      )
    } finally {
      running.isOver = true
      this.#running.delete(job.id)
    }
  }

  async #runKind(running: Running, stop: AbortSignal): Promise<void> {
    const { job } = running
    const { sql, systemSql } = this.#deps
    const kind = this.#kinds.get(job.kind)!
    let state = job.state
    const readPrincipal = async (): Promise<Principal> => {
      const principal = await readRequester(systemSql, job, kind.requires)
      if (!principal) throw new Interruption('the workspace is suspended')
      return principal
    }
    const context: JobContext = {
      jobId: job.id,
      principal: await readPrincipal(),
      input: job.input,
      get state() {
        return state
      },
      readChunk: (chunk) => inWorkspace(sql, job.workspaceId, (tx) => readChunk(tx, job, chunk)),
      commitPiece: async (work) => {
        if (this.#mustYield(running, stop)) throw new Interruption('another job has its turn')
        const principal = await readPrincipal()
        state = await inWorkspace(sql, job.workspaceId, async (tx) => {
          const worked = await work(tx, principal)
          if (running.isOver || !(await saveState(tx, this.#owner, job, worked)))
            throw new Interruption('the job was canceled, or another worker holds it')
          return worked
        })
      },
    }
    await kind.run(context)
  }

  #mustYield({ lost, sinceMs, isOver }: Running, stop: AbortSignal): boolean {
    const isSliceOver = performance.now() - sinceMs >= this.#sliceMs
    return (
      isOver ||
      stop.aborted ||
      lost.signal.aborted ||
      (isSliceOver && this.#running.size >= MAX_RUNNING)
    )
  }

  async #settle(job: HeldJob, error: unknown): Promise<void> {
    const { systemSql, clock, log } = this.#deps
    if (error instanceof Interruption)
      return release(systemSql, this.#owner, job, { isInterrupted: true, delayMs: 0 })
    const now = new Date(clock())
    if (error instanceof ApiError && error.status < 500) {
      const { code, message } = error
      return finish(systemSql, this.#owner, job, { code, message }, now)
    }
    const { id: jobId, kind, workspaceId } = job
    log.warn({ err: error, jobId, kind, workspaceId }, 'a piece of a job failed')
    const attempts = await readAttempts(systemSql, job)
    if (attempts >= MAX_ATTEMPTS) return finish(systemSql, this.#owner, job, GIVEN_UP, now)
    return release(systemSql, this.#owner, job, {
      isInterrupted: false,
      delayMs: RETRY_MS * attempts,
    })
  }
}

async function readChunk(tx: Tx, { id, workspaceId }: HeldJob, chunk: number): Promise<unknown> {
  const [row] = await tx<{ content: unknown }[]>`
    select content from job_chunks
    where job_id = ${id} and workspace_id = ${workspaceId} and chunk = ${chunk}`
  return row ? row.content : null
}

async function readAttempts(sql: SystemSql, { id, workspaceId }: HeldJob): Promise<number> {
  const [row] = await sql<{ attempts: number }[]>`
    select attempts from jobs where id = ${id} and workspace_id = ${workspaceId}`
  return row?.attempts ?? MAX_ATTEMPTS
}

type RequesterRow = {
  role: Role | null
  isUserSuspended: boolean
  isWorkspaceSuspended: boolean
  hasKey: boolean
  scopes: string[] | null
}

/**
 * @returns null while the workspace is suspended
 * @throws ApiError FORBIDDEN for a requester who may no longer do this
 */
async function readRequester(
  sql: SystemSql,
  { workspaceId, requester }: HeldJob,
  requires: JobKind['requires'],
): Promise<Principal | null> {
  const { userId, actor } = requester
  const [membership] = await sql<RequesterRow[]>`
    select m.role, u.suspended_at is not null as is_user_suspended,
      w.suspended_at is not null as is_workspace_suspended, k.id is not null as has_key, k.scopes
    from workspaces w
    left join members m on m.workspace_id = w.id and m.user_id = ${userId}
    left join users u on u.id = m.user_id
    left join api_keys k on k.workspace_id = w.id and k.user_id = m.user_id and k.id = ${actor.id}
    where w.id = ${workspaceId}`
  if (!membership || membership.isWorkspaceSuspended) return null
  const principal = { ...requester, workspaceId, role: membership.role ?? requester.role }
  if (requires === null || actor.type === 'system') return principal
  if (membership.role === null || membership.isUserSuspended)
    throw new ApiError('FORBIDDEN', 'The user who requested this is no longer in the workspace.')
  if (!roleAtLeast(membership.role, requires.role))
    throw new ApiError('FORBIDDEN', `The user who requested this needs the role ${requires.role}.`)
  if (
    actor.type === 'api_key' &&
    !(membership.hasKey && scopeCovers(membership.scopes, requires.scope))
  )
    throw new ApiError(
      'FORBIDDEN',
      `The API key that requested this is revoked, or has lost the scope ${requires.scope}.`,
    )
  return principal
}
