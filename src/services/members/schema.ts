import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { idShape, PageQuery, RoleName, text, Timestamp } from '../shapes.ts'

const role = described(RoleName, 'What the person may do in the workspace.', 'member')

/** A person in a workspace. */
export const Member = named(
  'Member',
  Type.Object({
    userId: idShape('usr', 'Id of the person.'),
    name: text('Name of the person.', 'Example User'),
    email: text('Address of the person.', 'user@example.com'),
    role,
    joinedAt: described(Timestamp, 'When the person joined.'),
  }),
)
export type Member = Static<typeof Member>

export const UserParams = Type.Object({
  userId: described(
    Type.String({ minLength: 1, maxLength: 64 }),
    'Id of the person.',
    'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
})

export const UpdateMember = named('UpdateMember', Type.Object({ role }))
export type UpdateMember = Static<typeof UpdateMember>

export const ListMembers = Type.Object(PageQuery)
export type ListMembers = Static<typeof ListMembers>
