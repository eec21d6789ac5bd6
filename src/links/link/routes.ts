import { route, scopedTo } from '../../platform/routes/route.ts'
import { idParams, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import { Type } from 'typebox'
import { DescribedVisit, Explanation, LinkDraft } from '../options/explain.ts'
import type { Links } from './links.ts'
import {
  CreateLink,
  HistoryEntry,
  Link,
  LinkListMeta,
  ListLinks,
  RollbackLink,
  UpdateLink,
} from './schema.ts'
import { SIZES } from '../../platform/limits/sizes.ts'
import { TIMES } from '../../platform/limits/times.ts'
import type { BulkLinks } from '../write/bulk.ts'
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
  UndoBulk,
  UndoMeta,
  UndoRow,
  UpdateLinks,
  UpsertMeta,
  UpsertQuery,
} from '../write/bulk-schema.ts'

const Params = idParams('lnk', 'link')

const { reads, writes } = scopedTo('links', 'Links')

export const linkRoutes = (links: Links) => [...fieldRoutes(links), ...behaviorRoutes(links)]

const fieldRoutes = (links: Links) => [
  route('POST /links', {
    idempotent: true,
    ...writes,
    status: 201,
    name: 'createLink',
    summary: 'Create a link',
    description: 'Creates a short link. Without a slug it gets a random one of seven characters.',
    errors: ['NOT_FOUND', 'PLAN_CAPABILITY_REQUIRED'],
    shapes: { body: CreateLink, reply: Link },
    handle: (principal, { body }) => links.create(principal, body),
  }),
  route('GET /links', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listLinks',
    summary: 'List links',
    description:
      'Pages through the links of the workspace, newest first unless `sortBy` says otherwise. Archived links are left out by default.',
    shapes: { query: ListLinks, reply: Type.Array(Link), meta: LinkListMeta },
    handle: (principal, { query }, signal) => links.list(principal, query, signal),
  }),
  route('GET /links/:id', {
    ...reads,
    name: 'getLink',
    summary: 'Read a link',
    description: 'Returns one link with its number of clicks.',
    shapes: { params: Params, reply: Link },
    find: links.find,
    handle: (principal, { params }) => links.get(principal, params.id),
  }),
  route('PATCH /links/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateLink',
    summary: 'Update a link',
    description: 'Changes the fields that are sent. Redirects follow within a second.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    shapes: { params: Params, body: UpdateLink, reply: Link },
    find: links.find,
    handle: (principal, { params, body }) => links.update(principal, params.id, body),
  }),
  route('DELETE /links/:id', {
    ...writes,
    status: 204,
    name: 'deleteLink',
    summary: 'Delete a link',
    description:
      'The short URL returns 404 from then on. The link can be restored for an hour, and its slug stays reserved for the workspace for 30 days.',
    shapes: { params: Params },
    find: links.find,
    handle: (principal, { params }) => links.remove(principal, params.id),
  }),
]

const behaviorRoutes = (links: Links) => [
  route('GET /links/:id/explain', {
    ...reads,
    name: 'explainLink',
    summary: 'Explain the answer to a visit',
    description:
      'Returns the answer that a described visitor would get from the short URL, and the steps that lead to it. Nothing is counted. Variants are drawn as for a visitor whose address is unknown.',
    shapes: { params: Params, query: DescribedVisit, reply: Explanation },
    find: links.find,
    handle: (principal, { params, query }) => links.explain(principal, params.id, query),
  }),
  route('POST /links/explain', {
    ...reads,
    name: 'explainLinkDraft',
    summary: 'Explain the answer to a visit of a link that does not exist',
    description:
      'Takes the body of a creation, in which the name may be missing, and a described visitor. Nothing is stored, no slug is taken, and neither the plan nor other links are checked.',
    shapes: { body: LinkDraft, reply: Explanation },
    handle: (principal, { body }) => links.explainDraft(principal, body),
  }),
  route('GET /links/:id/history', {
    ...reads,
    name: 'listLinkHistory',
    summary: 'Read the history of a link',
    description:
      'Pages through the changes of a link, newest first; the last entry is its creation. The newest 500 changes are kept.',
    shapes: { params: Params, query: Paged, reply: Type.Array(HistoryEntry), meta: PageMeta },
    find: links.find,
    handle: (principal, { params, query }) => links.history(principal, params.id, query),
  }),
  route('POST /links/:id/restore', {
    idempotent: true,
    ...writes,
    name: 'restoreLink',
    summary: 'Restore a deleted link',
    description:
      'Restores a link within an hour of its deletion, with its id, slug, aliases, options, history and statistics, and sends `link.created`. It does not count against the plan. 409 when another link of the workspace has taken its slug.',
    errors: ['CONFLICT'],
    shapes: { params: Params, reply: Link },
    find: links.findDeleted,
    handle: (principal, { params }) => links.restore(principal, params.id),
  }),
  route('POST /links/:id/rollback', {
    idempotent: true,
    ...writes,
    name: 'rollbackLink',
    summary: 'Roll a link back',
    description:
      'Restores all fields but the password as they were right after an entry of the history. It is an ordinary update: 409 when the former slug is taken, and undone by another rollback.',
    errors: ['CONFLICT', 'PLAN_CAPABILITY_REQUIRED'],
    shapes: { params: Params, body: RollbackLink, reply: Link },
    find: links.find,
    handle: (principal, { params, body }) => links.rollback(principal, params.id, body.historyId),
  }),
]

/** Enough for a thousand links with most options, or a few hundred with the longest URLs. */
const bulkLimits = {
  bodyBytes: SIZES.bulkBody.bytes,
  keys: 100_000,
  items: 100_000,
  timeoutMs: TIMES.bulkRequest.ms,
}

export const bulkLinkRoutes = (links: BulkLinks) => [
  ...bulkWriteRoutes(links),
  ...countRoutes(links),
]

const countRoutes = (links: BulkLinks) => [
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

const bulkWriteRoutes = (links: BulkLinks) => [
  route('PUT /links/upsert', {
    ...writes,
    name: 'upsertLink',
    summary: 'Create or update a link',
    description:
      'Updates the link with this `externalId`, else this `slug`, else this `destinationUrl` (the oldest of several), or creates it. Missing fields stay as they are; with `keep` all of them do.',
    errors: ['CONFLICT', 'PLAN_CAPABILITY_REQUIRED', 'PLAN_LIMIT_REACHED'],
    shapes: { query: UpsertQuery, body: CreateLink, reply: Link, meta: UpsertMeta },
    handle: (principal, { query, body }) => links.upsert(principal, body, query),
  }),
  route('POST /links/bulk', {
    ...writes,
    idempotent: true,
    name: 'createLinks',
    summary: 'Create many links',
    description:
      'Creates up to 1,000 links in one transaction. The answer has the error of each row that fails; the other rows are created. Beyond the limit of the plan, the later rows fail.',
    limits: bulkLimits,
    shapes: { body: CreateLinks, reply: Type.Array(BulkRow), meta: BulkMeta },
    handle: (principal, { body }) => links.createAll(principal, body),
  }),
  route('PATCH /links/bulk', {
    ...writes,
    name: 'updateLinks',
    summary: 'Update many links',
    description:
      'Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, or of up to 10,000 that a `filter` matches, in one transaction. `addTags` and `removeTags` keep the other tags of each link. A link without a difference is `unchanged`. The answer has the error of each row that fails. Use `meta.undoId` to undo the changes.',
    limits: bulkLimits,
    shapes: { body: UpdateLinks, reply: Type.Array(BulkRow), meta: BulkChangeMeta },
    handle: (principal, { body }, signal) => links.updateAll(principal, body, signal),
  }),
  route('DELETE /links/bulk', {
    ...writes,
    name: 'deleteLinks',
    summary: 'Delete many links',
    description:
      'Deletes up to 1,000 links, named by `ids` or `externalIds`, or up to 10,000 that a `filter` matches, in one transaction. The answer has the error of each row that fails. Use `meta.undoId` to undo the deletion.',
    limits: bulkLimits,
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
    limits: { timeoutMs: bulkLimits.timeoutMs },
    shapes: { body: UndoBulk, reply: Type.Array(UndoRow), meta: UndoMeta },
    handle: (principal, { body }) => links.undo(principal, body.undoId),
  }),
]
