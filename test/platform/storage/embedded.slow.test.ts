import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { getPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { openClickHouse } from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import { openEngines, type Engines } from '../../../src/platform/storage/embedded/engines.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { eventually, until } from '../../support/eventually.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { insertRows } from '../../support/click-rows.ts'

const ROOT = process.getuid?.() === 0
const PROGRAM = join(import.meta.dirname, '../../support/hold-engines.ts')

type Addresses = {
  postgresUrl: string
  clickhouseUrl: string
  pids: { postgres: number; clickhouse: number }
}

async function open(dataDir: string, only?: 'postgres' | 'clickhouse'): Promise<Engines> {
  return openEngines({
    dataDir,
    log: openLog('silent'),
    postgres: only !== 'clickhouse',
    clickhouse: only !== 'postgres',
  })
}

/** A process of its own that holds the engines, as the program does; it can be killed. */
async function hold(
  dataDir: string,
  user: { uid?: number; gid?: number } = {},
): Promise<Addresses & { holder: ChildProcess }> {
  const holder = spawn(process.execPath, [PROGRAM, dataDir], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  holder.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const said = await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')])
  assert.ok(said[0] instanceof Buffer, complaint)
  return { ...(JSON.parse(said[0].toString()) as Addresses), holder }
}

/** A zombie, which stays where the first process of a container reaps none, is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Local TCP addresses, in hexadecimal, at which a process listens. */
function listeningPorts(pid: number): string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      const link = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return /^socket:\[(\d+)\]$/.exec(link)?.[1]
    }),
  )
  return ['tcp', 'tcp6']
    .flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
    .map(([, address]) => address ?? '')
}

async function useEngines(addresses: {
  postgresUrl: string | null
  clickhouseUrl: string | null
}): Promise<{ postgres: number; clickhouse: number }> {
  const sql = openPostgres(addresses.postgresUrl ?? '', { maxConnections: 1 })
  const clickhouse = openClickHouse(addresses.clickhouseUrl ?? '')
  try {
    await sql`create table if not exists kept (id bigint)`
    await sql`insert into kept values (1)`
    const [row] = await sql`select count(*) as n from kept`
    await clickhouse.command({
      query: 'create table if not exists kept (id UInt8) engine = MergeTree order by id',
    })
    await insertRows(clickhouse, 'kept', [{ id: 1 }])
    const result = await clickhouse.query({ query: 'select count() from kept', format: 'CSV' })
    return { postgres: row?.n as number, clickhouse: Number(await result.text()) }
  } finally {
    await Promise.all([closePostgres(sql), clickhouse.close()])
  }
}

test('a killed engine is started again at its address while the other goes on', async (t) => {
  const engines = await open(freshFolder())
  t.after(() => engines[Symbol.asyncDispose]())
  assert.deepEqual(await useEngines(engines), { postgres: 1, clickhouse: 1 })
  const sql = openPostgres(engines.postgresUrl ?? '')
  const clickhouse = openClickHouse(engines.clickhouseUrl ?? '')
  t.after(() => Promise.all([closePostgres(sql), clickhouse.close()]))

  const { postgres, clickhouse: engine } = engines.pids()
  process.kill(engine ?? 0, 'SIGKILL')
  assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }])
  await eventually(() => clickhouse.command({ query: 'select 1 format Null' }))
  assert.notEqual(engines.pids().clickhouse, engine)
  process.kill(postgres ?? 0, 'SIGKILL')
  await clickhouse.command({ query: 'select 1 format Null' })
  // Sessions of the old server may still answer; the new process is what is waited for.
  await eventually(async () => assert.notEqual(engines.pids().postgres ?? postgres, postgres))
  await eventually(() => sql`select 1`)
  assert.deepEqual(await useEngines(engines), { postgres: 2, clickhouse: 2 })
})

test(
  'ClickHouse has a lower priority than the program and PostgreSQL',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async () => {
    await using engines = await open(freshFolder())
    const { postgres, clickhouse } = engines.pids()
    const own = getPriority()
    assert.equal(getPriority(postgres!), own)
    const lower = Math.min(own + 5, 19)
    assert.equal(getPriority(clickhouse!), lower)
    const threads = listThreads(clickhouse!, 'BgSchPool')
    assert.ok(threads.length > 0)
    for (const thread of threads) assert.equal(getPriority(thread), lower)
    if (!existsSync('/proc/self/autogroup')) return
    const ofSession = readSessionNiceness(process.pid)
    assert.equal(readSessionNiceness(clickhouse!), Math.min(ofSession + 5, 19))
  },
)

function listThreads(pid: number, name: string): number[] {
  const threads = `/proc/${pid}/task`
  return readdirSync(threads)
    .filter((thread) => readFileSync(join(threads, thread, 'comm'), 'utf8') === `${name}\n`)
    .map(Number)
}

function readSessionNiceness(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim().split(' ').at(-1))
}

test('the embedded ClickHouse listens where no other user can connect', async (t) => {
  const engines = await open(freshFolder(), 'clickhouse')
  t.after(() => engines[Symbol.asyncDispose]())
  const socket = new URL(engines.clickhouseUrl ?? '').searchParams.get('socket') ?? ''
  assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700)
  if (process.platform !== 'linux') return
  assert.deepEqual(listeningPorts(engines.pids().clickhouse ?? 0), [])
  if (!ROOT) return
  const script = `
    require('node:net').connect(${JSON.stringify(socket)})
      .on('connect', () => { console.log('connected'); process.exit() })
      .on('error', ({ code }) => console.log(code))`
  const user = { uid: 65_534, gid: 65_534 }
  const { stdout } = spawnSync(process.execPath, ['-e', script], { ...user, cwd: '/' })
  assert.equal(stdout.toString().trim(), 'EACCES')
})

test('engines left by a killed parent are taken over, their data whole', async (t) => {
  const dataDir = freshFolder()
  const first = await hold(dataDir)
  assert.deepEqual(await useEngines(first), { postgres: 1, clickhouse: 1 })
  first.holder.kill('SIGKILL')
  const engines = await open(dataDir)
  t.after(() => engines[Symbol.asyncDispose]())
  assert.deepEqual(await useEngines(engines), { postgres: 2, clickhouse: 2 })
  assert.notEqual(engines.pids().postgres, first.pids.postgres)
  await eventually(async () => assert.equal(isAlive(first.pids.clickhouse), false))
})

test('a statement that outlives its killed server does not keep the next one from starting', async (t) => {
  const dataDir = freshFolder()
  const first = await hold(dataDir)
  const sql = openPostgres(first.postgresUrl, { maxConnections: 1 })
  t.after(() => closePostgres(sql))
  const [session] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  const endless = sql`select count(*) from generate_series(1, 1e12)`.catch(() => null)
  const watcher = openPostgres(first.postgresUrl, { maxConnections: 1 })
  t.after(() => closePostgres(watcher))
  await eventually(async () => {
    const [row] = await watcher`select state from pg_stat_activity where pid = ${session.pid}`
    assert.equal(row?.['state'], 'active')
  })
  first.holder.kill('SIGKILL')
  process.kill(first.pids.postgres, 'SIGKILL')
  const engines = await open(dataDir, 'postgres')
  t.after(() => engines[Symbol.asyncDispose]())
  assert.equal(isAlive(session.pid), false)
  await endless
})

test('ClickHouse does not outlive its parent', async (t) => {
  const { holder, pids } = await hold(freshFolder())
  t.after(async () => {
    if (isAlive(pids.postgres)) process.kill(pids.postgres, 'SIGQUIT')
    await until(() => !isAlive(pids.postgres))
  })
  holder.kill('SIGKILL')
  await until(() => !isAlive(pids.clickhouse))
})

test('closing ends both processes and leaves no pid file', async () => {
  const dataDir = freshFolder()
  const { holder, pids } = await hold(dataDir)
  holder.kill('SIGTERM')
  const [code] = await once(holder, 'close')
  assert.equal(code, 0)
  assert.deepEqual([isAlive(pids.postgres), isAlive(pids.clickhouse)], [false, false])
  assert.equal(existsSync(join(dataDir, 'postgres/data/postmaster.pid')), false)
  assert.equal(existsSync(join(dataDir, 'clickhouse/spool/server.pid')), false)
})

test('a setup that was interrupted is repeated', async () => {
  const dataDir = freshFolder()
  mkdirSync(join(dataDir, 'postgres/draft-cut'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres/draft-cut/PG_VERSION'), '18\n')
  const engines = await open(dataDir, 'postgres')
  await engines[Symbol.asyncDispose]()
  const drafts = readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('draft'))
  assert.deepEqual(drafts, [])
})

test('a pid file that names a stranger neither stops the start nor the stranger', async (t) => {
  const dataDir = freshFolder()
  const first = await open(dataDir)
  await first[Symbol.asyncDispose]()
  // Of PostgreSQL's own user, or PostgreSQL itself would refuse it.
  const owner = statSync(join(dataDir, 'postgres/data'))
  const user = ROOT ? { uid: owner.uid, gid: owner.gid } : {}
  const stranger = spawn('sleep', ['3600'], { ...user, stdio: 'ignore' })
  t.after(() => stranger.kill('SIGKILL'))
  const lines = [
    stranger.pid,
    join(dataDir, 'postgres/data'),
    1,
    5432,
    '/tmp',
    '',
    '  1 2',
    'ready',
  ]
  const postmaster = join(dataDir, 'postgres/data/postmaster.pid')
  writeFileSync(postmaster, `${lines.join('\n')}\n`)
  chownSync(postmaster, owner.uid, owner.gid)
  chmodSync(postmaster, 0o600)
  writeFileSync(join(dataDir, 'clickhouse/spool/server.pid'), String(stranger.pid))
  const second = await open(dataDir)
  t.after(() => second[Symbol.asyncDispose]())
  assert.deepEqual(await useEngines(second), { postgres: 1, clickhouse: 1 })
  assert.equal(isAlive(stranger.pid ?? 0), true)
})

test('only the data directory of this version is opened', async () => {
  const dataDir = freshFolder()
  const first = await open(dataDir, 'postgres')
  await first[Symbol.asyncDispose]()
  writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '17\n')
  await assert.rejects(
    open(dataDir, 'postgres'),
    /is of PostgreSQL 17, and this Signpost brings .* run "npm run -s signpost -- backup --to FOLDER" with the release before/,
  )
})

test(
  'root serves from a data directory in a closed home',
  { skip: !ROOT && 'only root can try' },
  async (t) => {
    const home = freshFolder()
    assert.equal(statSync(home).mode & 0o777, 0o700)
    const dataDir = join(home, 'checkout/data')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const engines = await open(dataDir)
    t.after(() => engines[Symbol.asyncDispose]())
    assert.deepEqual(await useEngines(engines), { postgres: 1, clickhouse: 1 })
    assert.notEqual(statSync(join(dataDir, 'postgres/data')).uid, 0)
    assert.equal(statSync(home).mode & 0o777, 0o700)
  },
)

test(
  'an ordinary user serves',
  { skip: !ROOT && 'all the other tests are run by one' },
  async (t) => {
    const dataDir = freshFolder()
    // The user `nobody` has another name elsewhere, and may not read a checkout under a closed home.
    const user = { uid: 65_534, gid: 65_534 }
    chownSync(dataDir, user.uid, user.gid)
    const probe = spawn(process.execPath, ['--check', PROGRAM], { ...user, cwd: '/' })
    const [code] = await once(probe, 'close').catch(() => [1])
    if (code !== 0) return t.skip('the checkout is closed to other users')
    const held = await hold(dataDir, user)
    t.after(async () => {
      held.holder.kill('SIGTERM')
      await once(held.holder, 'close')
    })
    assert.equal(statSync(join(dataDir, 'postgres/data')).uid, user.uid)
    assert.deepEqual(await useEngines(held), { postgres: 1, clickhouse: 1 })
  },
)
