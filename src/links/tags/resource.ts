import type { Resource } from '../../platform/resources/resource.ts'

/** Tags have the scopes of links. */
export const tags = {} as const satisfies Resource
