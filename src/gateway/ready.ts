import type { FastifyInstance } from 'fastify'
import { withinMs } from '../base/service.ts'

export type ReadyDeps = {
  /** What the work of this process depends on; each check resolves when its dependency answers. */
  checks: Readonly<Record<string, () => Promise<unknown>>>
  /** The checks without which a role of this process cannot do its work. */
  roles: Readonly<Record<string, readonly string[]>>
  /** The role whose readiness is that of the process. */
  decidingRole: string
  /** Whether the process is about to end. */
  isStopping: () => boolean
}

const CHECK_TIMEOUT_MS = 2_000
const SHARED_MS = 1_000
/** After this time an unfinished check is no longer shared. */
const RUNNING_SHARED_MS = 60_000

/**
 * `/ready`: whether this process can do its work, for load balancers. The answer says so for each of its roles, and
 * names what does not answer.
 */
export function addReady(app: FastifyInstance, deps: ReadyDeps): void {
  const checks = Object.entries(deps.checks).map(([name, check]) => [name, share(check)] as const)

  app.get('/ready', async (request, reply) => {
    const results = await Promise.all(
      checks.map(async ([name, check]) => {
        const answer = withinMs(check(), CHECK_TIMEOUT_MS)
        return [name, await answer.then(() => 'ok' as const).catch(() => 'failing' as const)]
      }),
    )
    const states: Record<string, 'ok' | 'failing'> = Object.fromEntries(results)
    const roles = Object.fromEntries(
      Object.entries(deps.roles).map(([role, needs]) => [
        role,
        needs.every((name) => states[name] === 'ok') ? 'ready' : 'not_ready',
      ]),
    )
    const status = deps.isStopping() ? 'stopping' : roles[deps.decidingRole]!
    return reply.code(status === 'ready' ? 200 : 503).send({
      data: { status, roles, checks: states },
      meta: { requestId: request.id },
    })
  })
}

/**
 * Calls share a running check, so that a database that hangs is asked once, and its answer for a second, because every
 * client may ask.
 */
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
