import type { Resource } from '../../platform/resources/resource.ts'

export const bioPages = {
  scopes: {
    'bio-pages': {
      read: 'read bio pages',
      write: 'create, change and delete bio pages, with the links of their blocks',
    },
  },
  limits: ['bio_pages'],
} as const satisfies Resource
