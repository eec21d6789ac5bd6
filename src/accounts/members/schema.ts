import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import {
  idShape,
  nullable,
  PageQuery,
  RoleName,
  text,
  Timestamp,
  flag,
} from '../../platform/resources/shapes.ts'

const role = described(RoleName, 'Role in the workspace.', 'member')

export const Member = object('Member', {
  userId: idShape('usr', 'Id of the user.'),
  name: text('Name of the user.', 'Example User'),
  email: text('E-mail address of the user.', 'user@example.com'),
  role,
  joinedAt: described(Timestamp, 'Start of the membership.'),
  lastActiveAt: nullable(
    described(
      Timestamp,
      'Last request with a session in this workspace, exact to the minute; null: none, or the caller is no admin.',
    ),
  ),
  twoFactorEnabled: nullable(
    flag(
      'Whether the account requires a code after its password; null: the caller is no admin.',
      true,
    ),
  ),
})
export type Member = Static<typeof Member>

export const UserParams = Type.Object({
  userId: described(
    Type.String({ minLength: 1, maxLength: 64 }),
    'Id of the user.',
    'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ),
})

export const UpdateMember = object('UpdateMember', { role })
export type UpdateMember = Static<typeof UpdateMember>

export const ListMembers = Type.Object(PageQuery)
export type ListMembers = Static<typeof ListMembers>
