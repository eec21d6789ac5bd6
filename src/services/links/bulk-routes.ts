import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import type { BulkLinks } from './bulk.ts'
import { BulkMeta, BulkRow, CreateLinks } from './bulk-schema.ts'

const tag = 'Links'

export const bulkLinkRoutes = (links: BulkLinks) => [
  route('POST /links/bulk', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    idempotent: true,
    name: 'createLinks',
    summary: 'Create many links',
    description:
      'Creates up to 1,000 links in one transaction. A row that fails has its error in the answer, and the other rows are created; beyond the limit of the plan the later ones fail.',
    tag,
    shapes: { body: CreateLinks, reply: Type.Array(BulkRow), meta: BulkMeta },
    handle: (who, { body }) => links.createAll(who, body),
  }),
]
