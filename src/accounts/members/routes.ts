import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { PageMeta } from '../../platform/resources/shapes.ts'
import type { Members } from './members.ts'
import { ListMembers, Member, UpdateMember, UserParams } from './schema.ts'

const tag = 'Members'

export const memberRoutes = (members: Members) => [
  route('GET /members', {
    requires: { credential: 'any', role: 'viewer', scope: 'members:read' },
    skipConcurrencyLimit: true,
    name: 'listMembers',
    summary: 'List the members of the workspace',
    description:
      'Pages through the members of the workspace, with their roles. Admins also see when a member was last active, and whether two-factor sign-in is on.',
    tag,
    shapes: { query: ListMembers, reply: Type.Array(Member), meta: PageMeta },
    handle: (principal, { query }, signal) => members.list(principal, query, signal),
  }),
  route('PATCH /members/:userId', {
    requires: { credential: 'any', role: 'admin', scope: 'members:write' },
    name: 'updateMember',
    summary: 'Change the role of a member',
    description:
      'Only an owner can grant or revoke the role of owner. The last owner keeps the role.',
    tag,
    shapes: { params: UserParams, body: UpdateMember, reply: Member },
    find: members.find,
    handle: (principal, { params, body }) => members.setRole(principal, params.userId, body),
  }),
  route('DELETE /members/:userId', {
    requires: { credential: 'any', role: 'viewer', scope: 'members:write' },
    status: 204,
    name: 'removeMember',
    summary: 'Remove a member (admin), or leave',
    description:
      'Ends the membership, and the API keys of the user in this workspace. Every member may leave, except the last owner.',
    tag,
    shapes: { params: UserParams },
    find: members.find,
    handle: (principal, { params }) => members.remove(principal, params.userId),
  }),
]
