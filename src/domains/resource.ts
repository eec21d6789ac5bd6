import { inTransaction } from '../platform/storage/postgres/postgres.ts'
import { announceDomain } from '../links/link/addresses.ts'
import type { Resource } from '../platform/resources/resource.ts'
import { Domain } from './domains/schema.ts'

export const domains = {
  scopes: { domains: { read: 'read domains', write: 'create, change and delete domains' } },
  limits: ['domains'],
  capabilities: ['custom_domains'],
  events: {
    'domain.verified': {
      label: 'Domain verified',
      description: 'A branded domain passed DNS verification.',
      data: Domain,
    },
    'domain.failed': {
      label: 'Domain failed',
      description: 'An attempt to verify a branded domain failed.',
      data: Domain,
    },
  },
  purge: [
    {
      // After the links, which keep their domain from being deleted.
      name: 'domains',
      tables: ['domains'],
      run: ({ sql }, workspaceId) =>
        inTransaction(sql, async (tx) => {
          const deleted = await tx<{ id: string }[]>`
            delete from domains where workspace_id = ${workspaceId} returning id`
          for (const { id } of deleted) await announceDomain(tx, id)
        }),
    },
  ],
} as const satisfies Resource
