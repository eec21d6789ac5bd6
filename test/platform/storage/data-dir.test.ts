import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { holdDataDir, openDataDir } from '../../../src/platform/storage/installation/data-dir.ts'
import { freshFolder } from '../../support/fixtures.ts'

const MODULE = import.meta.resolve('../../../src/platform/storage/installation/data-dir.ts')

function isSentence(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.match(error.message, pattern)
    assert.match(error.message, /^[^\n]*DATA_DIR[^\n]*\.$/)
    return true
  }
}

/** The output of a script that runs in another process, as another user where one is given. */
async function runElsewhere(script: string, user: { uid?: number } = {}): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

test('the directory is made, closed to others', () => {
  const path = join(freshFolder(), 'deep/data')
  assert.equal(openDataDir(path).path, path)
  assert.equal(statSync(path).mode & 0o777, 0o700)
})

test('a second start says who holds the directory and since when', () => {
  const path = freshFolder()
  const now = Date.UTC(2026, 0, 2, 3, 4, 5)
  using held = holdDataDir(path, () => now)
  assert.equal(held.path, path)
  const expected = new RegExp(`held by process ${process.pid} since 2026-01-02T03:04:05`)
  assert.throws(() => holdDataDir(path, Date.now), isSentence(expected))
})

test('a path that is not a directory, or is below a file, is refused', () => {
  const file = join(freshFolder(), 'file')
  writeFileSync(file, '')
  assert.throws(() => openDataDir(file), isSentence(/is not a directory/))
  assert.throws(() => openDataDir(join(file, 'data')), isSentence(/is not a directory/))
})

test('a directory that is filled with something else is refused, and left as it is', () => {
  const path = freshFolder()
  writeFileSync(join(path, 'passwd'), '')
  assert.throws(() => holdDataDir(path, Date.now), isSentence(/has other files but no data of/))
  assert.deepEqual(readdirSync(path), ['passwd'])
})

test('a fresh volume, a new home and a restored key are taken', () => {
  for (const name of ['lost+found', '.profile', 'secret.key']) {
    const path = freshFolder()
    writeFileSync(join(path, name), 'x\n')
    if (name === 'secret.key') mkdirSync(join(path, 'journal'))
    holdDataDir(path, Date.now)[Symbol.dispose]()
    // From then on it may hold anything.
    writeFileSync(join(path, 'plans.json'), '')
    holdDataDir(path, Date.now)[Symbol.dispose]()
  }
})

test('a directory that cannot be written is refused', async (t) => {
  const path = freshFolder()
  chmodSync(path, 0o555)
  const script = `
    import { openDataDir } from ${JSON.stringify(MODULE)}
    try { openDataDir(${JSON.stringify(path)}); console.log('opened') }
    catch (error) { console.log(error.message) }`
  const isRoot = process.getuid?.() === 0
  const said = await runElsewhere(script, isRoot ? { uid: 65_534 } : {})
  if (isRoot && said === '') return t.skip('the checkout is closed to other users')
  assert.match(said, /^DATA_DIR \(.*\) cannot be written by the user that started Signpost\.\n$/)
})

test('the secret key is made once, by the first process, and is readable by its owner alone', async () => {
  const path = freshFolder()
  const script = `
    import { openDataDir } from ${JSON.stringify(MODULE)}
    console.log(openDataDir(${JSON.stringify(path)}).secretKey())`
  const keys = await Promise.all(Array.from({ length: 4 }, () => runElsewhere(script)))
  assert.match(keys[0] ?? '', /^[\w-]{43}\n$/)
  assert.equal(new Set(keys).size, 1)
  assert.equal(statSync(join(path, 'secret.key')).mode & 0o777, 0o600)
  assert.equal(readFileSync(join(path, 'secret.key'), 'utf8'), keys[0])
})

test('an empty secret key is refused, not replaced', () => {
  const path = freshFolder()
  writeFileSync(join(path, 'secret.key'), '\n')
  assert.throws(() => openDataDir(path).secretKey(), isSentence(/secret\.key\) is empty/))
})

test('a directory held by a process that was killed is free', async (t) => {
  const path = freshFolder()
  const script = `
    import { holdDataDir } from ${JSON.stringify(MODULE)}
    // Held by the global object, since a lock that is garbage is released.
    globalThis.held = holdDataDir(${JSON.stringify(path)}, Date.now)
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Otherwise a failed assertion below would leave a process that keeps this one from ending.
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  assert.throws(() => holdDataDir(path, Date.now), isSentence(/held by process/))
  child.kill('SIGKILL')
  await exited
  holdDataDir(path, Date.now)[Symbol.dispose]()
})
