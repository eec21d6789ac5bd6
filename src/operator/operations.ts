import type { SignIn } from '../accounts/sign-in/open.ts'
import { ApiError, OperatorError } from '../platform/core/errors.ts'
import type { Abuse } from './abuse/open.ts'
import type { Accounts } from '../accounts/accounts/accounts.ts'
import type { ApiKeys } from '../accounts/api-keys/api-keys.ts'
import { isKeyShaped } from '../accounts/api-keys/key.ts'
import { checkNewPassword } from '../accounts/passwords/password-rule.ts'
import { revokeSignIns } from '../accounts/sign-in/revocation.ts'
import { issueToken } from '../accounts/sign-in/tokens.ts'
import type { SetPlan } from './billing/set-plan.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import { createBootstrap } from './workspaces/bootstrap.ts'
import { createSetWorkspacePlan } from './workspaces/plan.ts'
import { createOperatorWorkspaces } from './workspaces/workspaces.ts'
import type { Purge } from './purge.ts'
import { verify } from './verify.ts'

type Neighbors = {
  setPlan: SetPlan
  signIn: Pick<SignIn, 'passwords' | 'revokeAllAccess'>
  apiKeys: Pick<ApiKeys, 'replace'>
  accounts: Accounts
  purge: Purge
}

const DAY_MS = 86_400_000

export type OperatorRules = ReturnType<typeof createOperatorRules> & Abuse['operator']

/** The rules of the operator's commands. */
export function createOperatorRules(deps: Dependencies, neighbors: Neighbors) {
  const { systemSql, clock, plans } = deps
  const { signIn, apiKeys, accounts, purge, setPlan } = neighbors
  const bootstrap = createBootstrap({
    ...deps,
    apiKeys,
    isKeyShaped,
    initialPlan: plans.initial.id,
    passwords: {
      check: checkNewPassword,
      hash: (password) => signIn.passwords.hash(password),
      revokeSignIns,
    },
    revokeAllAccess: signIn.revokeAllAccess,
    setPasswordUrl: async (tx, userId) => {
      const token = await issueToken({ clock }, tx, userId, 'reset_password', DAY_MS)
      return `${deps.origin()}/v1/auth/reset-password?token=${encodeURIComponent(token)}`
    },
  })
  return {
    bootstrap,
    accounts,
    workspaces: createOperatorWorkspaces({ ...deps, purge }),
    setWorkspacePlan: createSetWorkspacePlan({ systemSql, plans, setPlan }),
    verify: (options: { repair?: boolean }) => verify(deps, options),
  }
}

/**
 * Operations of the command line, by command: functions from JSON to JSON, run by the server through its
 * socket, or by the command line itself while no server runs. All throw OperatorError for bad input.
 */
export function createOperations(rules: OperatorRules) {
  const { bootstrap, accounts, workspaces, setWorkspacePlan } = rules
  const { blocks, reports } = rules
  const operations = {
    bootstrap: bootstrap.create,
    workspaces: workspaces.list,
    suspend: workspaces.suspend,
    resume: workspaces.resume,
    'rate-limit': workspaces.setRateLimit,
    purge: workspaces.remove,
    plan: setWorkspacePlan,
    block: blocks.block,
    unblock: blocks.unblock,
    blocks: (_input: object) => blocks.list(),
    reports: reports.list,
    'resolve-report': reports.resolve,
    'export-account': accounts.exportByEmail,
    verify: rules.verify,
  }
  return withOperatorErrors(operations)
}

export type Operations = ReturnType<typeof createOperations>

/** An ApiError becomes an OperatorError with its message. */
function withOperatorErrors<T extends Record<string, (input: never) => Promise<unknown>>>(
  operations: T,
): T {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      async (input: never) => {
        try {
          return await operation(input)
        } catch (error) {
          throw error instanceof ApiError ? new OperatorError(error.message) : error
        }
      },
    ]),
  ) as T
}
