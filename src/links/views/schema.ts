import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { nameListQuery, type SortKeys } from '../../platform/resources/lists.ts'
import {
  CreatedAt,
  flag,
  idShape,
  text,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

export const NAME_MAX_CHARS = 50
/** For each user in a workspace. */
export const MAX_VIEWS = 50

const fields = {
  name: text('Name of the view.', 'Sale by clicks', { minLength: 1, maxLength: NAME_MAX_CHARS }),
  query: text(
    'Filters, order and columns, as the query string of the page.',
    'tag=sale&sort=clicks',
    { maxLength: 2_048 },
  ),
}
const isShared = flag('Whether all members see it, and may change it.', true)

export const LinkView = object('LinkView', {
  id: idShape('viw', 'Id of the view.'),
  workspaceId: WorkspaceId,
  userId: idShape('usr', 'The user who made it.'),
  ...fields,
  isShared,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type LinkView = Static<typeof LinkView>

const anyFields = Type.Partial(Type.Object({ ...fields, isShared }))
export const UpdateLinkView = named('UpdateLinkView', described(anyFields, 'The fields to change.'))
export type UpdateLinkView = Static<typeof UpdateLinkView>

export const CreateLinkView = object(
  'CreateLinkView',
  { ...anyFields.properties, ...fields },
  { examples: [{ name: 'Sale by clicks', query: 'tag=sale&sort=clicks', isShared: true }] },
)
export type CreateLinkView = Static<typeof CreateLinkView>

export const SORT_KEYS = {
  createdAt: { key: 'created_at' },
  name: { key: 'name collate human_order' },
} as const satisfies SortKeys<string>

export const ListLinkViews = Type.Object(
  nameListQuery('views', SORT_KEYS, { sortBy: 'name', sortOrder: 'asc' }),
)
export type ListLinkViews = Static<typeof ListLinkViews>
