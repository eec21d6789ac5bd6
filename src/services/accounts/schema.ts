import { Type } from 'typebox'
import type { Static } from 'typebox'
import { nullable, Timestamp } from '../shapes.ts'

const Text = Type.String()
const NullableText = nullable(Text)
const NullableTime = nullable(Timestamp)

/** What is kept about a person, without anything that opens a door. */
export const AccountExport = Type.Object({
  exportedAt: Timestamp,
  user: Type.Object({
    id: Text,
    name: Text,
    email: Text,
    emailVerifiedAt: NullableTime,
    hasPassword: Type.Boolean(),
    twoFactorEnabled: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  memberships: Type.Array(
    Type.Object({ workspaceId: Text, workspaceName: Text, role: Text, joinedAt: Timestamp }),
  ),
  sessions: Type.Array(
    Type.Object({
      id: Text,
      method: Text,
      ip: NullableText,
      userAgent: NullableText,
      createdAt: Timestamp,
      lastSeenAt: Timestamp,
      expiresAt: Timestamp,
    }),
  ),
  apiKeys: Type.Array(
    Type.Object({
      id: Text,
      workspaceId: Text,
      name: Text,
      prefix: Text,
      createdAt: Timestamp,
      lastUsedAt: NullableTime,
      expiresAt: NullableTime,
    }),
  ),
  passkeys: Type.Array(Type.Object({ id: Text, name: Text, createdAt: Timestamp })),
  linkedAccounts: Type.Array(
    Type.Object({ provider: Text, email: NullableText, createdAt: Timestamp }),
  ),
  invitations: Type.Array(
    Type.Object({ workspaceName: Text, role: Text, status: Text, createdAt: Timestamp }),
  ),
  securityLog: Type.Array(
    Type.Object({
      type: Text,
      outcome: Text,
      workspaceId: NullableText,
      details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      ip: NullableText,
      userAgent: NullableText,
      country: NullableText,
      createdAt: Timestamp,
    }),
    { description: 'The newest ten thousand.' },
  ),
})
export type AccountExport = Static<typeof AccountExport>

export const DeleteAccount = Type.Object({
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description:
        'Your present password; without one, sign in at most 15 minutes before. A wrong one is 400 VALIDATION_ERROR with the detail wrong_password.',
    }),
  ),
  workspaces: Type.Optional(
    Type.Unsafe<'delete' | 'refuse'>({
      type: 'string',
      enum: ['delete', 'refuse'],
      description:
        'What becomes of workspaces without another owner: `delete` deletes them, too; `refuse` (the default) answers 409 and names them.',
    }),
  ),
})
export type DeleteAccount = Static<typeof DeleteAccount>
