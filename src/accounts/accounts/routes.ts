import { route } from '../../platform/routes/route.ts'
import type { Accounts } from './accounts.ts'
import { AccountExport, DeleteAccount, DeleteAccountQuery } from './schema.ts'

const tag = 'Profile'

export const accountRoutes = (accounts: Accounts) => [
  route('GET /auth/user/export', {
    requires: { credential: 'session' },
    tier: 'auth',
    name: 'exportUser',
    summary: 'Export all stored data about you, without secrets',
    description: 'Returns the account, its memberships, sessions and logs as one document.',
    tag,
    shapes: { reply: AccountExport },
    handle: (caller, _input, signal) => accounts.export(caller, signal),
  }),
  route('DELETE /auth/user', {
    requires: { credential: 'session' },
    tier: 'auth',
    status: 204,
    name: 'deleteUser',
    summary:
      'Delete your account, and with `workspaces: "delete"` the workspaces that only you own',
    description: 'Takes the password in the body; `workspaces` may also be in the query.',
    errors: ['SESSION_NOT_FRESH'],
    tag,
    shapes: { query: DeleteAccountQuery, body: DeleteAccount },
    handle: (caller, { query, body }) => accounts.remove(caller, { ...query, ...body }),
  }),
]
