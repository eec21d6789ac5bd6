import type { Resource } from '../../platform/resources/resource.ts'

export const deferred = {
  scopes: {
    deferred: {
      read: 'nothing; the scope is accepted, and no route requires it',
      write: 'resolve deferred deep links; the only scope for a key inside an app',
    },
  },
} as const satisfies Resource
