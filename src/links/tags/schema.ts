import { Type, type Static } from 'typebox'
import { object } from '../../platform/routes/shape.ts'
import { nameListQuery, type SortKeys } from '../../platform/resources/lists.ts'
import { integer, text } from '../../platform/resources/shapes.ts'
import { TAG_MAX_CHARS } from '../labels.ts'

const name = text('The tag.', 'newsletter', { minLength: 1, maxLength: TAG_MAX_CHARS * 4 })
const links = integer('Number of links with this tag, archived ones included.', 12)

export const Tag = object('Tag', { name, links })
export type Tag = Static<typeof Tag>

export const RenamedTag = object('RenamedTag', {
  ...Tag.properties,
  pending: integer(
    'Number of links that still have the old tag, and get the new one within the next minutes.',
    0,
  ),
})
export type RenamedTag = Static<typeof RenamedTag>

export const RenameTag = object('RenameTag', { name }, { examples: [{ name: 'newsletter' }] })
export type RenameTag = Static<typeof RenameTag>

export const TagParams = Type.Object({
  name: text('The tag, percent-encoded.', 'newsletter', { minLength: 1, maxLength: 1_000 }),
})

export const SORT_KEYS = {
  name: { key: 'name collate human_order' },
  links: { key: 'links' },
} as const satisfies SortKeys<string>

export const ListTags = Type.Object(
  nameListQuery('tags', SORT_KEYS, { sortBy: 'name', sortOrder: 'asc' }),
)
export type ListTags = Static<typeof ListTags>
