import type { FastifyReply, FastifyRequest } from 'fastify'

/** Requests that a workspace has used of its plan; `limit` null: unlimited. */
export type QuotaState = { limit: number | null; used: number }

export type Quota = {
  /** Counts one request. @throws ApiError PLAN_LIMIT_REACHED */
  take(workspaceId: string, plan: string): Promise<QuotaState> | QuotaState
}

/** Requests to these do not count: a user who has used up a plan must be able to see it and buy another. */
const FREE_PATH = /^\/v1\/(auth|billing|plans)(\/|$)/

/** @param path of a route, `/v1` included */
export function isCounted(path: string): boolean {
  return !FREE_PATH.test(path)
}

/** Counts a request of a workspace's plan, and adds the headers that report it. */
export async function takeQuota(
  quota: Quota,
  { membership, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!membership || !isCounted(routeOptions.url ?? '')) return
  const { limit, used } = await quota.take(membership.workspaceId, membership.plan)
  if (limit === null) return
  reply.headers({
    'x-quota-limit': limit,
    'x-quota-remaining': Math.max(0, limit - used),
  })
}
