import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { FilteredMeta } from '../../platform/resources/shapes.ts'
import { ListTags, RenamedTag, RenameTag, Tag, TagParams } from './schema.ts'
import type { Tags } from './tags.ts'

const { reads, writes } = scopedTo('links', 'Tags')

export const tagRoutes = (tags: Tags) => [
  route('GET /tags', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listTags',
    summary: 'List tags',
    description: 'Pages through the tags of the links of the workspace, by name.',
    shapes: { query: ListTags, reply: Type.Array(Tag), meta: FilteredMeta },
    handle: (principal, { query }, signal) => tags.list(principal, query, signal),
  }),
  route('PATCH /tags/:name', {
    ...writes,
    name: 'renameTag',
    summary: 'Rename a tag',
    description:
      'Replaces the tag on every link. If the new tag already exists, the two become one.',
    errors: ['CONFLICT'],
    shapes: { params: TagParams, body: RenameTag, reply: RenamedTag },
    find: tags.find,
    handle: (principal, { params, body }) => tags.rename(principal, params.name, body),
  }),
  route('DELETE /tags/:name', {
    ...writes,
    status: 204,
    name: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Removes the tag from every link. The links stay.',
    errors: ['CONFLICT'],
    shapes: { params: TagParams },
    find: tags.find,
    handle: (principal, { params }) => tags.remove(principal, params.name),
  }),
]
