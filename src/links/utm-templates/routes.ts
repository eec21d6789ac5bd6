import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import { CreateUtmTemplate, ListUtmTemplates, UpdateUtmTemplate, UtmTemplate } from './schema.ts'
import type { UtmTemplates } from './utm-templates.ts'

const Params = idParams('utm', 'template')

const { reads, writes } = scopedTo('utm-templates', 'UTM templates')

export const utmTemplateRoutes = (templates: UtmTemplates) => [
  route('POST /utm-templates', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createUtmTemplate',
    summary: 'Create a UTM template',
    description: 'Creates a set of UTM values that links can take over when they are written.',
    errors: ['NOT_FOUND'],
    shapes: { body: CreateUtmTemplate, reply: UtmTemplate },
    handle: (principal, { body }) => templates.create(principal, body),
  }),
  route('GET /utm-templates', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listUtmTemplates',
    summary: 'List UTM templates',
    description:
      'Pages through the templates of the workspace, newest first unless `sortBy` says otherwise.',
    shapes: { query: ListUtmTemplates, reply: Type.Array(UtmTemplate), meta: FilteredMeta },
    handle: (principal, { query }, signal) => templates.list(principal, query, signal),
  }),
  route('GET /utm-templates/:id', {
    ...reads,
    name: 'getUtmTemplate',
    summary: 'Read a UTM template',
    description: 'Returns one template.',
    shapes: { params: Params, reply: UtmTemplate },
    find: templates.find,
    handle: (principal, { params }) => templates.get(principal, params.id),
  }),
  route('PATCH /utm-templates/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateUtmTemplate',
    summary: 'Update a UTM template',
    description: 'Changes the fields that are sent. Links that took over values keep them.',
    shapes: { params: Params, body: UpdateUtmTemplate, reply: UtmTemplate },
    find: templates.find,
    handle: (principal, { params, body }) => templates.update(principal, params.id, body),
  }),
  route('DELETE /utm-templates/:id', {
    ...writes,
    status: 204,
    name: 'deleteUtmTemplate',
    summary: 'Delete a UTM template',
    description: 'Links that took over its values keep them.',
    shapes: { params: Params },
    find: templates.find,
    handle: (principal, { params }) => templates.remove(principal, params.id),
  }),
]
