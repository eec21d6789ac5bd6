import type { Resource } from '../../platform/resources/resource.ts'

/** Keys are managed by sessions alone, so that no scope covers them. */
export const apiKeys = { limits: ['api_keys'] } as const satisfies Resource
