import type { Resource } from '../../platform/resources/resource.ts'

export const abuse = {} as const satisfies Resource
