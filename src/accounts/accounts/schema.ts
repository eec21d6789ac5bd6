import { Type, type Static, type TSchema } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  idShape,
  LastUsedAt,
  nullable,
  text,
  Timestamp,
  UpdatedAt,
  flag,
  oneOf,
} from '../../platform/resources/shapes.ts'

const name = text('Its name.', 'Laptop')
const role = text('The role in it.', 'member')
const workspaceName = text('Name of the workspace.', 'Marketing')
const workspaceId = idShape('wsp', 'Id of the workspace.')
const ip = nullable(text('Client address.', '203.0.113.9'))
const userAgent = nullable(text('Browser.', 'Mozilla/5.0'))
const expiresAt = described(Timestamp, 'When it ends.', '2027-01-01T00:00:00.000Z')
const list = <S extends TSchema>(shape: S, description: string) =>
  described(Type.Array(shape), description)

const ExportedUser = object('ExportedUser', {
  id: idShape('usr', 'Id of the user.'),
  name: text('Name of the user.', 'Example User'),
  email: text('Address of the user.', 'user@example.com'),
  emailVerifiedAt: nullable(described(Timestamp, 'When the address was verified.')),
  hasPassword: flag('Whether the account has a password.', true),
  twoFactorEnabled: flag('Whether two-factor sign-in is on.', true),
  preferences: described(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    'The preferences that the user has set.',
    { timezone: 'Europe/Berlin' },
  ),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})

const ExportedMembership = object('ExportedMembership', {
  workspaceId,
  workspaceName,
  role,
  joinedAt: described(Timestamp, 'When the user joined.'),
  lastActiveAt: nullable(described(Timestamp, 'Last request with a session in it.')),
})

const ExportedSession = object('ExportedSession', {
  id: idShape('ses', 'Id of the session.'),
  method: text('How the user signed in.', 'password'),
  ip,
  userAgent,
  createdAt: CreatedAt,
  lastSeenAt: LastUsedAt,
  expiresAt,
})

const ExportedApiKey = object('ExportedApiKey', {
  id: idShape('key', 'Id of the key.'),
  workspaceId,
  name: text('What the key is for.', 'Nightly export'),
  prefix: text('First and last characters of the key.', 'sp_AbC…wxyz'),
  createdAt: CreatedAt,
  lastUsedAt: nullable(LastUsedAt),
  expiresAt: nullable(expiresAt),
})

const ExportedPasskey = object('ExportedPasskey', {
  id: idShape('psk', 'Id of the passkey.'),
  name,
  createdAt: CreatedAt,
})

const ExportedLinkedAccount = object('ExportedLinkedAccount', {
  provider: text('Id of the provider.', 'google'),
  email: nullable(text('The address at the provider.', 'user@example.com')),
  createdAt: CreatedAt,
})

const ExportedInvitation = object('ExportedInvitation', {
  workspaceName,
  role,
  status: text('Its state.', 'accepted'),
  createdAt: CreatedAt,
})

const ExportedSecurityEntry = object('ExportedSecurityEntry', {
  type: text('What happened.', 'sign_in.succeeded'),
  outcome: text('success or failure.', 'success'),
  workspaceId: nullable(workspaceId),
  details: described(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    'Facts of this type of entry.',
    { method: 'password' },
  ),
  ip,
  userAgent,
  country: nullable(text('ISO country of the address.', 'DE')),
  createdAt: described(Timestamp, 'When it happened.'),
})

export const AccountExport = object('AccountExport', {
  exportedAt: described(Timestamp, 'When the export was made.'),
  user: described(ExportedUser, 'The account itself.'),
  memberships: list(ExportedMembership, 'The workspaces that the user belongs to.'),
  sessions: list(ExportedSession, 'The browsers that are signed in.'),
  apiKeys: list(ExportedApiKey, 'The API keys of the user.'),
  passkeys: list(ExportedPasskey, 'The passkeys of the user.'),
  linkedAccounts: list(ExportedLinkedAccount, 'The accounts at providers.'),
  invitations: list(ExportedInvitation, 'The invitations that the address received.'),
  securityLog: list(ExportedSecurityEntry, 'The newest ten thousand entries.'),
})
export type AccountExport = Static<typeof AccountExport>

const workspaces = oneOf(
  ['delete', 'refuse'],
  'Workspaces that only you own: `delete` deletes them too; `refuse` (the default) answers 409 and names them.',
  'refuse',
)

/** Clients and proxies may drop the body of a DELETE. A password is never read from the query. */
export const DeleteAccount = nullable(
  object('DeleteUser', {
    password: Type.Optional(
      text(
        'Your current password. An account without a password needs a sign-in of the last 15 minutes instead. A wrong password is 400 VALIDATION_ERROR with the detail wrong_password.',
        'quiet harbour lamp',
        { minLength: 1, maxLength: 1_024 },
      ),
    ),
    workspaces: Type.Optional(workspaces),
  }),
)
export const DeleteAccountQuery = Type.Object({ workspaces: Type.Optional(workspaces) })
export type DeleteAccount = NonNullable<Static<typeof DeleteAccount>>
