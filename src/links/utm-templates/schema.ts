import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { nameListQuery, type SortKeys } from '../../platform/resources/lists.ts'
import {
  CreatedAt,
  idShape,
  text,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'
import { utmShapes } from '../labels.ts'

export const NAME_MAX_CHARS = 50

const name = text('Name of the template.', 'Newsletter', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const utmFields = utmShapes(
  (parameter) => `\`${parameter}\` that a link takes over; null or an empty text: none.`,
)

export const UtmTemplate = object('UtmTemplate', {
  id: idShape('utm', 'Id of the template.'),
  workspaceId: WorkspaceId,
  name,
  ...utmFields,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type UtmTemplate = Static<typeof UtmTemplate>

const anyFields = Type.Partial(Type.Object({ name, ...utmFields }))
export const UpdateUtmTemplate = named(
  'UpdateUtmTemplate',
  described(anyFields, 'The fields to change.'),
)
export type UpdateUtmTemplate = Static<typeof UpdateUtmTemplate>

export const CreateUtmTemplate = object(
  'CreateUtmTemplate',
  { ...anyFields.properties, name },
  { examples: [{ name: 'Newsletter', utmSource: 'newsletter', utmMedium: 'email' }] },
)
export type CreateUtmTemplate = Static<typeof CreateUtmTemplate>

export const SORT_KEYS = {
  createdAt: { key: 'created_at' },
  updatedAt: { key: 'updated_at' },
  name: { key: 'name collate human_order' },
} as const satisfies SortKeys<string>

export const ListUtmTemplates = Type.Object(
  nameListQuery('templates', SORT_KEYS, { sortBy: 'createdAt', sortOrder: 'desc' }),
)
export type ListUtmTemplates = Static<typeof ListUtmTemplates>
