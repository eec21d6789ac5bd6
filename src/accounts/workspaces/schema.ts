import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  idShape,
  nullable,
  PageQuery,
  RoleName,
  text,
  UpdatedAt,
  flag,
  idInput,
} from '../../platform/resources/shapes.ts'
import { TimeZoneInput } from '../../platform/resources/zone.ts'

export const NAME_MAX_CHARS = 100

const name = text('Name of the workspace.', 'Marketing', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})

const honorsPrivacySignals = flag(
  'True: a click with `Sec-GPC: 1` or `DNT: 1` counts as a click but not as a visitor. A change applies to new clicks within ten seconds.',
  true,
)

const timezone = described(
  TimeZoneInput,
  'IANA name of the time zone in which clients show times to members who have not chosen one.',
)

const brandColor = nullable(
  text(
    'Color of buttons and links on its pages for visitors, as `#` and six hexadecimal digits; null: the usual one. Only its own domains show it.',
    '#0b5e82',
    { pattern: '^#[0-9a-fA-F]{6}$' },
  ),
)

const logoMediaId = nullable(
  idInput(
    'med',
    'Id of the image at the top of its pages for visitors (`POST /media`); null: none. Only its own domains show it.',
  ),
)

export const Workspace = object('Workspace', {
  id: idShape('wsp', 'Id of the workspace.'),
  name,
  plan: text('Id of its plan.', 'self_hosted'),
  role: described(RoleName, 'Role of the caller in the workspace.', 'owner'),
  isSuspended: flag(
    'Suspended by the operator: its API requests are refused and its links do not redirect.',
    false,
  ),
  honorsPrivacySignals,
  timezone,
  brandColor,
  logoMediaId,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type Workspace = Static<typeof Workspace>

export const CreateWorkspace = object('CreateWorkspace', {
  name,
  activate: Type.Optional(
    flag(
      'True: the new workspace becomes the active one of the session. It always does for a session without one.',
      true,
    ),
  ),
})
export type CreateWorkspace = Static<typeof CreateWorkspace>

export const UpdateWorkspace = named(
  'UpdateWorkspace',
  Type.Partial(Type.Object({ name, honorsPrivacySignals, timezone, brandColor, logoMediaId })),
)
export type UpdateWorkspace = Static<typeof UpdateWorkspace>

const confirm = text('The name of the workspace.', 'Marketing', { maxLength: 200 })

/** The query is for clients and proxies that drop the body of a DELETE. */
export const DeleteWorkspace = nullable(
  object('DeleteWorkspace', { confirm: Type.Optional(confirm) }),
)
export const DeleteWorkspaceQuery = Type.Object({
  confirm: Type.Optional(
    described(confirm, 'The name of the workspace, if the body does not contain it.'),
  ),
})
export type DeleteWorkspace = { confirm?: string | undefined }

export const ListWorkspaces = Type.Object(PageQuery)
export type ListWorkspaces = Static<typeof ListWorkspaces>
