import type { Resource } from '../resource.ts'

/** Tags have the scopes of links. */
export const tags = {} as const satisfies Resource
