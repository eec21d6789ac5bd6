import { Type, type Static } from 'typebox'
import { described, documented, named } from '../../base/shape.ts'
import {
  CreatedAt,
  idShape,
  nullable,
  PageQuery,
  RoleName,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../shapes.ts'

const STATUSES = ['pending', 'accepted', 'rejected', 'canceled', 'expired'] as const
const Status = described(
  Type.Unsafe<(typeof STATUSES)[number]>({ type: 'string', enum: [...STATUSES] }),
  'Only a `pending` invitation can be accepted.',
  'pending',
)
export type Status = Static<typeof Status>

const role = described(RoleName, 'The role that the person gets.', 'member')

/** An invitation as every answer shows it; its token is in the mail alone. */
export const Invitation = named(
  'Invitation',
  Type.Object({
    id: idShape('inv', 'Id of the invitation.'),
    workspaceId: WorkspaceId,
    email: text('The invited address.', 'grace@example.com'),
    role,
    status: Status,
    invitedBy: nullable(idShape('usr', 'Id of the person who invited; null when it is gone.')),
    expiresAt: described(Timestamp, 'Until when it can be accepted.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  }),
)
export type Invitation = Static<typeof Invitation>

/** What the inviter is told beside it. Both are the same with and without an account of the address. */
export const CreatedInvitation = named(
  'CreatedInvitation',
  Type.Object({
    ...Invitation.properties,
    mailed: described(
      Type.Boolean(),
      'False: the address has had its mails of this hour, so none was sent and the link of an earlier one stays valid. Invite it again later.',
      true,
    ),
    accountRequired: described(
      Type.Boolean(),
      'True: this server takes no new accounts, so the invitation can be accepted only by a user who has an account with this address.',
      false,
    ),
  }),
)
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** As the invited person sees it, who does not know the workspace yet. */
export const ReceivedInvitation = named(
  'ReceivedInvitation',
  Type.Object({
    ...Invitation.properties,
    workspaceName: text('Name of the workspace.', 'Marketing'),
    inviterName: nullable(text('Name of the person who invited.', 'Example User')),
  }),
)
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

export const CreateInvitation = named(
  'CreateInvitation',
  Type.Object({
    email: documented(
      text('The address to invite.', 'grace@example.com', { minLength: 3, maxLength: 254 }),
      { format: 'email' },
    ),
    role,
  }),
)
export type CreateInvitation = Static<typeof CreateInvitation>

export const ListInvitations = Type.Object({
  ...PageQuery,
  status: Type.Optional(described(Status, 'Only invitations of this status.')),
})
export type ListInvitations = Static<typeof ListInvitations>

const EXAMPLE_TOKEN = 'ivt0k3nFr0mTheMa1lW1thF0rtyThreeCharacters-_'
const token = text('The token of the mail.', EXAMPLE_TOKEN, { minLength: 1, maxLength: 100 })

/** The query of the link in the mail. */
export const InvitationLink = Type.Object({
  token: Type.Optional(text('The token of the mail.', EXAMPLE_TOKEN, { maxLength: 100 })),
})

/** What the buttons of its page send. */
export const AnswerInvitation = named(
  'AnswerInvitation',
  Type.Object({
    token,
    answer: described(
      Type.Unsafe<'accept' | 'reject'>({ type: 'string', enum: ['accept', 'reject'] }),
      'Whether to join.',
      'accept',
    ),
  }),
)
export type AnswerInvitation = Static<typeof AnswerInvitation>

export const TokenParams = Type.Object({ token })
