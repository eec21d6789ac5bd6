import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import {
  flag,
  idShape,
  integer,
  nullable,
  PageQuery,
  RoleName,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'

const EMAIL = 'user@example.com'

const userFields = {
  id: idShape('usr', 'Id of the user.'),
  name: text('Name of the user.', 'Example User'),
  email: text('Address of the user.', EMAIL),
  emailVerified: flag('Whether the address was verified.', true),
  twoFactorEnabled: flag('Whether a sign-in takes a second factor.', false),
  isOperator: flag('Whether the user may manage this server.', false),
  lastSignInAt: nullable(
    described(Timestamp, 'When the user last signed in; null: not that the log remembers.'),
  ),
  workspaces: integer('How many workspaces the user belongs to.', 1),
  createdAt: described(Timestamp, 'When the account was created.'),
}

export const ServerUser = object('ServerUser', userFields)
export type ServerUser = Static<typeof ServerUser>

export const ServerUserDetail = object('ServerUserDetail', {
  ...userFields,
  memberships: described(
    Type.Array(
      object('ServerMembership', {
        workspaceId: idShape('wsp', 'Id of the workspace.'),
        name: text('Name of the workspace.', 'Marketing'),
        role: described(RoleName, 'The role of the user in it.'),
      }),
    ),
    'The first hundred workspaces of the user, oldest membership first.',
  ),
})
export type ServerUserDetail = Static<typeof ServerUserDetail>

export const ListServerUsers = Type.Object({
  search: Type.Optional(
    text('Only users with this text in their name or address, or with this id.', EMAIL, {
      maxLength: 200,
    }),
  ),
  ...PageQuery,
})
export type ListServerUsers = Static<typeof ListServerUsers>
