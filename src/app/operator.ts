import type { createAuthService } from './auth.ts'
import type { Dependencies } from './dependencies.ts'
import { ApiError, OperatorError } from '../base/errors.ts'
import { requireSession } from '../services/acting.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import { createBootstrap } from '../services/accounts/bootstrap.ts'
import type { ApiKeys } from '../services/api-keys/api-keys.ts'
import { hashKey, isKeyShaped } from '../services/api-keys/key.ts'
import { verifyAuditChain, type Verification } from '../services/audit-log/verify.ts'
import { checkNewPassword } from '../services/auth/password-rule.ts'
import { voidPendingSignUps } from '../services/auth/pending-sign-ups.ts'
import { revokeSignIns } from '../services/auth/revocation.ts'
import { GONE_SESSION_COOKIE, revokeSessions } from '../services/auth/sessions.ts'
import { issueToken } from '../services/auth/tokens.ts'
import { readUser, requireOwner } from '../services/auth/users.ts'
import { createSetWorkspacePlan, type SetPlan } from '../services/billing/set-plan.ts'
import type { Members } from '../services/members/members.ts'
import { createOperatorWorkspaces } from '../services/operator/workspaces.ts'
import type { Purge } from '../services/purge.ts'
import type { Workspaces } from '../services/workspaces/workspaces.ts'

type Neighbors = {
  setPlan: SetPlan
  auth: Pick<ReturnType<typeof createAuthService>, 'passwords' | 'throttle' | 'revokeAllAccess'>
  apiKeys: Pick<ApiKeys, 'replace'>
  members: Members
  workspaces: Workspaces
  purge: Purge
}

const DAY_MS = 86_400_000
/** Breaks in one answer. */
const MAX_BROKEN_SHOWN = 100

export type OperatorRules = ReturnType<typeof createOperatorRules>

/** The operator's commands, and the export and closing of accounts. */
export function createOperatorRules(deps: Dependencies, neighbors: Neighbors) {
  const { stores, clock, audit, limit, plans, recordSecurity: security } = deps
  const { auth, apiKeys, members, workspaces, purge, setPlan } = neighbors
  const { systemSql } = stores
  const bootstrap = createBootstrap({
    sql: systemSql,
    clock,
    audit,
    limit,
    security,
    apiKeys,
    keyShape: { isKeyShaped, hashKey },
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
  const accounts = createAccounts({
    systemSql,
    reads: deps.reads,
    mails: deps.mails,
    clock,
    security,
    members,
    workspaces,
    confirmOwner: async (caller, password) => {
      const session = requireSession(caller)
      const { emailKey } = await readUser(systemSql, session)
      await auth.throttle.guess(caller, emailKey)
      const owner = { systemSql, clock, passwords: auth.passwords }
      return requireOwner(owner, session, password, 'password')
    },
    voidPendingSignUps,
    revokeSessions: (tx, userId) => revokeSessions(tx, userId, null),
    goneCookie: GONE_SESSION_COOKIE,
  })
  return {
    bootstrap,
    accounts,
    workspaces: createOperatorWorkspaces({ systemSql, clock, audit, security, purge }),
    setWorkspacePlan: createSetWorkspacePlan({ systemSql, plans, setPlan }),
    verify: () => verifyAuditChain(systemSql),
  }
}

/** The answer of `verify`: the first breaks, and their number (a thousand means at least a thousand). */
export type VerifyAnswer = Verification & { brokenTotal: number }

/**
 * Operations of the command line, by command: functions from JSON to JSON, run by the server through its
 * socket, or by the command line itself while no server runs. All throw OperatorError for bad input.
 */
export function createOperations(rules: OperatorRules) {
  const { bootstrap, accounts, workspaces, setWorkspacePlan, verify } = rules
  const operations = {
    bootstrap: bootstrap.create,
    workspaces: workspaces.list,
    suspend: workspaces.suspend,
    resume: workspaces.resume,
    'rate-limit': workspaces.setRateLimit,
    purge: workspaces.remove,
    plan: setWorkspacePlan,
    'export-account': accounts.exportByEmail,
    verify: async (_input: object): Promise<VerifyAnswer> => {
      const result = await verify()
      const broken = result.broken.slice(0, MAX_BROKEN_SHOWN)
      return { ...result, broken, brokenTotal: result.broken.length }
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
