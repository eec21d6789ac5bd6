import type { Resource } from '../resource.ts'

export const securityLog = {
  scopes: { 'security-log': { read: 'read the security log' } },
} as const satisfies Resource
