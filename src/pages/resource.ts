import type { Resource } from '../platform/resources/resource.ts'
import { emptyTable } from '../platform/resources/purge-steps.ts'

export const bioPages = {
  scopes: {
    'bio-pages': {
      read: 'read bio pages',
      write: 'create, change and delete bio pages, with the links of their blocks',
    },
  },
  limits: ['bio_pages'],
} as const satisfies Resource

export const media = {
  scopes: { media: { read: 'read images', write: 'upload and delete images' } },
  limits: ['media_storage_mb'],
  purge: [
    {
      // Before the other rows, since a workspace may have gigabytes of them.
      name: 'files of images',
      tables: ['media_files'],
      run: ({ sql }, workspaceId, signal) => emptyTable(sql, 'media_files', workspaceId, signal),
    },
  ],
} as const satisfies Resource
