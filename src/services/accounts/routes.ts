import { accountRoute } from '../../base/route.ts'
import type { Accounts } from './accounts.ts'
import { AccountExport, DeleteAccount } from './schema.ts'

const tag = 'Profile'

/** The two ends of an account: all that is kept of it, and its deletion. */
export const accountRoutes = (accounts: Accounts) => [
  accountRoute({
    method: 'GET',
    path: '/auth/user/export',
    credential: 'session',
    tier: 'auth',
    status: 200,
    summary: 'Everything that is kept about you, without secrets',
    tag,
    shapes: { reply: AccountExport },
    handle: (caller, _input, signal) => accounts.export(caller, signal),
  }),
  accountRoute({
    method: 'DELETE',
    path: '/auth/user',
    credential: 'session',
    tier: 'auth',
    status: 204,
    summary: 'Delete your account, and with `workspaces: "delete"` what only you own',
    tag,
    shapes: { body: DeleteAccount },
    handle: (caller, { body }) => accounts.remove(caller, body),
  }),
]
