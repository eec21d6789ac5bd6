import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import type { BulkLinks } from './bulk.ts'
import { BulkMeta, BulkRow, CreateLinks, DeleteLinks, UpdateLinks } from './bulk-schema.ts'

const tag = 'Links'

/** A thousand links with most of the options, and with the longest URLs a few hundred. */
const limits = { bodyBytes: 4 * 1024 * 1024, keys: 100_000, items: 100_000, timeoutMs: 30_000 }

export const bulkLinkRoutes = (links: BulkLinks) => [
  route('POST /links/bulk', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    idempotent: true,
    name: 'createLinks',
    summary: 'Create many links',
    description:
      'Creates up to 1,000 links in one transaction. A row that fails has its error in the answer, and the other rows are created; beyond the limit of the plan the later ones fail.',
    tag,
    limits,
    shapes: { body: CreateLinks, reply: Type.Array(BulkRow), meta: BulkMeta },
    handle: (who, { body }) => links.createAll(who, body),
  }),
  route('PATCH /links/bulk', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'updateLinks',
    summary: 'Update many links',
    description:
      'Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, in one transaction. A link that does not differ is `unchanged`; a row that fails has its error in the answer.',
    tag,
    limits,
    shapes: { body: UpdateLinks, reply: Type.Array(BulkRow), meta: BulkMeta },
    handle: (who, { body }) => links.updateAll(who, body),
  }),
  route('DELETE /links/bulk', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'deleteLinks',
    summary: 'Delete many links',
    description:
      'Deletes up to 1,000 links, named by `ids` or `externalIds`, in one transaction. A row that fails has its error in the answer.',
    tag,
    limits,
    shapes: { body: DeleteLinks, reply: Type.Array(BulkRow), meta: BulkMeta },
    handle: (who, { body }) => links.deleteAll(who, body),
  }),
]
