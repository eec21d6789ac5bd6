import type { Resource } from '../../platform/resources/resource.ts'

export const dashboards = {
  scopes: {
    dashboards: {
      read: 'read shared dashboards and their addresses',
      write: 'create, change and delete shared dashboards',
    },
  },
  capabilities: ['public_dashboards'],
} as const satisfies Resource
