import type { Resource } from '../../platform/resources/resource.ts'

/** Folders have the scopes of links. */
export const folders = {} as const satisfies Resource
