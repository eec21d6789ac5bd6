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

const tag = 'Links'

export const linkRoutes = (links: Links) => [...fieldRoutes(links), ...behaviorRoutes(links)]

const fieldRoutes = (links: Links) => [
  route('POST /links', {
    idempotent: true,
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    status: 201,
    name: 'createLink',
    summary: 'Create a link',
    description: 'Creates a short link. Without a slug it gets a random one of seven characters.',
    errors: ['NOT_FOUND', 'PLAN_CAPABILITY_REQUIRED'],
    tag,
    shapes: { body: CreateLink, reply: Link },
    handle: (principal, { body }) => links.create(principal, body),
  }),
  route('GET /links', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    skipConcurrencyLimit: true,
    name: 'listLinks',
    summary: 'List links',
    description:
      'Pages through the links of the workspace, newest first unless `sortBy` says otherwise. Archived ones are left out unless asked for.',
    tag,
    shapes: { query: ListLinks, reply: Type.Array(Link), meta: LinkListMeta },
    handle: (principal, { query }, signal) => links.list(principal, query, signal),
  }),
  route('GET /links/:id', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    name: 'getLink',
    summary: 'Read a link',
    description: 'Returns one link with its number of clicks.',
    tag,
    shapes: { params: Params, reply: Link },
    find: links.find,
    handle: (principal, { params }) => links.get(principal, params.id),
  }),
  route('PATCH /links/:id', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    supportsIfMatch: true,
    name: 'updateLink',
    summary: 'Update a link',
    description:
      'Changes the fields that are sent and leaves the others alone. Redirects follow within a second.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag,
    shapes: { params: Params, body: UpdateLink, reply: Link },
    find: links.find,
    handle: (principal, { params, body }) => links.update(principal, params.id, body),
  }),
  route('DELETE /links/:id', {
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    status: 204,
    name: 'deleteLink',
    summary: 'Delete a link',
    description:
      'The short URL answers 404 from then on. For an hour the link can be restored. Its slug stays with the workspace for 30 days.',
    tag,
    shapes: { params: Params },
    find: links.find,
    handle: (principal, { params }) => links.remove(principal, params.id),
  }),
]

const behaviorRoutes = (links: Links) => [
  route('GET /links/:id/explain', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    name: 'explainLink',
    summary: 'Explain the answer to a visit',
    description:
      'Returns the answer that a described visitor would get from the short URL, and the steps that lead to it. Nothing is counted. Variants are drawn as for a visitor whose address is unknown.',
    tag,
    shapes: { params: Params, query: DescribedVisit, reply: Explanation },
    find: links.find,
    handle: (principal, { params, query }) => links.explain(principal, params.id, query),
  }),
  route('POST /links/explain', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    name: 'explainLinkDraft',
    summary: 'Explain the answer to a visit of a link that is not created',
    description:
      'Takes the body of a creation, in which the name may be missing, and a described visitor. Nothing is stored, no slug is taken, and neither the plan nor other links are looked at.',
    tag,
    shapes: { body: LinkDraft, reply: Explanation },
    handle: (principal, { body }) => links.explainDraft(principal, body),
  }),
  route('GET /links/:id/history', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    name: 'listLinkHistory',
    summary: 'Read the history of a link',
    description:
      'Pages through the changes of a link, newest first; the last entry is its creation. The newest 500 changes are kept.',
    tag,
    shapes: { params: Params, query: Paged, reply: Type.Array(HistoryEntry), meta: PageMeta },
    find: links.find,
    handle: (principal, { params, query }) => links.history(principal, params.id, query),
  }),
  route('POST /links/:id/restore', {
    idempotent: true,
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'restoreLink',
    summary: 'Restore a deleted link',
    description:
      'Brings a link back within an hour of its deletion, with its id, slug, aliases, options, history and statistics, and sends `link.created`. It does not count against the plan. 409 when another link of the workspace has taken its slug.',
    errors: ['CONFLICT'],
    tag,
    shapes: { params: Params, reply: Link },
    find: links.findDeleted,
    handle: (principal, { params }) => links.restore(principal, params.id),
  }),
  route('POST /links/:id/rollback', {
    idempotent: true,
    requires: { credential: 'any', role: 'member', scope: 'links:write' },
    name: 'rollbackLink',
    summary: 'Roll a link back',
    description:
      'Restores all fields but the password as they were right after an entry of the history. It is an ordinary update: 409 when the former slug is taken, and undone by another rollback.',
    errors: ['CONFLICT', 'PLAN_CAPABILITY_REQUIRED'],
    tag,
    shapes: { params: Params, body: RollbackLink, reply: Link },
    find: links.find,
    handle: (principal, { params, body }) => links.rollback(principal, params.id, body.historyId),
  }),
]
