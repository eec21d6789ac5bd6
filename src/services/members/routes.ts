import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import { PageMeta } from '../shapes.ts'
import type { Members } from './members.ts'
import { ListMembers, Member, UpdateMember, UserParams } from './schema.ts'

const tag = 'Members'

export const memberRoutes = (members: Members) => [
  route({
    method: 'GET',
    path: '/members',
    access: 'viewer',
    scope: 'members:read',
    status: 200,
    boundsOwnWork: true,
    summary: 'List the members of the workspace',
    tag,
    shapes: { query: ListMembers, reply: Type.Array(Member), meta: PageMeta },
    handle: (who, { query }, signal) => members.list(who, query, signal),
  }),
  route({
    method: 'PATCH',
    path: '/members/:userId',
    access: 'admin',
    scope: 'members:write',
    status: 200,
    summary: 'Change the role of a member',
    tag,
    shapes: { params: UserParams, body: UpdateMember, reply: Member },
    find: members.find,
    handle: (who, { params, body }) => members.setRole(who, params.userId, body),
  }),
  route({
    method: 'DELETE',
    path: '/members/:userId',
    access: 'viewer',
    scope: 'members:write',
    status: 204,
    summary: 'Remove a member (admin), or leave',
    tag,
    shapes: { params: UserParams },
    find: members.find,
    handle: (who, { params }) => members.remove(who, params.userId),
  }),
]
