import { Type } from 'typebox'
import { accountRoute, route } from '../../base/route.ts'
import { FilteredMeta, IdParams } from '../shapes.ts'
import type { InvitationPage } from './invitation-page.ts'
import type { Invitations } from './invitations.ts'
import {
  AnswerInvitation,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationLink,
  ListInvitations,
  ReceivedInvitation,
  TokenParams,
} from './schema.ts'

const tag = 'Invitations'

export const invitationRoutes = (invitations: Invitations) => [
  route({
    method: 'GET',
    path: '/invitations',
    access: 'admin',
    scope: 'members:read',
    status: 200,
    boundsOwnWork: true,
    summary: 'List invitations',
    tag,
    shapes: { query: ListInvitations, reply: Type.Array(Invitation), meta: FilteredMeta },
    handle: (who, { query }, signal) => invitations.list(who, query, signal),
  }),
  route({
    method: 'POST',
    path: '/invitations',
    access: 'admin',
    scope: 'members:write',
    status: 201,
    summary: 'Invite an address by mail; an open invitation of it is renewed',
    tag,
    shapes: { body: CreateInvitation, reply: CreatedInvitation },
    handle: (who, { body }) => invitations.create(who, body),
  }),
  route({
    method: 'DELETE',
    path: '/invitations/:id',
    access: 'admin',
    scope: 'members:write',
    status: 204,
    summary: 'Cancel an invitation',
    tag,
    shapes: { params: IdParams },
    find: invitations.find,
    handle: (who, { params }) => invitations.cancel(who, params.id),
  }),
]

/** Under the strict limit, since who asks names a token. */
const received = { credential: 'session', tier: 'auth', status: 200, tag } as const

export const invitationAccountRoutes = (invitations: Invitations) => [
  accountRoute({
    ...received,
    method: 'GET',
    path: '/invitations/:id',
    summary: 'Read the invitation that you received, by the token of the mail',
    shapes: { params: IdParams, reply: ReceivedInvitation },
    handle: async (caller, { params }) => ({ data: await invitations.peek(caller, params.id) }),
  }),
  accountRoute({
    ...received,
    method: 'POST',
    path: '/invitations/:token/accept',
    summary: 'Accept an invitation, which makes its workspace the active one',
    shapes: { params: TokenParams, reply: Invitation },
    handle: async (caller, { params }) => ({
      data: await invitations.accept(caller, params.token),
    }),
  }),
  accountRoute({
    ...received,
    method: 'POST',
    path: '/invitations/:token/reject',
    summary: 'Reject an invitation',
    shapes: { params: TokenParams, reply: Invitation },
    handle: async (caller, { params }) => ({
      data: await invitations.reject(caller, params.token),
    }),
  }),
]

/** Below /auth: whoever opens the link of the mail may have no session yet. */
export const invitationPageRoutes = (invitationPage: InvitationPage) => [
  accountRoute({
    ...received,
    credential: 'none',
    method: 'GET',
    path: '/auth/invitation',
    summary: 'The page of the link in an invitation mail; answering takes the POST',
    shapes: { query: InvitationLink },
    handle: (caller, { query }) => invitationPage.show(caller, query.token ?? ''),
  }),
  accountRoute({
    ...received,
    method: 'POST',
    path: '/auth/invitation',
    accepts: 'form',
    summary: 'Accept or reject an invitation, as its page does',
    shapes: { body: AnswerInvitation, reply: Invitation },
    handle: (caller, { body }) => invitationPage.answer(caller, body),
  }),
]
