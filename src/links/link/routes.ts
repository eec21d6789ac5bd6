import { route } from '../../platform/routes/route.ts'
import { idParams, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import { Type } from 'typebox'
import { DescribedVisit, Explanation, LinkDraft } from '../options/explain-shapes.ts'
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

const Params = idParams('lnk', 'link')

const reads = {
  requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
  tag: 'Links',
} as const
const writes = {
  requires: { credential: 'any', role: 'member', scope: 'links:write' },
  tag: 'Links',
} as const

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
