import { Type, type Static } from 'typebox'
import { described, documented, object } from '../../platform/routes/shape.ts'
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
  flag,
  oneOf,
} from '../../platform/resources/shapes.ts'

const STATUSES = ['pending', 'accepted', 'rejected', 'canceled', 'expired'] as const
const Status = oneOf(STATUSES, 'Only a `pending` invitation can be accepted.', 'pending')
export type Status = Static<typeof Status>

const role = described(RoleName, 'Role of the new member.', 'member')

export const Invitation = object('Invitation', {
  id: idShape('inv', 'Id of the invitation.'),
  workspaceId: WorkspaceId,
  email: text('The invited address.', 'grace@example.com'),
  role,
  status: Status,
  invitedBy: nullable(idShape('usr', 'Id of the inviter; null after the account was deleted.')),
  expiresAt: described(Timestamp, 'Time at which it expires.'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type Invitation = Static<typeof Invitation>

/** Additional fields do not reveal whether the address has an account. */
export const CreatedInvitation = object('CreatedInvitation', {
  ...Invitation.properties,
  mailed: flag(
    'False: the address has reached its hourly limit of mails, so none was sent and an earlier link stays valid. Invite it again later.',
    true,
  ),
  accountRequired: flag(
    'True: this server accepts no new accounts, so only a user with an account of this address can accept.',
    false,
  ),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const ReceivedInvitation = object('ReceivedInvitation', {
  ...Invitation.properties,
  workspaceName: text('Name of the workspace.', 'Marketing'),
  inviterName: nullable(text('Name of the inviter.', 'Example User')),
})
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

export const CreateInvitation = object('CreateInvitation', {
  email: documented(
    text('The address to invite.', 'grace@example.com', { minLength: 3, maxLength: 254 }),
    { format: 'email' },
  ),
  role,
})
export type CreateInvitation = Static<typeof CreateInvitation>

export const ListInvitations = Type.Object({
  ...PageQuery,
  status: Type.Optional(described(Status, 'Only invitations of this status.')),
})
export type ListInvitations = Static<typeof ListInvitations>

export const InvitationCopyLink = object('InvitationLink', {
  url: text(
    'The link to pass on. It is shown only once; a new one replaces it.',
    'https://links.example.com/v1/auth/invitation?token=k1nkT0k3nF0rAC0l1eague',
  ),
  expiresAt: described(Timestamp, 'When the invitation and its link expire.'),
})
export type InvitationCopyLink = Static<typeof InvitationCopyLink>

const EXAMPLE_TOKEN = 'ivt0k3nFr0mTheMa1lW1thF0rtyThreeCharacters-_'
const token = text('The token of the mail, or of a copied link.', EXAMPLE_TOKEN, {
  minLength: 1,
  maxLength: 100,
})

export const InvitationLink = Type.Object({
  token: Type.Optional(text('The token of the mail.', EXAMPLE_TOKEN, { maxLength: 100 })),
})

export const AnswerInvitation = object('AnswerInvitation', {
  token,
  answer: oneOf(['accept', 'reject'], 'Answer to the invitation.', 'accept'),
})
export type AnswerInvitation = Static<typeof AnswerInvitation>

export const TokenParams = Type.Object({ token })
