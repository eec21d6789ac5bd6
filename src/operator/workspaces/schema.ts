import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import {
  idShape,
  integer,
  nullable,
  oneOf,
  PageQuery,
  RoleName,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'

const STATES = ['active', 'suspended', 'blocked'] as const
export const REASON_MAX_CHARS = 500
export const MAX_PER_MINUTE = 1_000_000_000

const person = {
  id: idShape('usr', 'Id of the user.'),
  name: text('Name of the user.', 'Example User'),
  email: text('Address of the user.', 'user@example.com'),
}

const workspaceFields = {
  id: idShape('wsp', 'Id of the workspace.'),
  name: text('Name of the workspace.', 'Marketing'),
  plan: text('Id of its plan.', 'self_hosted'),
  state: oneOf(
    STATES,
    '`suspended`: its credentials are refused and its links do not redirect; `blocked`: the same, by a block.',
    'active',
  ),
  owner: described(
    nullable(object('ServerOwner', person)),
    'The owner who has been in it the longest.',
  ),
  members: integer('How many members it has.', 3),
  links: integer('How many links it has; 100000 stands for any more.', 120),
  clicksThisMonth: nullable(
    integer('Human clicks since the UTC month began; null while ClickHouse is away.', 5_000),
  ),
  suspendedAt: nullable(described(Timestamp, 'Since when it is suspended or blocked.')),
  apiRequestsPerMinute: nullable(
    integer('API requests a minute of each key and user; null: as its plan says.', 600),
  ),
  createdAt: described(Timestamp, 'When it was created.'),
}

export const ServerWorkspace = object('ServerWorkspace', workspaceFields)
export type ServerWorkspace = Static<typeof ServerWorkspace>

export const ServerWorkspaceDetail = object('ServerWorkspaceDetail', {
  ...workspaceFields,
  people: described(
    Type.Array(object('ServerMember', { ...person, role: described(RoleName, 'Their role.') })),
    'The first hundred members, oldest membership first.',
  ),
  plans: described(
    Type.Array(
      object('ServerPlan', {
        id: text('Id of the plan.', 'pro'),
        name: text('Its name.', 'Pro'),
      }),
    ),
    'The plans that it may have.',
  ),
})
export type ServerWorkspaceDetail = Static<typeof ServerWorkspaceDetail>

export const ListServerWorkspaces = Type.Object({
  search: Type.Optional(
    text(
      'Only workspaces with this text in their name, with this id, or with a member of this address.',
      'marketing',
      { maxLength: 200 },
    ),
  ),
  state: Type.Optional(oneOf(STATES, 'Only workspaces in this state.', 'suspended')),
  plan: Type.Optional(text('Only workspaces with this plan.', 'free', { maxLength: 100 })),
  ...PageQuery,
})
export type ListServerWorkspaces = Static<typeof ListServerWorkspaces>

export const UpdateServerWorkspace = named(
  'UpdateServerWorkspace',
  described(
    Type.Partial(
      Type.Object({
        plan: text('Id of the new plan.', 'pro', { minLength: 1, maxLength: 100 }),
        apiRequestsPerMinute: nullable(
          integer('API requests a minute of each key and user; null: as the plan says.', 600, {
            minimum: 1,
            maximum: MAX_PER_MINUTE,
          }),
        ),
      }),
    ),
    'The fields to change.',
  ),
)
export type UpdateServerWorkspace = Static<typeof UpdateServerWorkspace>

export const Reason = text('Why, in one line; the workspace can read it.', 'Phishing', {
  maxLength: REASON_MAX_CHARS,
})
export const Suspend = object('SuspendWorkspace', { reason: Type.Optional(Reason) })
