import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { CreatedAt, idShape, nullable, PageQuery, RoleName, text, UpdatedAt } from '../shapes.ts'

export const NAME_MAX_CHARS = 100

const name = text('Its name.', 'Marketing', { minLength: 1, maxLength: NAME_MAX_CHARS })

/** A workspace as one of its members sees it: `role` is the caller's own. */
export const Workspace = named(
  'Workspace',
  Type.Object({
    id: idShape('wsp', 'Id of the workspace.'),
    name,
    plan: text('The plan it is on.', 'self_hosted'),
    role: described(RoleName, 'The role that the caller has in it.', 'owner'),
    isSuspended: described(
      Type.Boolean(),
      'Stopped by the operator: its API is refused and its links do not redirect.',
      false,
    ),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  }),
)
export type Workspace = Static<typeof Workspace>

export const CreateWorkspace = named(
  'CreateWorkspace',
  Type.Object({
    name,
    activate: Type.Optional(
      described(
        Type.Boolean(),
        'True: the session acts in the new workspace from now on. It does in any case when it has no active one.',
        true,
      ),
    ),
  }),
)
export type CreateWorkspace = Static<typeof CreateWorkspace>

export const UpdateWorkspace = named('UpdateWorkspace', Type.Object({ name: Type.Optional(name) }))
export type UpdateWorkspace = Static<typeof UpdateWorkspace>

const confirm = text('The name of the workspace.', 'Marketing', { maxLength: 200 })

/** Clients and proxies that drop the body of a DELETE send the confirmation in the query. */
export const DeleteWorkspace = nullable(
  named('DeleteWorkspace', Type.Object({ confirm: Type.Optional(confirm) })),
)
export const DeleteWorkspaceQuery = Type.Object({
  confirm: Type.Optional(
    described(confirm, 'The name of the workspace, where the body does not have it.'),
  ),
})
export type DeleteWorkspace = { confirm?: string | undefined }

export const ListWorkspaces = Type.Object(PageQuery)
export type ListWorkspaces = Static<typeof ListWorkspaces>
