import { route } from '../../base/route.ts'
import { FilteredMeta, IdParams } from '../shapes.ts'
import { Type } from 'typebox'
import type { Links } from './links.ts'
import { CreateLink, Link, ListLinks, UpdateLink } from './schema.ts'

const tag = 'Links'

export const linkRoutes = (links: Links) => [
  route({
    method: 'POST',
    path: '/links',
    access: 'member',
    scope: 'links:write',
    status: 201,
    summary: 'Create a link',
    tag,
    shapes: { body: CreateLink, reply: Link },
    handle: (who, { body }) => links.create(who, body),
  }),
  route({
    method: 'GET',
    path: '/links',
    access: 'viewer',
    scope: 'links:read',
    status: 200,
    boundsOwnWork: true,
    summary: 'List links',
    tag,
    shapes: { query: ListLinks, reply: Type.Array(Link), meta: FilteredMeta },
    handle: (who, { query }, signal) => links.list(who, query, signal),
  }),
  route({
    method: 'GET',
    path: '/links/:id',
    access: 'viewer',
    scope: 'links:read',
    status: 200,
    summary: 'Read a link',
    tag,
    shapes: { params: IdParams, reply: Link },
    find: links.find,
    handle: (who, { params }) => links.get(who, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/links/:id',
    access: 'member',
    scope: 'links:write',
    status: 200,
    summary: 'Update a link',
    tag,
    shapes: { params: IdParams, body: UpdateLink, reply: Link },
    find: links.find,
    handle: (who, { params, body }) => links.update(who, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/links/:id',
    access: 'member',
    scope: 'links:write',
    status: 204,
    summary: 'Delete a link',
    tag,
    shapes: { params: IdParams },
    find: links.find,
    handle: (who, { params }) => links.remove(who, params.id),
  }),
]
