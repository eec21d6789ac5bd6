import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Caller, Cookie, Session } from '../../../src/platform/routes/caller.ts'
import { ApiError, type ErrorCode } from '../../../src/platform/core/errors.ts'
import { newId } from '../../../src/platform/core/ids.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import type { Reply } from '../../../src/platform/routes/route.ts'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import type { CompleteSignIn } from '../../../src/accounts/sign-in/complete-sign-in.ts'
import { createSecurityRecorder } from '../../../src/platform/audit/security.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { openRateLimits } from '../../../src/platform/limits/rate-limits.ts'
import { WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../../support/engines.ts'
import { addUser, toCaller } from '../../support/fixtures.ts'

export const ORIGIN = 'http://localhost:3000'

let serial = 0

/** Databases of one test, as the worker role sees them, and what every rule of sign-in needs. */
export async function openDependencies(t: TestContext) {
  const databases = await freshPostgres(t)
  const sql = openPostgres(databases.postgresUrl, { role: WORKER_ROLE })
  const limits = await openRateLimits({ redisUrl: null, log: openLog('silent') })
  t.after(() => Promise.all([closePostgres(sql), limits[Symbol.asyncDispose]()]))
  const time = { now: Date.now() }
  const clock = () => time.now
  const secrets = createSecrets('a secret key of a test, long enough')
  const factorLimiter = limits.limiter('factor', { points: 100, seconds: 60 })
  return {
    postgresUrl: databases.postgresUrl,
    sql,
    systemSql: sql,
    time,
    clock,
    secrets,
    limits,
    factorLimiter,
    recordSecurity: createSecurityRecorder(clock),
    /** The last step of a sign-in without a session: the reply names the user and the method. */
    completeSignIn: (async (_caller: Caller, userId: string, method: string) => ({
      data: { userId, method },
      cookies: [{ name: 'signpost_session', value: `session of ${userId}` }],
    })) as unknown as CompleteSignIn,
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
