import type { createAuthService } from './auth.ts'
import { ApiError, OperatorError } from '../base/errors.ts'
import type { Abuse } from './abuse.ts'
import type { Accounts } from '../services/accounts/accounts.ts'
import type { ApiKeys } from '../services/api-keys/api-keys.ts'
import { isKeyShaped } from '../services/api-keys/key.ts'
import { recountLinks, type Recount } from '../services/analytics/recount.ts'
import { recountConversions, type ConversionRecount } from '../services/conversions/recount.ts'
import { verifyAuditChain, type Verification } from '../services/audit-log/verify.ts'
import { checkNewPassword } from '../services/auth/password-rule.ts'
import { revokeSignIns } from '../services/auth/revocation.ts'
import { issueToken } from '../services/auth/tokens.ts'
import type { SetPlan } from '../services/billing/set-plan.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { createBootstrap } from '../services/operator/bootstrap.ts'
import { createSetWorkspacePlan } from '../services/operator/plan.ts'
import { createOperatorWorkspaces } from '../services/operator/workspaces.ts'
import type { Purge } from '../services/purge.ts'

type Neighbors = {
  setPlan: SetPlan
  auth: Pick<ReturnType<typeof createAuthService>, 'passwords' | 'revokeAllAccess'>
  apiKeys: Pick<ApiKeys, 'replace'>
  accounts: Accounts
  purge: Purge
}

const DAY_MS = 86_400_000
/** Breaks in one answer. */
const MAX_BROKEN_SHOWN = 100

export type OperatorRules = ReturnType<typeof createOperatorRules> & Abuse['operator']

/** The rules of the operator's commands. */
export function createOperatorRules(deps: Dependencies, neighbors: Neighbors) {
  const { systemSql, clickhouse, clock, plans } = deps
  const { auth, apiKeys, accounts, purge, setPlan } = neighbors
  const bootstrap = createBootstrap({
    ...deps,
    apiKeys,
    isKeyShaped,
    initialPlan: plans.initial.id,
    passwords: {
      check: checkNewPassword,
      hash: (password) => auth.passwords.hash(password),
      revokeSignIns,
    },
    revokeAllAccess: auth.revokeAllAccess,
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
    verify: () => verifyAuditChain(systemSql),
    recount: (options: { repair?: boolean }) =>
      recountLinks({ sql: systemSql, clickhouse }, options),
    recountConversions: (options: { repair?: boolean }) =>
      recountConversions({ sql: systemSql, clickhouse }, options),
  }
}

/**
 * The answer of `verify`: the first breaks of audit logs, and their number (a thousand means at least a
 * thousand), the counters of links, and the conversions in both databases.
 */
export type VerifyAnswer = Verification & {
  brokenTotal: number
  counters: Recount
  conversions: ConversionRecount
}

/**
 * Operations of the command line, by command: functions from JSON to JSON, run by the server through its
 * socket, or by the command line itself while no server runs. All throw OperatorError for bad input.
 */
export function createOperations(rules: OperatorRules) {
  const { bootstrap, accounts, workspaces, setWorkspacePlan, verify, recount } = rules
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
    verify: async ({ repair }: { repair?: boolean }): Promise<VerifyAnswer> => {
      const result = await verify()
      const broken = result.broken.slice(0, MAX_BROKEN_SHOWN)
      const options = { repair: repair === true }
      const counters = await recount(options)
      const conversions = await rules.recountConversions(options)
      return { ...result, broken, brokenTotal: result.broken.length, counters, conversions }
    },
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
