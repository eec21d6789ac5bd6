import type { FastifyReply, FastifyRequest } from 'fastify'

export type Quota = {
  /** Counts one request; a null limit means unlimited. @throws ApiError PLAN_LIMIT_REACHED */
  take(workspaceId: string, plan: string): Promise<{ limit: number | null; used: number }>
}

/** Not counted: a user who has used up a plan must be able to see it and buy another. */
const FREE_PATH = /^\/v1\/(auth|billing|plans)(\/|$)/

export function isCounted(path: string): boolean {
  return !FREE_PATH.test(path)
}

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
