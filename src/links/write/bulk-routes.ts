import { Type } from 'typebox'
import { SIZES } from '../../platform/limits/sizes.ts'
import { TIMES } from '../../platform/limits/times.ts'
import { route } from '../../platform/routes/route.ts'
import type { BulkLinks } from './bulk.ts'
import {
  BulkChangeMeta,
  BulkMeta,
  BulkRow,
  CountLinks,
  CreateLinks,
  DeleteLinks,
  LinkCounts,
  SlugAnswer,
  SlugQuery,
  UpdateLinks,
  UpsertMeta,
} from './bulk-schema.ts'
import { UndoBulk, UndoMeta, UndoRow } from '../history/undo-shapes.ts'
import { CreateLink, Link } from '../link/schema.ts'

const reads = {
  requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
  tag: 'Links',
} as const
const writes = {
  requires: { credential: 'any', role: 'member', scope: 'links:write' },
  tag: 'Links',
} as const

/** Enough for a thousand links with most options, or a few hundred with the longest URLs. */
const limits = {
  bodyBytes: SIZES.bulkBody.bytes,
  keys: 100_000,
  items: 100_000,
  timeoutMs: TIMES.bulkRequest.ms,
}

export const bulkLinkRoutes = (links: BulkLinks) => [...writeRoutes(links), ...readRoutes(links)]

const readRoutes = (links: BulkLinks) => [
  route('GET /links/check', {
    ...reads,
    name: 'checkSlug',
    summary: 'Check a slug',
    description:
      'Returns whether a link of the workspace could have this slug. The answer reveals no more about other workspaces than a creation does.',
    shapes: { query: SlugQuery, reply: SlugAnswer },
    handle: (principal, { query }) => links.checkSlug(principal, query),
  }),
  route('GET /links/count', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'countLinks',
    summary: 'Count links',
    description:
      'Counts the links that the filters of `GET /links` match, in all and by a field. Archived links are left out by default.',
    shapes: { query: CountLinks, reply: LinkCounts },
    handle: (principal, { query }, signal) => links.count(principal, query, signal),
  }),
]

const writeRoutes = (links: BulkLinks) => [
  route('PUT /links/upsert', {
    ...writes,
    name: 'upsertLink',
    summary: 'Create or update a link',
    description:
      'Updates the link with this `externalId`, else this `slug`, else this `destinationUrl` (the oldest of several), or creates it. Missing fields stay as they are.',
    errors: ['CONFLICT', 'PLAN_CAPABILITY_REQUIRED', 'PLAN_LIMIT_REACHED'],
    shapes: { body: CreateLink, reply: Link, meta: UpsertMeta },
    handle: (principal, { body }) => links.upsert(principal, body),
  }),
  route('POST /links/bulk', {
    ...writes,
    idempotent: true,
    name: 'createLinks',
    summary: 'Create many links',
    description:
      'Creates up to 1,000 links in one transaction. The answer has the error of each row that fails; the other rows are created. Beyond the limit of the plan, the later rows fail.',
    limits,
    shapes: { body: CreateLinks, reply: Type.Array(BulkRow), meta: BulkMeta },
    handle: (principal, { body }) => links.createAll(principal, body),
  }),
  route('PATCH /links/bulk', {
    ...writes,
    name: 'updateLinks',
    summary: 'Update many links',
    description:
      'Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, or of up to 10,000 that a `filter` matches, in one transaction. `addTags` and `removeTags` keep the other tags of each link. A link without a difference is `unchanged`. The answer has the error of each row that fails. Use `meta.undoId` to undo the changes.',
    limits,
    shapes: { body: UpdateLinks, reply: Type.Array(BulkRow), meta: BulkChangeMeta },
    handle: (principal, { body }, signal) => links.updateAll(principal, body, signal),
  }),
  route('DELETE /links/bulk', {
    ...writes,
    name: 'deleteLinks',
    summary: 'Delete many links',
    description:
      'Deletes up to 1,000 links, named by `ids` or `externalIds`, or up to 10,000 that a `filter` matches, in one transaction. The answer has the error of each row that fails. Use `meta.undoId` to undo the deletion.',
    limits,
    shapes: { body: DeleteLinks, reply: Type.Array(BulkRow), meta: BulkChangeMeta },
    handle: (principal, { body }, signal) => links.deleteAll(principal, body, signal),
  }),
  route('POST /links/bulk/undo', {
    ...writes,
    idempotent: true,
    name: 'undoBulk',
    summary: 'Undo a change or deletion of many links',
    description:
      'Works once, within an hour. Restores deleted links with their ids, slugs and statistics, and the former values of changed fields. Skips links that were changed since.',
    errors: ['NOT_FOUND'],
    limits: { timeoutMs: limits.timeoutMs },
    shapes: { body: UndoBulk, reply: Type.Array(UndoRow), meta: UndoMeta },
    handle: (principal, { body }) => links.undo(principal, body.undoId),
  }),
]
