import type { Resource } from '../../platform/resources/resource.ts'

/** It needs no scope: any credential may use it. */
export const geoip = {} as const satisfies Resource
