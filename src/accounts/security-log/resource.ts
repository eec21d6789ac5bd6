import type { Resource } from '../../platform/resources/resource.ts'

export const securityLog = {
  scopes: { 'security-log': { read: 'read the security log' } },
} as const satisfies Resource
