import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { hashToken, createSecrets } from '../../src/platform/core/secrets.ts'
import type { Limiter } from '../../src/platform/resources/dependencies.ts'
import type { Caller, Cookie, Session } from '../../src/platform/routes/caller.ts'
import { ApiError, type ErrorCode } from '../../src/platform/core/errors.ts'
import { newId } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import type { Reply } from '../../src/platform/routes/route.ts'
import { insertKey } from '../../src/accounts/api-keys/key.ts'
import { Passwords } from '../../src/accounts/passwords/passwords.ts'
import type { SignInDeps } from '../../src/accounts/sign-in/users.ts'
import { createThrottle } from '../../src/accounts/sign-in/throttle.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createSecurityRecorder } from '../../src/platform/audit/security.ts'
import { createLimit } from '../../src/platform/plans/limits.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
} from '../../src/platform/storage/postgres/postgres.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from './engines.ts'
import {
  addMembership,
  addUser,
  addWorkspace,
  hashCheaply,
  saveNoResponse,
  toCaller,
  toPrincipal,
} from './fixtures.ts'

export const ORIGIN = 'http://localhost:3000'
const UNLIMITED: Limiter = { consume: async () => undefined }

let serial = 0

/** Databases of one test, as the worker role sees them, and what every rule of sign-in needs. */
export async function openDependencies(t: TestContext) {
  hashCheaply(t)
  const databases = await freshPostgres(t)
  const sql = openPostgres(databases.postgresUrl, { role: WORKER_ROLE })
  const limits = await openRateLimits({ redisUrl: null, log: openLog('silent') })
  t.after(() => Promise.all([closePostgres(sql), limits[Symbol.asyncDispose]()]))
  const time = { now: Date.now() }
  const clock = () => time.now
  const secrets = createSecrets('a secret key of a test, long enough')
  const plans = readPlans(null)
  const passwords = new Passwords(secrets.keyFor('password-salt'))
  const limiters = {
    accountLimiter: UNLIMITED,
    accountIpLimiter: UNLIMITED,
    mailLimiter: UNLIMITED,
    mailNetworkLimiter: UNLIMITED,
  }
  const shared: SignInDeps = {
    ...{ systemSql: sql, clock, secrets, plans, passwords },
    ...{ signup: 'open', requireEmailVerification: true, mails: {} as SignInDeps['mails'] },
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    recordSecurity: createSecurityRecorder(clock),
    saveIdempotentResponse: saveNoResponse,
    throttle: createThrottle({ systemSql: sql, clock, secrets, ...limiters }),
    factorLimiter: limits.limiter('factor', { points: 100, seconds: 60 }),
  }
  return {
    ...shared,
    ...limiters,
    postgresUrl: databases.postgresUrl,
    ...{ sql, time, limits },
    /** Passwords that are all right, or only those that `isRight` takes. */
    passwordsThat: (isRight: (password: string) => boolean) =>
      Object.assign(new Passwords(secrets.keyFor('password-salt')), {
        verify: async (_hash: string | null, password: string) => isRight(password),
      }),
    /** The user and the method of the session in a browser's cookie; null without one. */
    async sessionOf(browser: Browser) {
      const token = browser.cookies.signpost_session
      if (token === undefined) return null
      const [row] = await sql<{ userId: string; method: string }[]>`
        select user_id, method from sessions where token_hash = ${hashToken(token)}`
      return row ?? null
    },
    /** An API key of a user, in a workspace of theirs. */
    async addKey(userId: string) {
      const workspaceId = await addWorkspace(sql, { nowMs: time.now })
      await addMembership(sql, { workspaceId, userId, nowMs: time.now })
      const values = { name: 'Key', scopes: null, ipAllowlist: [], expiresAt: null }
      await inTransaction(sql, async (tx) => {
        await shared.limit(tx, workspaceId, 'api_keys')
        await insertKey(tx, toPrincipal(userId, workspaceId), values, time.now)
      })
    },
    /** An open invitation of an address. */
    async invite(email: string) {
      const workspaceId = await addWorkspace(sql, { nowMs: time.now })
      const now = new Date(time.now)
      await sql`insert into invitations ${sql({
        ...{ id: newId('inv', time.now), workspaceId, email, emailKey: email, role: 'member' },
        ...{ tokenHash: hashToken(email), invitedBy: null, createdAt: now, updatedAt: now },
        expiresAt: new Date(time.now + 60_000),
      })}`
    },
    async countKeys(userId: string) {
      return (await sql`select 1 from api_keys where user_id = ${userId}`).length
    },
    async addUser({ email = `user-${++serial}@example.com`, passwordHash = 'a hash' } = {}) {
      const given = { email, passwordHash: passwordHash || null, nowMs: time.now }
      const { id } = await addUser(sql, given)
      return { id, email }
    },
    /** In the order of the alphabet: ids of one millisecond have none of their own. */
    async securityTypes(userId: string | null) {
      const rows = await sql<{ type: string }[]>`
        select type from security_log where user_id is not distinct from ${userId}`
      return rows.map(({ type }) => type).toSorted()
    },
  }
}
/** Keeps cookies between calls, as browsers do, and optionally a session. */
export class Browser {
  cookies: Record<string, string> = {}
  session: Session | null = null
  wantsHtml = false
  readonly origin: string

  constructor(origin = ORIGIN) {
    this.origin = origin
  }

  signIn(userId: string, atMs: number): this {
    this.session = {
      id: newId('ses', atMs),
      userId,
      workspaceId: null,
      createdAt: new Date(atMs),
    }
    return this
  }

  get caller(): Caller {
    const { origin, wantsHtml, session } = this
    return toCaller({ origin, wantsHtml, cookies: { ...this.cookies }, session })
  }

  keep<R extends { cookies?: readonly Cookie[] }>(reply: R): R {
    for (const { name, value, maxAgeSeconds } of reply.cookies ?? []) {
      if (maxAgeSeconds === 0) delete this.cookies[name]
      else this.cookies[name] = value
    }
    return reply
  }
}

/** The data of an answer that has some. */
export function dataOf<T>(reply: Reply<T>): T {
  assert.ok('data' in reply, JSON.stringify(reply))
  return reply.data
}

export async function refusedWith(work: Promise<unknown>, code: ErrorCode): Promise<ApiError> {
  const error = await work.then(
    (value) => assert.fail(`not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(error.code, code)
  return error
}
