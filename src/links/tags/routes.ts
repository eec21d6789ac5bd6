import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { FilteredMeta } from '../../platform/resources/shapes.ts'
import { ListTags, RenamedTag, RenameTag, Tag, TagParams } from './schema.ts'
import type { Tags } from './tags.ts'

const writes = { requires: { credential: 'any', role: 'member', scope: 'links:write' } } as const
const tag = 'Tags'

export const tagRoutes = (tags: Tags) => [
  route('GET /tags', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    skipConcurrencyLimit: true,
    name: 'listTags',
    summary: 'List tags',
    description: 'Pages through the tags of the links of the workspace, by name.',
    tag,
    shapes: { query: ListTags, reply: Type.Array(Tag), meta: FilteredMeta },
    handle: (principal, { query }, signal) => tags.list(principal, query, signal),
  }),
  route('PATCH /tags/:name', {
    ...writes,
    name: 'renameTag',
    summary: 'Rename a tag',
    description:
      'Gives every link with the tag another one. If links have that already, the two become one tag.',
    errors: ['CONFLICT'],
    tag,
    shapes: { params: TagParams, body: RenameTag, reply: RenamedTag },
    find: tags.find,
    handle: (principal, { params, body }) => tags.rename(principal, params.name, body),
  }),
  route('DELETE /tags/:name', {
    ...writes,
    status: 204,
    name: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Takes the tag off every link. The links stay.',
    errors: ['CONFLICT'],
    tag,
    shapes: { params: TagParams },
    find: tags.find,
    handle: (principal, { params }) => tags.remove(principal, params.name),
  }),
]
