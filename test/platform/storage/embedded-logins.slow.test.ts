import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { openEngines, type Engines } from '../../../src/platform/storage/embedded/engines.ts'
import { LOGIN, SUPERUSER } from '../../../src/platform/storage/embedded/postgres-setup.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../../src/platform/storage/postgres/roles.ts'
import { freshDataDir } from '../../support/program.ts'

const PROGRAM = join(import.meta.dirname, '../../support/hold-engines.ts')
const log = openLog('silent')

function openPostgresEngine(dataDir: string): Promise<Engines> {
  return openEngines({ dataDir, log, postgres: true, clickhouse: false })
}

async function withPool<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPostgres(url, { maxConnections: 2 })
  try {
    return await work(sql)
  } finally {
    await closePostgres(sql)
  }
}

test('the login of the embedded PostgreSQL is not a superuser and may become two roles alone', async (t) => {
  await using engines = await openPostgresEngine(freshDataDir(t))
  const url = engines.postgresUrl!
  await withPool(url, async (sql) => {
    const [own] = await sql`
      select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
      from pg_roles where rolname = session_user`
    assert.deepEqual(own, {
      rolname: LOGIN,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    })
    const roles = await sql<{ name: string }[]>`
      select rolname as name from pg_roles
      where pg_has_role(session_user, oid, 'set') and rolname <> session_user order by rolname`
    // Every owner of a database belongs to the first, which owns the schema public and nothing else.
    const names = roles.map(({ name }) => name).filter((name) => name !== 'pg_database_owner')
    assert.deepEqual(names, [REQUEST_ROLE, WORKER_ROLE])
    for (const statement of [
      `set role ${SUPERUSER}`,
      `set session authorization ${SUPERUSER}`,
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
      'create role other',
      'create database other',
      `alter role ${LOGIN} superuser`,
      `alter system set fsync = off`,
    ])
      await assert.rejects(sql.unsafe(statement), { code: '42501' }, statement)
    // Statements that a migration may need.
    await sql.unsafe('create extension pg_trgm; create extension btree_gin')
  })
  const asSuperuser = new URL(url)
  asSuperuser.username = SUPERUSER
  await assert.rejects(
    withPool(asSuperuser.href, (sql) => sql`select 1`),
    { code: '28000' },
  )
})

test(
  'data that a copy gave to another user is refused with the command to run',
  { skip: process.getuid?.() !== 0 && 'only root can give files away' },
  async (t) => {
    const dataDir = freshDataDir(t)
    const data = join(dataDir, 'postgres/data')
    mkdirSync(data, { recursive: true, mode: 0o700 })
    // As `cp -r` by root leaves it.
    assert.equal(statSync(data).uid, 0)
    await assert.rejects(openPostgresEngine(dataDir), {
      name: 'OperatorError',
      message:
        /data belongs to uid 0, and PostgreSQL runs as uid (\d+) here: run "chown -R \1:\d+ /,
    })
  },
)

test(
  'an account without a name gets a message that says what to do',
  { skip: process.getuid?.() !== 0 && 'only root can become another account' },
  async (t) => {
    const dataDir = freshDataDir(t)
    const uid = 54_321
    chownSync(dataDir, uid, uid)
    const holder = spawn(process.execPath, [PROGRAM, dataDir, 'postgres'], {
      uid,
      gid: uid,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    holder.stderr.on('data', (chunk) => (said += String(chunk)))
    await once(holder, 'close')
    if (/Cannot find module|EACCES/.test(said)) return t.skip('the checkout is closed to others')
    assert.match(said, /OperatorError: The embedded PostgreSQL needs uid 54321 to have a name/)
    return undefined
  },
)
