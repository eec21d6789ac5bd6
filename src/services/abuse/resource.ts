import type { Resource } from '../resource.ts'

export const abuse = {} as const satisfies Resource
