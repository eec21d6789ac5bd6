import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import type { InvitationPage } from './invitation-page.ts'
import type { Invitations } from './invitations.ts'
import * as shapes from './schema.ts'

const tag = 'Invitations'
const Params = idParams('inv', 'invitation')

const reads = {
  requires: { credential: 'any', role: 'admin', scope: 'members:read' },
  tag,
} as const
const writes = {
  requires: { credential: 'any', role: 'admin', scope: 'members:write' },
  tag,
} as const

export const invitationRoutes = (invitations: Invitations) => [
  ...readingRoutes(invitations),
  ...writingRoutes(invitations),
]

const readingRoutes = (invitations: Invitations) => [
  route('GET /invitations', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listInvitations',
    summary: 'List invitations',
    description: 'Pages through the invitations of the workspace, newest first.',
    shapes: {
      query: shapes.ListInvitations,
      reply: Type.Array(shapes.Invitation),
      meta: FilteredMeta,
    },
    handle: (principal, { query }, signal) => invitations.list(principal, query, signal),
  }),
  route('GET /invitations/:id', {
    ...reads,
    name: 'getInvitation',
    summary: 'Read an invitation',
    description: 'Returns one invitation of the workspace. Its token is only in the mail.',
    shapes: { params: Params, reply: shapes.Invitation },
    find: invitations.find,
    handle: (principal, { params }) => invitations.get(principal, params.id),
  }),
]

const writingRoutes = (invitations: Invitations) => [
  route('POST /invitations', {
    idempotent: true,
    ...writes,
    status: 201,
    name: 'createInvitation',
    summary: 'Invite an address by mail; an open invitation of it is renewed',
    description: 'Mails a link that is valid for 14 days. Only the invited address can accept it.',
    errors: ['NOT_FOUND', 'PLAN_LIMIT_REACHED'],
    shapes: { body: shapes.CreateInvitation, reply: shapes.CreatedInvitation },
    handle: (principal, { body }) => invitations.create(principal, body),
  }),
  route('POST /invitations/:id/link', {
    idempotent: true,
    ...writes,
    name: 'createInvitationLink',
    summary: 'Create a link to an invitation, to pass on',
    description:
      'Returns a link in addition to the one in the mail, and voids the last such link. The invited user confirms the address by mail after the sign-up.',
    errors: ['GONE', 'CONFLICT'],
    shapes: { params: Params, reply: shapes.InvitationCopyLink },
    find: invitations.find,
    handle: (principal, { params }) => invitations.copyLink(principal, params.id),
  }),
  route('DELETE /invitations/:id', {
    ...writes,
    status: 204,
    name: 'cancelInvitation',
    summary: 'Cancel an invitation',
    description: 'The link of its mail no longer works.',
    shapes: { params: Params },
    find: invitations.find,
    handle: (principal, { params }) => invitations.cancel(principal, params.id),
  }),
]

/** The strict rate, since a caller could guess tokens. */
const received = { requires: { credential: 'session' }, tier: 'auth', tag } as const

export const invitationAccountRoutes = (invitations: Invitations) => [
  route('GET /invitations/received/:token', {
    ...received,
    name: 'getReceivedInvitation',
    summary: 'Read the invitation that you received, by the token of the mail',
    description: 'The signed-in user must own the invited address. It changes nothing.',
    errors: ['NOT_FOUND'],
    shapes: { params: shapes.TokenParams, reply: shapes.ReceivedInvitation },
    handle: async (caller, { params }) => ({ data: await invitations.peek(caller, params.token) }),
  }),
  route('POST /invitations/:token/accept', {
    idempotent: true,
    ...received,
    name: 'acceptInvitation',
    summary: 'Accept an invitation, which makes its workspace the active one',
    description:
      'The signed-in user must own the invited address. The user then has the role of the invitation.',
    errors: ['NOT_FOUND', 'GONE', 'PLAN_LIMIT_REACHED'],
    shapes: { params: shapes.TokenParams, reply: shapes.Invitation },
    handle: async (caller, { params }) => ({
      data: await invitations.accept(caller, params.token),
    }),
  }),
  route('POST /invitations/:token/reject', {
    idempotent: true,
    ...received,
    name: 'rejectInvitation',
    summary: 'Reject an invitation',
    description: 'The signed-in user must own the invited address.',
    errors: ['NOT_FOUND', 'GONE'],
    shapes: { params: shapes.TokenParams, reply: shapes.Invitation },
    handle: async (caller, { params }) => ({
      data: await invitations.reject(caller, params.token),
    }),
  }),
]

/** Below /auth, since a visitor with the link from the mail may not have a session yet. */
export const invitationPageRoutes = (invitationPage: InvitationPage) => [
  route('GET /auth/invitation', {
    ...received,
    requires: { credential: 'none' },
    name: 'showInvitationPage',
    summary: 'The page of the link in an invitation mail; answering takes the POST',
    description:
      'Shows the invitation to a browser, with buttons to accept or reject it. It changes nothing.',
    shapes: { query: shapes.InvitationLink },
    handle: (caller, { query }) => invitationPage.show(caller, query.token ?? ''),
  }),
  route('POST /auth/invitation', {
    ...received,
    accepts: 'form',
    name: 'answerInvitation',
    summary: 'Accept or reject an invitation, as its page does',
    description:
      'Takes the form of the invitation page. A browser gets a page; a program gets the invitation as JSON.',
    errors: ['NOT_FOUND', 'GONE', 'PLAN_LIMIT_REACHED'],
    shapes: { body: shapes.AnswerInvitation, reply: shapes.Invitation },
    handle: (caller, { body }) => invitationPage.answer(caller, body),
  }),
]
