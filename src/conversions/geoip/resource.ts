import type { Resource } from '../../platform/resources/resource.ts'

/** Any credential will do, so that it has no scope. */
export const geoip = {} as const satisfies Resource
