import { Type } from 'typebox'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { CreateLinkView, LinkView, ListLinkViews, UpdateLinkView } from './schema.ts'
import type { LinkViews } from './views.ts'

const Params = idParams('viw', 'view')

const { reads, writes } = scopedTo('links', 'Links')

export const linkViewRoutes = (views: LinkViews) => [
  route('GET /link-views', {
    ...reads,
    name: 'listLinkViews',
    summary: 'List saved views of links',
    description: 'Pages through the views of the user and those that are shared, by name.',
    shapes: { query: ListLinkViews, reply: Type.Array(LinkView), meta: FilteredMeta },
    handle: (principal, { query }) => views.list(principal, query),
  }),
  route('POST /link-views', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createLinkView',
    summary: 'Save a view of links',
    description:
      'Keeps filters, order and columns of the list of links under a name, for the user alone unless `isShared` is true.',
    errors: ['CONFLICT'],
    shapes: { body: CreateLinkView, reply: LinkView },
    handle: (principal, { body }) => views.create(principal, body),
  }),
  route('PATCH /link-views/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateLinkView',
    summary: 'Update a saved view',
    description:
      'Changes the fields that are sent. 404 for a view of another user that is not shared.',
    shapes: { params: Params, body: UpdateLinkView, reply: LinkView },
    find: views.find,
    handle: (principal, { params, body }) => views.update(principal, params.id, body),
  }),
  route('DELETE /link-views/:id', {
    ...writes,
    status: 204,
    name: 'deleteLinkView',
    summary: 'Delete a saved view',
    description: 'The links stay. 404 for a view of another user that is not shared.',
    shapes: { params: Params },
    find: views.find,
    handle: (principal, { params }) => views.remove(principal, params.id),
  }),
]
