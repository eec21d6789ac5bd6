import type { FastifyInstance } from 'fastify'
import { partsOf, type ProcessRole } from '../config/roles.ts'
import { withinMs } from '../core/service.ts'
import type { Stores } from '../storage/stores.ts'

/** The checks of a server process, for `/ready`. */
export class Readiness implements ReadyDeps {
  readonly roles: Record<string, string[]>
  readonly decidingRole: ProcessRole
  readonly #checks: Record<string, () => Promise<unknown>>
  #isStopping = false
  #read: (() => Promise<CheckStates>) | null = null

  constructor(
    role: ProcessRole,
    { preparation, sql, clickhouse }: Pick<Stores, 'preparation' | 'sql' | 'clickhouse'>,
    usesClickHouse: boolean,
  ) {
    this.roles = needsOf(role)
    this.decidingRole = role
    const postgres = async () => {
      if (!preparation.isReady) throw new Error('PostgreSQL is not ready')
      await sql`select 1`
    }
    const pingClickHouse = async () => {
      const answer = await clickhouse.query({ query: 'select 1', format: 'JSONEachRow' })
      await answer.text()
    }
    this.#checks = { postgres, ...(usesClickHouse && { clickhouse: pingClickHouse }) }
  }

  readonly readStates = (): Promise<CheckStates> => {
    this.#read ??= createChecks(this.#checks)
    return this.#read()
  }

  add(checks: Checks): void {
    Object.assign(this.#checks, checks)
  }

  stop(): void {
    this.#isStopping = true
  }

  isStopping(): boolean {
    return this.#isStopping
  }
}

/** Redirects of known links need no database, and their clicks are journaled; only analytics need ClickHouse. */
export function needsOf(role: ProcessRole): Record<string, string[]> {
  const { edge, api, worker } = partsOf(role)
  const database = edge ? ['server', 'postgres'] : ['postgres']
  return {
    ...(edge && { edge: ['journal', 'links'] }),
    ...(api === 'whole' && { gateway: database }),
    ...(api === 'forwards' && { gateway: ['postgres', 'services'] }),
    ...((api === 'whole' || api === 'behind') && { services: database }),
    ...(worker && { worker: database }),
  }
}

export type Checks = Readonly<Record<string, () => Promise<unknown>>>

const TIMEOUT_MS = 2_000
const SHARED_MS = 1_000
const RUNNING_SHARED_MS = 60_000

export function createChecks(checks: Checks) {
  const shared = Object.entries(checks).map(([name, check]) => [name, share(check)] as const)
  return async (): Promise<Record<string, 'ok' | 'failing'>> => {
    const results = shared.map(async ([name, check]) => {
      const answer = withinMs(check(), TIMEOUT_MS)
      return [name, await answer.then(() => 'ok' as const).catch(() => 'failing' as const)] as const
    })
    return Object.fromEntries(await Promise.all(results))
  }
}

/** A hanging database gets one query, and its result is shared for a second, since any client may ask. */
function share(check: () => Promise<unknown>): () => Promise<unknown> {
  let last: { answer: Promise<unknown>; isRunning: boolean; startedMs: number } | null = null
  return () => {
    const ageMs = last === null ? Infinity : performance.now() - last.startedMs
    if (last !== null && ageMs < (last.isRunning ? RUNNING_SHARED_MS : SHARED_MS))
      return last.answer
    const started = { answer: check(), isRunning: true, startedMs: performance.now() }
    const done = () => void (started.isRunning = false)
    started.answer.then(done, done)
    last = started
    return started.answer
  }
}

export type CheckStates = Readonly<Record<string, 'ok' | 'failing'>>

export type ReadyDeps = {
  readStates: () => Promise<CheckStates>
  roles: Readonly<Record<string, readonly string[]>>
  decidingRole: string
  isStopping: () => boolean
}

export function judgeRoles(needs: ReadyDeps['roles'], states: CheckStates): Record<string, string> {
  return Object.fromEntries(
    Object.entries(needs).map(([role, names]) => [
      role,
      names.every((name) => states[name] === 'ok') ? 'ready' : 'not_ready',
    ]),
  )
}

export function addReady(app: FastifyInstance, deps: ReadyDeps): void {
  app.get('/ready', async (request, reply) => {
    const states = await deps.readStates()
    const roles = judgeRoles(deps.roles, states)
    const status = deps.isStopping() ? 'stopping' : roles[deps.decidingRole]!
    return reply.code(status === 'ready' ? 200 : 503).send({
      data: { status, roles, checks: states },
      meta: { requestId: request.id },
    })
  })
}
