import type { Resource } from '../../platform/resources/resource.ts'

export const analytics = {
  scopes: {
    analytics: {
      read: 'read clicks, visitors and breakdowns',
      write: 'nothing; the scope is accepted, and no route requires it',
    },
  },
} as const satisfies Resource
