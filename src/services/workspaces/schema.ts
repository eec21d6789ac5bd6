import { Type } from 'typebox'
import type { Static } from 'typebox'
import { ROLES } from '../../base/who.ts'
import { PageQuery, Timestamp } from '../shapes.ts'

/** A workspace as one of its members sees it: `role` is the caller's own. */
export const Workspace = Type.Object({
  id: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  role: Type.Unsafe<(typeof ROLES)[number]>({ type: 'string', enum: [...ROLES] }),
  isSuspended: Type.Boolean({
    description: 'Stopped by the operator: its API is refused and its links do not redirect.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Workspace = Static<typeof Workspace>

const name = Type.String({ minLength: 1, maxLength: 200, description: 'At most 100 characters.' })

export const CreateWorkspace = Type.Object({
  name,
  activate: Type.Optional(
    Type.Boolean({
      description:
        'True: the session acts in the new workspace from now on. It does in any case when it has no active one.',
    }),
  ),
})
export type CreateWorkspace = Static<typeof CreateWorkspace>

export const UpdateWorkspace = Type.Object({ name: Type.Optional(name) })
export type UpdateWorkspace = Static<typeof UpdateWorkspace>

export const DeleteWorkspace = Type.Object({
  confirm: Type.String({ maxLength: 200, description: 'The name of the workspace.' }),
})
export type DeleteWorkspace = Static<typeof DeleteWorkspace>

export const ListWorkspaces = Type.Object(PageQuery)
export type ListWorkspaces = Static<typeof ListWorkspaces>
