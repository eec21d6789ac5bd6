import type { createAuthService } from './auth.ts'
import type { Ground } from './services.ts'
import { ApiError, OperatorError } from '../base/errors.ts'
import { requireSession } from '../services/acting.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import { createBootstrap } from '../services/accounts/bootstrap.ts'
import type { ApiKeys } from '../services/api-keys/api-keys.ts'
import { hashKey, isKeyShaped } from '../services/api-keys/key.ts'
import type { Audit } from '../services/audit.ts'
import { verifyAuditChain, type Verification } from '../services/audit-log/verify.ts'
import { checkNewPassword } from '../services/auth/password-rule.ts'
import { voidPendingSignUps } from '../services/auth/pending-sign-ups.ts'
import { revokeSignIns } from '../services/auth/revocation.ts'
import { GONE_SESSION_COOKIE, revokeSessions } from '../services/auth/sessions.ts'
import { issueToken } from '../services/auth/tokens.ts'
import { readUser, requireOwner } from '../services/auth/users.ts'
import { createSetWorkspacePlan, type SetPlan } from '../services/billing/set-plan.ts'
import type { Limit } from '../services/limits.ts'
import type { Members } from '../services/members/members.ts'
import { createOperatorWorkspaces } from '../services/operator/workspaces.ts'
import type { Plans } from '../services/plans.ts'
import type { Purge } from '../services/purge.ts'
import type { Workspaces } from '../services/workspaces/workspaces.ts'
import type { HeavyReads } from '../storage/heavy-reads.ts'

type Deps = Ground & {
  origin: () => string
  audit: Audit
  limit: Limit
  plans: Plans
  setPlan: SetPlan
  auth: Pick<ReturnType<typeof createAuthService>, 'passwords' | 'throttle' | 'revokeAllAccess'>
  apiKeys: Pick<ApiKeys, 'replace'>
  members: Members
  workspaces: Workspaces
  purge: Purge
  reads: HeavyReads
}

const DAY_MS = 86_400_000
/** Enough to see what was done to the log; all of them would not fit into an answer. */
const MAX_BROKEN_SHOWN = 100

export type OperatorRules = ReturnType<typeof createOperatorRules>

/** What the operator may do, and the accounts' own two ends, put together. */
export function createOperatorRules(deps: Deps) {
  const { stores, clock, auth, audit, plans, recordSecurity: security } = deps
  const { systemSql } = stores
  const bootstrap = createBootstrap({
    ...deps,
    sql: systemSql,
    security,
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
    ...deps,
    systemSql,
    security,
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
    workspaces: createOperatorWorkspaces({ systemSql, clock, audit, security, purge: deps.purge }),
    setWorkspacePlan: createSetWorkspacePlan({ systemSql, plans, setPlan: deps.setPlan }),
    verify: () => verifyAuditChain(systemSql),
  }
}

/** What `verify` answers: the first breaks, and how many there are (a thousand: at least so many). */
export type VerifyAnswer = Verification & { brokenTotal: number }

/**
 * What can be asked of a running server through its socket, and of the command line when none runs:
 * functions from JSON to JSON, by the name of their command. All throw OperatorError for bad input.
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
  return inSentences(operations)
}

export type Operations = ReturnType<typeof createOperations>

/** What a client would get as an error body is for the operator one sentence. */
function inSentences<T extends Record<string, (input: never) => Promise<unknown>>>(
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
