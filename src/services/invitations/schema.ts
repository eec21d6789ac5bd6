import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ROLES } from '../../base/who.ts'
import { nullable, PageQuery, Timestamp } from '../shapes.ts'

const Role = Type.Unsafe<(typeof ROLES)[number]>({ type: 'string', enum: [...ROLES] })
const STATUSES = ['pending', 'accepted', 'rejected', 'canceled', 'expired'] as const
const Status = Type.Unsafe<(typeof STATUSES)[number]>({ type: 'string', enum: [...STATUSES] })
export type Status = Static<typeof Status>

/** An invitation as every answer shows it; its token is in the mail alone. */
export const Invitation = Type.Object({
  id: Type.String(),
  workspaceId: Type.String(),
  email: Type.String(),
  role: Role,
  status: Status,
  invitedBy: nullable(Type.String()),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>

/** What the inviter is told beside it. Both are the same with and without an account of the address. */
export const CreatedInvitation = Type.Object({
  ...Invitation.properties,
  mailed: Type.Boolean({
    description:
      'False: the address has had its mails of this hour, so none was sent and the link of an earlier one stays valid. Invite it again later.',
  }),
  accountRequired: Type.Boolean({
    description:
      'True: this server takes no new accounts, so the invitation can be accepted only by a person who has an account with this address.',
  }),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** As the invited person sees it, who does not know the workspace yet. */
export const ReceivedInvitation = Type.Object({
  ...Invitation.properties,
  workspaceName: Type.String(),
  inviterName: nullable(Type.String()),
})
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

export const CreateInvitation = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254 }),
  role: Role,
})
export type CreateInvitation = Static<typeof CreateInvitation>

export const ListInvitations = Type.Object({ ...PageQuery, status: Type.Optional(Status) })
export type ListInvitations = Static<typeof ListInvitations>

/** The query of the link in the mail. */
export const InvitationLink = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 100 })),
})

/** What the buttons of its page send. */
export const AnswerInvitation = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'The token of the mail.' }),
  answer: Type.Unsafe<'accept' | 'reject'>({ type: 'string', enum: ['accept', 'reject'] }),
})
export type AnswerInvitation = Static<typeof AnswerInvitation>

export const TokenParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100, description: 'The token of the mail.' }),
})
