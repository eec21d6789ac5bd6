import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { LockHeldError, holdLock } from '../../../src/platform/storage/installation/lock.ts'
import { freshFolder } from '../../support/fixtures.ts'

function freshFile(): string {
  const folder = freshFolder()
  return join(folder, 'a.lock')
}

/** Another process that takes the lock and keeps it. */
async function holdElsewhere(t: TestContext, file: string) {
  const script = `
    import { holdLock } from ${JSON.stringify(import.meta.resolve('../../../src/platform/storage/installation/lock.ts'))}
    holdLock(${JSON.stringify(file)}, 'the other one')
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('a lock is refused while it is held, with the words of its holder', () => {
  const file = freshFile()
  const lock = holdLock(file, 'the first one')
  const isHeld = (error: unknown) =>
    error instanceof LockHeldError && error.holder === 'the first one'
  assert.throws(() => holdLock(file, 'the second one'), isHeld)
  lock.release()
  lock.release()
  holdLock(file, 'the third one').release()
})

test('the lock of a killed process is free', async (t) => {
  const file = freshFile()
  const child = await holdElsewhere(t, file)
  assert.throws(() => holdLock(file, 'me'), /held by the other one/)
  child.kill('SIGKILL')
  await once(child, 'close')
  holdLock(file, 'me').release()
})

test('of many processes that want a lock at once, one gets it', async () => {
  const file = freshFile()
  const script = `
    import { holdLock } from ${JSON.stringify(import.meta.resolve('../../../src/platform/storage/installation/lock.ts'))}
    try { holdLock(${JSON.stringify(file)}, 'x'); process.stdout.write('1') }
    catch { process.stdout.write('0') }
    process.stdin.resume()`
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const said = await Promise.all(
    children.map(async (child) => String((await once(child.stdout, 'data'))[0])),
  )
  for (const child of children) child.stdin.end()
  assert.deepEqual(said.toSorted(), ['0', '0', '0', '1'])
})
