import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import type { Folders } from './folders.ts'
import { CreateFolder, Folder, ListFolders, UpdateFolder } from './schema.ts'

const Params = idParams('fld', 'folder')

const { reads, writes } = scopedTo('links', 'Folders')

export const folderRoutes = (folders: Folders) => [
  route('POST /folders', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createFolder',
    summary: 'Create a folder',
    description: 'Creates a folder for links. A workspace has at most 1,000 folders.',
    errors: ['CONFLICT', 'PLAN_LIMIT_REACHED'],
    shapes: { body: CreateFolder, reply: Folder },
    handle: (principal, { body }) => folders.create(principal, body),
  }),
  route('GET /folders', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listFolders',
    summary: 'List folders',
    description: 'Pages through the folders of the workspace with their numbers of links, by name.',
    shapes: { query: ListFolders, reply: Type.Array(Folder), meta: FilteredMeta },
    handle: (principal, { query }, signal) => folders.list(principal, query, signal),
  }),
  route('GET /folders/:id', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'getFolder',
    summary: 'Read a folder',
    description: 'Returns one folder with its number of links.',
    shapes: { params: Params, reply: Folder },
    find: folders.find,
    handle: (principal, { params }, signal) => folders.get(principal, params.id, signal),
  }),
  route('PATCH /folders/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateFolder',
    summary: 'Rename a folder',
    description: 'Changes the name; the links stay in the folder.',
    errors: ['CONFLICT'],
    shapes: { params: Params, body: UpdateFolder, reply: Folder },
    find: folders.find,
    handle: (principal, { params, body }) => folders.update(principal, params.id, body),
  }),
  route('DELETE /folders/:id', {
    ...writes,
    status: 204,
    name: 'deleteFolder',
    summary: 'Delete a folder',
    description: 'Its links stay, in no folder, and do not change otherwise.',
    shapes: { params: Params },
    find: folders.find,
    handle: (principal, { params }) => folders.remove(principal, params.id),
  }),
]
