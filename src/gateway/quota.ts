import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a workspace has used of the requests of its plan; `limit` null: as many as it likes. */
export type QuotaState = { limit: number | null; used: number }

export type Quota = {
  /** Counts one request. @throws ApiError PLAN_LIMIT_REACHED */
  take(workspaceId: string, plan: string): Promise<QuotaState> | QuotaState
}

export type TakeQuota = (
  request: FastifyRequest,
  reply: FastifyReply,
  workspaceId: string,
  plan: string,
) => Promise<void>

/** Accounts are not what a plan sells; and who has used up a plan must be able to read how, and buy another. */
const FREE_PATH = /^\/v1\/(auth|billing|plans)(\/|$)/

/** @param path of a route, `/v1` included */
export function isCounted(path: string): boolean {
  return !FREE_PATH.test(path)
}

/** Counts a request of the plan's, and says so in its answer. */
export function createTakeQuota(quota: Quota): TakeQuota {
  return async (request, reply, workspaceId, plan) => {
    if (!isCounted(request.routeOptions.url ?? '')) return
    const taken = quota.take(workspaceId, plan)
    const { limit, used } = taken instanceof Promise ? await taken : taken
    if (limit === null) return
    reply.headers({
      'x-quota-limit': limit,
      'x-quota-remaining': Math.max(0, limit - used),
    })
  }
}
