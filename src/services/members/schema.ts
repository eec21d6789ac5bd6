import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ROLES } from '../../base/who.ts'
import { PageQuery, Timestamp } from '../shapes.ts'

const Role = Type.Unsafe<(typeof ROLES)[number]>({ type: 'string', enum: [...ROLES] })

/** A person in a workspace. */
export const Member = Type.Object({
  userId: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Role,
  joinedAt: Timestamp,
})
export type Member = Static<typeof Member>

export const UserParams = Type.Object({ userId: Type.String({ minLength: 1, maxLength: 64 }) })

export const UpdateMember = Type.Object({ role: Role })
export type UpdateMember = Static<typeof UpdateMember>

export const ListMembers = Type.Object(PageQuery)
export type ListMembers = Static<typeof ListMembers>
