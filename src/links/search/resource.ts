import type { Resource } from '../../platform/resources/resource.ts'

/** It has no scope of its own: each section needs the scope of what it finds. */
export const search = {} as const satisfies Resource
