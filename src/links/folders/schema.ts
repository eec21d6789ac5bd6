import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { nameListQuery, type SortKeys } from '../../platform/resources/lists.ts'
import {
  CreatedAt,
  idShape,
  integer,
  text,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

export const NAME_MAX_CHARS = 100

const name = text('Name of the folder, unique in the workspace in any case.', 'Spring sale', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})

export const Folder = object('Folder', {
  id: idShape('fld', 'Id of the folder.'),
  workspaceId: WorkspaceId,
  name,
  links: integer('Number of links in it, archived ones included.', 12),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type Folder = Static<typeof Folder>

export const CreateFolder = object(
  'CreateFolder',
  { name },
  { examples: [{ name: 'Spring sale' }] },
)
export type CreateFolder = Static<typeof CreateFolder>

export const UpdateFolder = named(
  'UpdateFolder',
  described(Type.Partial(Type.Object({ name })), 'The fields to change.'),
)
export type UpdateFolder = Static<typeof UpdateFolder>

export const SORT_KEYS = {
  name: { key: 'name collate human_order' },
  createdAt: { key: 'created_at' },
  updatedAt: { key: 'updated_at' },
} as const satisfies SortKeys<string>

export const ListFolders = Type.Object(
  nameListQuery('folders', SORT_KEYS, { sortBy: 'name', sortOrder: 'asc' }),
)
export type ListFolders = Static<typeof ListFolders>
