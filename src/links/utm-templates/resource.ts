import type { Resource } from '../../platform/resources/resource.ts'

export const utmTemplates = {
  scopes: {
    'utm-templates': {
      read: 'read UTM templates',
      write: 'create, change and delete UTM templates',
    },
  },
  limits: ['utm_templates'],
} as const satisfies Resource
