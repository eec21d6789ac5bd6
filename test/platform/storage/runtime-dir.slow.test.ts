import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { callServer, operatorSocket } from '../../../src/operator/socket.ts'
import {
  removeDeadRuntimeDirs,
  findRuntimeDir,
  openRuntimeDir,
} from '../../../src/platform/storage/embedded/runtime-dir.ts'
import { freshDatabases } from '../../support/engines.ts'
import { freshDataDir, startProgram } from '../../support/program.ts'

const PROGRAM = join(import.meta.dirname, '../../support/hold-operator-socket.ts')
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
/** An ordinary user: as root another one, else the one that runs the tests. */
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000)
const LISTEN = `require('node:net').createServer().listen(process.argv[1], () => console.log('listening'))`

function ordinaryFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'sp-'))
  if (isRoot) chownSync(path, NOBODY, NOBODY)
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

type Ending = { said: string; complaint: string; stop(): Promise<void> }

/** Runs a command until it says something or ends; what still runs is stopped after the test. */
async function startHolder(
  t: TestContext,
  [file, ...args]: [string, ...string[]],
  options: { uid?: number; gid?: number; env?: Record<string, string> } = {},
): Promise<Ending> {
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint += String(chunk)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const spoken = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
      resolve()
    })
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  t.after(stop)
  await Promise.race([spoken, ended])
  return { said: said.trim(), complaint, stop }
}

function isClosedCheckout({ complaint }: Ending): boolean {
  return /Cannot find module|EACCES: permission denied, (open|lstat)/.test(complaint)
}

test('the command line finds a server with another temporary folder', async (t) => {
  const dataDir = ordinaryFolder(t)
  const env = { TMPDIR: ordinaryFolder(t) }
  const server = await startHolder(t, [process.execPath, PROGRAM, dataDir], { ...user, env })
  if (isClosedCheckout(server)) return t.skip('the checkout is closed to other users')
  assert.equal(server.complaint, '')
  // Root asks the server of another user; else the temporary folders differ.
  const answer = await callServer(dataDir, 'where', {})
  assert.deepEqual(answer, { runtimeDir: server.said })
  await server.stop()
  assert.equal(await callServer(dataDir, 'where', {}), null)
  return undefined
})

test('a data directory with a long path has its sockets elsewhere, and they are found', async (t) => {
  const dataDir = join(ordinaryFolder(t), 'd'.repeat(60))
  mkdirSync(dataDir)
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY)
  const server = await startHolder(t, [process.execPath, PROGRAM, dataDir], user)
  if (isClosedCheckout(server)) return t.skip('the checkout is closed to other users')
  assert.equal(server.complaint, '')
  t.after(() => rmSync(server.said, { recursive: true, force: true }))
  assert.ok(!server.said.startsWith(dataDir), server.said)
  assert.deepEqual(await callServer(dataDir, 'where', {}), {
    runtimeDir: server.said,
  })
  return undefined
})

test('a copy of a data directory does not lead to the server of the original', async (t) => {
  const original = freshDataDir(t)
  const runtimeDir = await openRuntimeDir(original)
  t.after(() => rmSync(runtimeDir, { recursive: true, force: true }))
  assert.equal(findRuntimeDir(original), runtimeDir)
  assert.equal(await openRuntimeDir(original), runtimeDir)
  const copy = `${original}-copy`
  t.after(() => rmSync(copy, { recursive: true, force: true }))
  execFileSync('cp', ['-a', original, copy])
  assert.notEqual(findRuntimeDir(copy), runtimeDir)
  assert.equal(await callServer(copy, 'where', {}), null)
})

test(
  'only the data directory has to be writable; root is told what else it needs',
  { skip: !canUnshare() && 'no mount namespace can be made here' },
  async (t) => {
    const dataDir = ordinaryFolder(t)
    const inside = (command: string) =>
      [
        'unshare',
        '-m',
        'sh',
        '-c',
        // The temporary folder keeps its contents, since the checkout may be there.
        `mount --bind "$1" /mnt && mount -t tmpfs -o ro none /run && mount --rbind /tmp /tmp &&
          mount -o remount,bind,ro /tmp && exec ${command} "$2" "$3" /mnt`,
        'sh',
        dataDir,
        process.execPath,
        PROGRAM,
      ] as [string, ...string[]]
    const env = { TMPDIR: '/tmp' }
    const asUser = `setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups`
    const server = await startHolder(t, inside(asUser), { env })
    if (isClosedCheckout(server)) return t.skip('the checkout is closed to other users')
    assert.equal(server.complaint, '')
    assert.match(server.said, /^\/mnt\/run\/[0-9a-f]{12}$/)
    await server.stop()
    const refused = await startHolder(t, inside('env'), { env })
    assert.match(refused.complaint, /OperatorError: Signpost has no directory .* set TMPDIR to/)
    return undefined
  },
)

test('a server that was started without a umask accepts commands of no other user', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const dataDir = freshDataDir(t)
  await startProgram(t, dataDir, {
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    NODE_OPTIONS: '--import=data:text/javascript,process.umask(0)',
  })
  const socket = operatorSocket(dataDir)!
  assert.equal(basename(socket), 'operator.sock')
  assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700)
  if (!isRoot) return
  const script = `
    require('node:net').connect(${JSON.stringify(socket)})
      .on('connect', () => { console.log('connected'); process.exit() })
      .on('error', ({ code }) => console.log(code))`
  const { stdout } = spawnSync(process.execPath, ['-e', script], { ...user, cwd: '/' })
  assert.equal(stdout.toString().trim(), 'EACCES')
})

test('directories in which no process listens any more are removed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sp-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const make = async (name: string, isListening: boolean) => {
    const path = join(folder, name)
    mkdirSync(join(path, 'operator'), { recursive: true, mode: 0o700 })
    const server = spawn(process.execPath, ['-e', LISTEN, join(path, 'operator/operator.sock')])
    t.after(() => server.kill('SIGKILL'))
    await once(server.stdout, 'data')
    if (!isListening) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    utimesSync(path, AN_HOUR_AGO, AN_HOUR_AGO)
  }
  await make('signpost-000000000001', true)
  await make('signpost-000000000002', false)
  await make('signpost-000000000003-Ab3_x9', false)
  await make('signpost-000000000004', false)
  await make('signpost-000000000005', false)
  utimesSync(join(folder, 'signpost-000000000004'), new Date(), new Date())
  await make('signpost-another', false)
  const own = join(folder, 'signpost-000000000005')
  await removeDeadRuntimeDirs(own, openLog('silent'))
  assert.deepEqual(readdirSync(folder).toSorted(), [
    'signpost-000000000001',
    'signpost-000000000004',
    'signpost-000000000005',
    'signpost-another',
  ])
})

test(
  'a start removes the sockets of servers that were killed, and a stop its own',
  { skip: !isRoot && 'the sockets of other users are in their data directories' },
  async (t) => {
    const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
    const databases = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl }
    const env = { ...databases, SECRET_KEY: 'one secret key for both of these servers' }
    const start = async () => {
      const dataDir = freshDataDir(t)
      const { stop } = await startProgram(t, dataDir, env)
      return { stop, runtimeDir: findRuntimeDir(dataDir)! }
    }
    const first = await start()
    await first.stop('SIGKILL')
    utimesSync(first.runtimeDir, AN_HOUR_AGO, AN_HOUR_AGO)
    const second = await start()
    assert.deepEqual([first, second].map(isThere), [false, true])
    assert.equal(await second.stop(), 0)
    assert.equal(isThere(second), false)
  },
)

function isThere({ runtimeDir }: { runtimeDir: string }): boolean {
  return existsSync(runtimeDir)
}

function canUnshare(): boolean {
  const script = 'mount -t tmpfs none /mnt && setpriv --reuid 65534 true'
  return isRoot && spawnSync('unshare', ['-m', 'sh', '-c', script]).status === 0
}
