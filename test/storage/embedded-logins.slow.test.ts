import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/base/log.ts'
import { openClickHouse } from '../../src/storage/clickhouse.ts'
import { openEngines, type Engines } from '../../src/storage/embedded/engines.ts'
import { LOGIN, LOGINS_MARK, SUPERUSER } from '../../src/storage/embedded/postgres-logins.ts'
import { migrate } from '../../src/storage/migrate.ts'
import {
  closePostgres,
  inTransaction,
  inWorkspace,
  openPostgres,
  type Sql,
} from '../../src/storage/postgres.ts'
import { grantTables, REQUEST_ROLE, WORKER_ROLE } from '../../src/storage/roles.ts'
import { emptyClickHouse } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { freshDataDir } from '../support/program.ts'
import { admitSuperuser } from '../support/superuser.ts'
import { asTenant } from '../support/privileges.ts'
import { addWorkspace } from '../support/fixtures.ts'

const PROGRAM = join(import.meta.dirname, 'hold-engines.ts')
const log = openLog('silent')

function openPostgresEngine(dataDir: string): Promise<Engines> {
  return openEngines({ dataDir, log, postgres: true, clickhouse: false })
}

async function withPool<T>(
  url: string,
  work: (sql: Sql) => Promise<T>,
  options: Parameters<typeof openPostgres>[1] = {},
): Promise<T> {
  const sql = openPostgres(url, { maxConnections: 2, ...options })
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

/** Rows that are looked for after the conversion, in tables of each kind. */
async function fill(url: string): Promise<void> {
  const now = new Date()
  await withPool(
    url,
    async (sql) => {
      for (const id of ['wsp_1', 'wsp_2']) await addWorkspace(sql, { id })
      await sql`select make_day_partitions(current_date, current_date + 1)`
      await sql`
        insert into events (id, created_at, workspace_id, type, data)
        values ('evt_1', ${now}, 'wsp_1', 'link.created', '{}')`
      await sql`
        insert into audit_log (id, workspace_id, action, actor_type, actor_id, target_type, target_id,
          changes, request_id, created_at)
        values ('aud_1', 'wsp_1', 'link.created', 'system', 's', 'link', 'lnk_1', '{}', 'req_1', ${now})`
    },
    { role: WORKER_ROLE },
  )
}

/** A data directory as it was before the login: the superuser owns everything and connects. */
async function makeOldDirectory(t: TestContext): Promise<string> {
  const clickhouse = openClickHouse(await emptyClickHouse())
  t.after(() => clickhouse.close())
  const dataDir = freshDataDir(t)
  {
    await using engines = await openPostgresEngine(dataDir)
    const url = engines.postgresUrl!
    const superuserUrl = await admitSuperuser(engines)
    await withPool(url, (sql) => migrate({ sql, clickhouse, clickhouseEngine: 'MergeTree', log }))
    await fill(url)
    await withPool(superuserUrl, async (sql) => {
      // Older programs had no search, and therefore no extensions.
      await sql.unsafe(
        `drop index links_by_search; drop extension pg_trgm; drop extension btree_gin`,
      )
      await sql.unsafe(`create type old_kind as enum ('a'); alter type old_kind owner to ${LOGIN};
        create sequence old_numbers; alter sequence old_numbers owner to ${LOGIN};
        reassign owned by ${LOGIN} to ${SUPERUSER}; drop role ${LOGIN}`)
    })
  }
  rmSync(join(dataDir, 'postgres/data', LOGINS_MARK))
  return dataDir
}

async function assertConverted(dataDir: string): Promise<void> {
  await using engines = await openPostgresEngine(dataDir)
  const url = engines.postgresUrl!
  await withPool(url, async (sql) => {
    // Parts of an extension remain the superuser's, as with every extension that an owner may create.
    const isOwn = (oid: string) =>
      sql`not exists (select from pg_depend d where d.objid = ${sql(oid)} and d.deptype = 'e')`
    const foreign = await sql`
      select relname as name from pg_class c
        where ${isOwn('c.oid')} and relnamespace = 'public'::regnamespace and relowner <> session_user::regrole
      union all select proname from pg_proc p
        where ${isOwn('p.oid')} and pronamespace = 'public'::regnamespace and proowner <> session_user::regrole
      union all select typname from pg_type t
        where ${isOwn('t.oid')} and typnamespace = 'public'::regnamespace and typowner <> session_user::regrole
      union all select datname from pg_database
        where datname = current_database() and datdba <> session_user::regrole`
    assert.deepEqual([...foreign], [])
    await sql`create extension if not exists pg_trgm`
    await inTransaction(sql, grantTables)
    await sql`select chain_pending_audit_rows(100, 100)`
    const [events] = await sql`select count(*) as n from events`
    const [chain] = await sql`select count(*) as n from audit_chain`
    assert.deepEqual([events!['n'], chain!['n']], [1, 1])
  })
  const worker = { role: WORKER_ROLE }
  await withPool(
    url,
    (sql) => sql`select make_day_partitions(current_date, current_date + 3)`,
    worker,
  )
  const seen = await withPool(
    url,
    (sql) =>
      inWorkspace(asTenant(sql), 'wsp_1', (tx) => tx<{ id: string }[]>`select id from workspaces`),
    { role: REQUEST_ROLE },
  )
  assert.deepEqual(
    seen.map(({ id }) => id),
    ['wsp_1'],
  )
}

/** The pid of PostgreSQL in single-user mode, which it writes with a minus sign. */
function singleUserPid(dataDir: string): number | null {
  const file = join(dataDir, 'postgres/data/postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  return pid < 0 ? -pid : null
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}

/**
 * Kills a start `afterMs` after its conversion began, alone or with the PostgreSQL that converts.
 * @returns whether it was under way
 */
async function killConversion(
  dataDir: string,
  { afterMs, isAlone = false }: { afterMs: number; isAlone?: boolean },
): Promise<boolean> {
  const holder: ChildProcess = spawn(process.execPath, [PROGRAM, dataDir, 'postgres'], {
    stdio: 'ignore',
  })
  const mark = join(dataDir, 'postgres/data', LOGINS_MARK)
  const pid = await eventually(
    async () => {
      const found = singleUserPid(dataDir)
      assert.ok(found !== null || existsSync(mark))
      return found
    },
    60_000,
    1,
  )
  await sleep(afterMs)
  const isUnderWay = pid !== null && !existsSync(mark)
  holder.kill('SIGKILL')
  if (isUnderWay && !isAlone) kill(pid)
  await once(holder, 'close')
  return isUnderWay
}

test('an older data directory is converted, however often its start is killed', async (t) => {
  const dataDir = await makeOldDirectory(t)
  const wereUnderWay: boolean[] = []
  for (const moment of [{ afterMs: 0 }, { afterMs: 0, isAlone: true }, { afterMs: 50 }])
    wereUnderWay.push(await killConversion(dataDir, moment))
  assert.ok(wereUnderWay[0], 'the first one was killed in the middle')
  await assertConverted(dataDir)
  // As after a kill between the commit and the mark.
  rmSync(join(dataDir, 'postgres/data', LOGINS_MARK))
  await assertConverted(dataDir)
  assert.ok(existsSync(join(dataDir, 'postgres/data', LOGINS_MARK)))
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
