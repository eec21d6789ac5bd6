import type { Resource } from '../../platform/resources/resource.ts'

/** Its scopes are those of what it finds. */
export const search = {} as const satisfies Resource
