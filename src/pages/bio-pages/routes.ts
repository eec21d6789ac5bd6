import { Type } from 'typebox'
import { DEFAULT_LIMITS, route, scopedTo } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import type { BioPages } from './bio-pages.ts'
import {
  BioPage,
  BioPagePreview,
  CreateBioPage,
  CreatedBioPageMeta,
  LinksQuery,
  ListBioPages,
  UpdateBioPage,
} from './schema.ts'

const Params = idParams('bio', 'page')
const tag = 'Bio pages'
/** Room for two hundred blocks with all their fields. */
const limits = { ...DEFAULT_LIMITS, keys: 4_000 }
const { reads, writes: scoped } = scopedTo('bio-pages', tag)
const writes = { ...scoped, limits } as const

export const bioPageRoutes = (pages: BioPages) => [
  route('POST /bio-pages', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createBioPage',
    summary: 'Create a bio page',
    description:
      'Creates a page of links, a draft unless `status` says otherwise. A block of the type `link` without a `linkId` gets a link of its own, which is named after it. With an `importId` the blocks are the links of an import.',
    errors: ['CONFLICT', 'PLAN_LIMIT_REACHED'],
    shapes: { body: CreateBioPage, reply: BioPage, meta: CreatedBioPageMeta },
    handle: (principal, { body }) => pages.create(principal, body),
  }),
  route('GET /bio-pages', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listBioPages',
    summary: 'List bio pages',
    description:
      'Pages through the bio pages of the workspace with their views and clicks, newest first unless `sortBy` says otherwise.',
    shapes: { query: ListBioPages, reply: Type.Array(BioPage), meta: FilteredMeta },
    handle: (principal, { query }, signal) => pages.list(principal, query, signal),
  }),
  route('GET /bio-pages/:id', {
    ...reads,
    name: 'getBioPage',
    summary: 'Read a bio page',
    description: 'Returns one page with its blocks, views and clicks.',
    shapes: { params: Params, reply: BioPage },
    find: pages.find,
    handle: (principal, { params }) => pages.get(principal, params.id),
  }),
  route('PATCH /bio-pages/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateBioPage',
    summary: 'Update a bio page',
    description:
      'Changes the fields that are sent and leaves the others alone. The change is public within a second.',
    errors: ['CONFLICT', 'PLAN_LIMIT_REACHED'],
    shapes: { params: Params, query: LinksQuery, body: UpdateBioPage, reply: BioPage },
    find: pages.find,
    handle: (principal, { params, body, query }) => pages.update(principal, params.id, body, query),
  }),
  route('POST /bio-pages/:id/preview', {
    ...reads,
    limits,
    name: 'previewBioPage',
    summary: 'Preview a change of a bio page',
    description:
      'Takes and checks the body of an update. Returns the elements of the page as it would be shown now. Stores nothing and creates no link.',
    shapes: { params: Params, body: UpdateBioPage, reply: BioPagePreview },
    find: pages.find,
    handle: (principal, { params, body }) => pages.preview(principal, params.id, body),
  }),
  route('DELETE /bio-pages/:id', {
    ...writes,
    status: 204,
    name: 'deleteBioPage',
    summary: 'Delete a bio page',
    description: 'The links of its blocks stay, unless `links=delete` deletes them too.',
    shapes: { params: Params, query: LinksQuery },
    find: pages.find,
    handle: (principal, { params, query }) => pages.remove(principal, params.id, query),
  }),
]
