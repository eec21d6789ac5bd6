import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { databasesToMigrate, type TestDatabases } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { freePort } from '../../support/free-port.ts'
import { openPooler } from '../../support/pooler.ts'
import { openWorld } from '../../support/world.ts'
import { openPostgres, closePostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { openLog } from '../../../src/platform/core/log.ts'
import { holdDataDir } from '../../../src/platform/storage/installation/data-dir.ts'
import { openStores } from '../../../src/platform/storage/stores.ts'

const SKIP = spawnSync('pgbouncer', ['--version']).error ? 'pgbouncer is not installed' : false
/** PgBouncer does not run as root. */
const NOBODY = 65_534
const TIMEOUTS = 'set statement_timeout = 30000; set idle_in_transaction_session_timeout = 30000'

/** Starts PgBouncer in transaction mode before a database. @returns the address for DATABASE_POOL_URL */
async function openPgBouncer(
  t: TestContext,
  { postgresUrl }: TestDatabases,
  connectQuery: (role: string) => string,
): Promise<string> {
  const folder = freshFolder()
  const port = await freePort()
  // The embedded PostgreSQL admits the user of this process, and PgBouncer has another.
  const url = new URL((await openPooler(t, postgresUrl, [])).url)
  const databases = ['signpost_request', 'signpost_worker'].map(
    (role) =>
      `${role} = host=${url.hostname} port=${url.port} user=${url.username} dbname=${url.pathname.slice(1)} connect_query='${connectQuery(role)}'`,
  )
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]\n${databases.join('\n')}\n[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
server_tls_sslmode = disable
pool_mode = transaction
default_pool_size = 4\n`,
  )
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  const child = spawn('pgbouncer', ['-q', file], { ...user, stdio: [...stdio] })
  t.after(() => child.kill('SIGKILL'))
  const address = `postgres://${url.username}@127.0.0.1:${port}/{role}`
  const probe = openPostgres(address.replace('{role}', 'signpost_worker'), { isPooled: true })
  t.after(() => closePostgres(probe))
  await eventually(async () => {
    await probe`select 1`.catch((error: Error) => {
      if (error.name === 'OperatorError') return
      throw error
    })
  })
  return address
}

test('the program works behind PgBouncer in transaction mode', { skip: SKIP }, async (t) => {
  const databases = await databasesToMigrate(t)
  const databasePoolUrl = await openPgBouncer(
    t,
    databases,
    (role) => `set role ${role}; set search_path = public; ${TIMEOUTS}`,
  )
  const world = await openWorld(t, { databases, config: { databasePoolUrl } })
  const [one, other] = [await world.member(), await world.member()]
  // More at once than PgBouncer has sessions of a role.
  const made = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const owner = i % 2 === 0 ? one : other
      const link = { name: `Link ${i}`, destinationUrl: `https://example.com/${i}` }
      return (await owner.post('/links', link)).body.data as { id: string; slug: string }
    }),
  )
  for (const owner of [one, other]) {
    const { data } = (await owner.get('/links')).body
    assert.equal(data.length, 12)
  }
  assert.equal((await one.get(`/links/${made[1]!.id}`)).status, 403)
  const visit = await fetch(`${world.origin}/${made[0]!.slug}`, { redirect: 'manual' })
  assert.equal(visit.headers.get('location'), 'https://example.com/0')
  const [pooled] = await world.sql<{ count: number }[]>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name in ('signpost', 'signpost-system')`
  assert.ok(pooled!.count <= 8, `${pooled!.count} sessions`)
})

test('a PgBouncer that does not set the role is refused', { skip: SKIP }, async (t) => {
  const databases = await databasesToMigrate(t)
  const databasePoolUrl = await openPgBouncer(t, databases, () => TIMEOUTS)
  using dataDir = holdDataDir(freshFolder(), Date.now)
  const { postgresUrl: databaseUrl, clickhouseUrl } = databases
  const settings = { databaseUrl, databasePoolUrl, clickhouseUrl, secretKey: null }
  const started = openStores(
    { ...settings, clickhouseEngine: 'MergeTree' },
    dataDir,
    openLog('silent'),
  )
  await assert.rejects(started, /pooler that DATABASE_POOL_URL names does not set the role/)
})
