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

const tag = 'Links'

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
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    name: 'checkSlug',
    summary: 'Check a slug',
    description:
      'Says whether the workspace could give a link this slug. The answer reveals as much about other workspaces as a creation does.',
    tag,
    shapes: { query: SlugQuery, reply: SlugAnswer },
    handle: (principal, { query }) => links.checkSlug(principal, query),
  }),
  route('GET /links/count', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    skipConcurrencyLimit: true,
    name: 'countLinks',
    summary: 'Count links',
    description:
      'Counts the links that the filters of `GET /links` match, in all and by a field. Archived ones are left out unless asked for.',
    tag,
    shapes: { query: CountLinks, reply: LinkCounts },
    handle: (principal, { query }, signal) => links.count(principal, query, signal),
  }),
]

const writeRoutes = (links: BulkLinks) => [
  route('PUT /links/upsert', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'upsertLink',
    summary: 'Create or update a link',
    description:
      'Changes the link with this `externalId`, else this `slug`, else this `destinationUrl` (of several the oldest), or creates it. Fields that are left out stay as they are.',
    errors: ['CONFLICT', 'PLAN_CAPABILITY_REQUIRED', 'PLAN_LIMIT_REACHED'],
    tag,
    shapes: { body: CreateLink, reply: Link, meta: UpsertMeta },
    handle: (principal, { body }) => links.upsert(principal, body),
  }),
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
    handle: (principal, { body }) => links.createAll(principal, body),
  }),
  route('PATCH /links/bulk', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'updateLinks',
    summary: 'Update many links',
    description:
      'Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, or of up to 10,000 that a `filter` matches, in one transaction. `addTags` and `removeTags` leave the other tags of each link. A link that does not differ is `unchanged`; a row that fails has its error in the answer. `meta.undoId` takes the changes back.',
    tag,
    limits,
    shapes: { body: UpdateLinks, reply: Type.Array(BulkRow), meta: BulkChangeMeta },
    handle: (principal, { body }, signal) => links.updateAll(principal, body, signal),
  }),
  route('DELETE /links/bulk', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'deleteLinks',
    summary: 'Delete many links',
    description:
      'Deletes up to 1,000 links, named by `ids` or `externalIds`, or up to 10,000 that a `filter` matches, in one transaction. A row that fails has its error in the answer. `meta.undoId` takes the deletion back.',
    tag,
    limits,
    shapes: { body: DeleteLinks, reply: Type.Array(BulkRow), meta: BulkChangeMeta },
    handle: (principal, { body }, signal) => links.deleteAll(principal, body, signal),
  }),
  route('POST /links/bulk/undo', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    idempotent: true,
    name: 'undoBulk',
    summary: 'Take back a change or deletion of many links',
    description:
      'Within an hour and once. Deleted links return with their ids, slugs and statistics, and changed fields get their former values. A link that was changed since is left alone.',
    errors: ['NOT_FOUND'],
    tag,
    limits: { timeoutMs: limits.timeoutMs },
    shapes: { body: UndoBulk, reply: Type.Array(UndoRow), meta: UndoMeta },
    handle: (principal, { body }) => links.undo(principal, body.undoId),
  }),
]
