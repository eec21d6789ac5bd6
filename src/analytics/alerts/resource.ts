import type { Resource } from '../../platform/resources/resource.ts'

export const alerts = {
  scopes: { alerts: { read: 'read alerts', write: 'create, change and delete alerts' } },
} as const satisfies Resource
