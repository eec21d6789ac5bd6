import type { FastifyInstance } from 'fastify'

export type CheckStates = Readonly<Record<string, 'ok' | 'failing'>>

export type ReadyDeps = {
  /** States of the dependencies of this process, by name. */
  readStates: () => Promise<CheckStates>
  /** The checks without which a role of this process cannot do its work. */
  roles: Readonly<Record<string, readonly string[]>>
  /** The role whose readiness is that of the process. */
  decidingRole: string
  /** Whether the process is about to end. */
  isStopping: () => boolean
}

/** @param needs the checks without which each role cannot do its work */
export function judgeRoles(needs: ReadyDeps['roles'], states: CheckStates): Record<string, string> {
  return Object.fromEntries(
    Object.entries(needs).map(([role, names]) => [
      role,
      names.every((name) => states[name] === 'ok') ? 'ready' : 'not_ready',
    ]),
  )
}

/**
 * `/ready`: whether this process can do its work, for load balancers. The answer says so for each of its roles, and
 * names what does not answer.
 */
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
