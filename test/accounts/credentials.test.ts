import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { announceCredentials } from '../../src/accounts/credentials/cache.ts'
import { createCredentials, type Credentials } from '../../src/accounts/credentials/credentials.ts'
import type { KeyHolder } from '../../src/accounts/api-keys/authentication.ts'
import type { SessionHolder } from '../../src/accounts/sign-in/sessions.ts'
import { createListener } from '../../src/platform/storage/postgres/listen.ts'
import { Notices } from '../../src/platform/storage/postgres/notices.ts'
import {
  inTransaction,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { openProxy } from '../support/database-proxy.ts'
import { freshPostgres } from '../support/engines.ts'
import { eventually } from '../support/world.ts'
import { asSystem } from '../support/privileges.ts'
import { addMembership, addUser, addWorkspace } from '../support/fixtures.ts'

/**
 * As many statements as each process has sent, as many about keys as have been answered, and a gate
 * that keeps these answers back.
 */
type Process = { credentials: Credentials; queries: number; answers: number; gate: Promise<void> }
type Row = { id: string; userId: string; workspaceId: string; expiresAt: Date | null }

const NOW = Date.parse('2026-05-01T12:00:00.000Z')

test('remembered credentials', async (t) => {
  const { sql, postgresUrl } = await freshPostgres(t)
  const clock = { now: NOW }
  await seed(sql)
  const one = await startProcess(t, sql, postgresUrl, clock)
  const proxy = await openProxy(t, postgresUrl)
  const other = await startProcess(t, sql, proxy.url, clock)
  const both = [one, other]
  let serial = 0
  const newKey = async (expiresAt: Date | null = null) => {
    const token = `token-${++serial}`
    await insertKey(sql, token, expiresAt)
    return token
  }

  // Statements are counted again where the machine paused: what a listener has not heard for a
  // second is doubted, and read again.
  await t.test('a warm credential costs no statement', async () =>
    eventually(async () => {
      const token = await newKey()
      await one.credentials.key(token)
      const before = one.queries
      for (let i = 0; i < 100; i++)
        assert.equal((await one.credentials.key(token))?.keyId, `key_${token}`)
      await one.credentials.session(`session-of-${token}`, null)
      await one.credentials.session(`session-of-${token}`, null)
      assert.equal(one.queries, before + 1)
    }),
  )

  await t.test('many who ask at once are answered by one statement', async () =>
    eventually(async () => {
      const token = await newKey()
      const before = one.queries
      const found = await Promise.all(
        Array.from({ length: 50 }, async () => one.credentials.key(token)),
      )
      assert.ok(found.every((holder) => holder?.keyId === `key_${token}`))
      assert.equal(one.queries, before + 1)
    }),
  )

  for (const [what, changed] of [
    ['its own id', (token: string) => `key:key_${token}` as const],
    ['its user', () => 'user:usr_1' as const],
    ['its workspace', () => 'workspace:ws_1' as const],
  ] as const)
    await t.test(`a key revoked by ${what} is soon refused on every process`, async () => {
      const token = await newKey()
      for (const { credentials } of both) assert.ok(await credentials.key(token))
      await inTransaction(sql, async (tx) => {
        await tx`delete from api_keys where id = ${`key_${token}`}`
        await announceCredentials(tx, changed(token))
      })
      for (const { credentials } of both)
        await eventually(async () => assert.equal(await credentials.key(token), null), 30_000, 1)
    })

  await t.test('a session is dropped by its own id, user and workspace', async () => {
    for (const changed of ['session:ses_x', 'user:usr_1', 'workspace:ws_1'] as const)
      await eventually(async () => {
        assert.ok(await one.credentials.session('x', 'ws_1'))
        const before = one.queries
        await announceCredentials(asSystem(sql), changed)
        await eventually(async () => {
          await one.credentials.session('x', 'ws_1')
          assert.ok(one.queries > before)
        })
        assert.equal(one.queries, before + 1)
      })
  })

  await t.test('what changes while it is loaded is not kept, and not joined', async () => {
    const token = await newKey()
    const open = shut(one)
    const before = one.answers
    const early = one.credentials.key(token)
    await eventually(async () => assert.equal(one.answers, before + 1))
    await inTransaction(sql, async (tx) => {
      await tx`update api_keys set scopes = ${['links:read']} where id = ${`key_${token}`}`
      await announceCredentials(tx, `key:key_${token}`)
    })
    await heard(sql, one)
    const late = one.credentials.key(token)
    open()
    assert.equal((await early)?.scopes, null)
    assert.deepEqual((await late)?.scopes, ['links:read'])
    assert.deepEqual((await one.credentials.key(token))?.scopes, ['links:read'])
  })

  await t.test('ten seconds are the longest, and the end of a key comes first', async () =>
    eventually(async () => {
      const startedAt = clock.now
      try {
        const lasting = await newKey()
        const ending = await newKey(new Date(startedAt + 3_000))
        for (const token of [lasting, ending]) assert.ok(await one.credentials.key(token))
        let before = one.queries
        clock.now = startedAt + 3_000
        assert.equal(await one.credentials.key(ending), null)
        assert.ok(await one.credentials.key(lasting))
        assert.equal(one.queries, before + 1)
        before = one.queries
        clock.now = startedAt + 10_000
        await one.credentials.key(lasting)
        assert.equal(one.queries, before + 1)
        clock.now = startedAt - 50_000
        await one.credentials.key(lasting)
        assert.equal(one.queries, before + 2, 'a clock that was set back makes an answer doubtful')
      } finally {
        clock.now = startedAt + 10_000
      }
    }),
  )

  await t.test(
    'an unknown key is believed unknown for two seconds, or until a change',
    async () => {
      const late = await eventually(async () => {
        const token = `late-${++serial}`
        const before = one.queries
        for (let i = 0; i < 10; i++) assert.equal(await one.credentials.key(token), null)
        assert.equal(one.queries, before + 1)
        return token
      })
      await insertKey(sql, late, null)
      clock.now += 2_000
      assert.ok(await one.credentials.key(late))
      assert.equal(await one.credentials.key('later'), null)
      await inTransaction(sql, async (tx) => {
        await insertKey(tx as unknown as Sql, 'later', null)
        await announceCredentials(tx, 'key:key_later')
      })
      await eventually(async () => assert.ok(await one.credentials.key('later')))
    },
  )

  await t.test('what is missed while a listener is cut off is soon doubted', async () => {
    const token = await newKey()
    for (const { credentials } of both) assert.ok(await credentials.key(token))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'test-listener' and datname = current_database()`
    await sql`delete from api_keys where id = ${`key_${token}`}`
    for (const { credentials } of both)
      await eventually(async () => assert.equal(await credentials.key(token), null), 30_000, 1)
  })

  await t.test('while a listener is disconnected every check asks the database', async () => {
    await eventually(async () => assert.ok(other.credentials.stats().isConnected))
    proxy.cut()
    await eventually(async () => assert.equal(other.credentials.stats().isConnected, false))
    const before = other.queries
    for (let i = 0; i < 3; i++) await other.credentials.key('unknown')
    assert.equal(other.queries, before + 3)
    proxy.restore()
    await eventually(async () => assert.ok(other.credentials.stats().isConnected))
  })

  await t.test('no token is kept', async () => {
    await eventually(async () => assert.ok(one.credentials.stats().isConnected))
    const token = await newKey()
    await one.credentials.key(token)
    assert.doesNotMatch(JSON.stringify(one.credentials.stats()), new RegExp(token))
    assert.ok(one.credentials.stats().remembered > 0)
  })
})

async function startProcess(
  t: TestContext,
  sql: Sql,
  url: string,
  clock: { now: number },
): Promise<Process> {
  const made: Process = {
    credentials: null as never,
    queries: 0,
    answers: 0,
    gate: Promise.resolve(),
  }
  const notices = new Notices(null)
  made.credentials = createCredentials({
    keys: {
      authenticate: async (token) => {
        made.queries++
        const { gate } = made
        const holder = await findKey(sql, token, clock.now)
        made.answers++
        await gate
        return holder
      },
      noteUse: () => {},
    },
    noteActivity: () => {},
    sessions: {
      authenticate: async (token) => {
        made.queries++
        await sql`select 1`
        return sessionOf(token, clock.now)
      },
    },
    notices,
    clock: () => clock.now,
  })
  const listenerSql = openPostgres(url, { maxConnections: 1, applicationName: 'test-listener' })
  const listener = createListener({ sql: listenerSql, notices, log: openLog('silent') })
  const stop = new AbortController()
  const running = listener.run(stop.signal)
  t.after(async () => {
    stop.abort()
    await running
  })
  await eventually(async () => assert.ok(made.credentials.stats().isConnected))
  return made
}

/** Keeps back the answers of loads that begin from now on. @returns what lets them through */
function shut(process: Process): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  process.gate = promise
  return () => {
    process.gate = Promise.resolve()
    resolve()
  }
}

/** Resolves when a notification of now, and therefore every one before it, has arrived. */
async function heard(sql: Sql, process: Process): Promise<void> {
  const ask = () => process.credentials.session('marker', 'ws_1')
  await ask()
  const before = process.queries
  await announceCredentials(asSystem(sql), 'session:ses_marker')
  await eventually(async () => {
    await ask()
    assert.ok(process.queries > before)
  })
}

async function seed(sql: Sql): Promise<void> {
  await addUser(sql, { id: 'usr_1' })
  await addWorkspace(sql, { id: 'ws_1' })
  await addMembership(sql, { workspaceId: 'ws_1', userId: 'usr_1' })
}

async function insertKey(sql: Sql, token: string, expiresAt: Date | null): Promise<void> {
  const now = new Date(NOW)
  await sql`insert into api_keys (id, workspace_id, user_id, name, prefix, key_hash, expires_at, created_at, updated_at)
    values (${`key_${token}`}, 'ws_1', 'usr_1', 'k', 'sp_', ${Buffer.from(token)}, ${expiresAt}, ${now}, ${now})`
}

async function findKey(sql: Sql, token: string, nowMs: number): Promise<KeyHolder | null> {
  const [row] = await sql<(Row & { scopes: string[] | null })[]>`
    select id, user_id, workspace_id, expires_at, scopes from api_keys
    where key_hash = ${Buffer.from(token)} and (expires_at is null or expires_at > ${new Date(nowMs)})`
  if (!row) return null
  return {
    keyId: row.id,
    userId: row.userId,
    workspaceId: row.workspaceId,
    role: 'owner',
    scopes: row.scopes,
    ipAllowlist: [],
    expiresAt: row.expiresAt,
    lastUsedAt: null,
    plan: 'self_hosted',
    apiRequestsPerMinute: null,
    isSuspended: false,
  }
}

function sessionOf(token: string, nowMs: number): SessionHolder {
  return {
    session: {
      id: `ses_${token}`,
      userId: 'usr_1',
      workspaceId: 'ws_1',
      createdAt: new Date(nowMs),
    },
    expiresAt: new Date(nowMs + 3_600_000),
    membership: {
      workspaceId: 'ws_1',
      role: 'owner',
      plan: 'self_hosted',
      apiRequestsPerMinute: null,
      isSuspended: false,
    },
  }
}
