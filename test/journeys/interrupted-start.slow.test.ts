import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { childrenOf } from '../support/processes.ts'
import { freshDataDir } from '../support/program.ts'

const ROOT = join(import.meta.dirname, '../..')

for (const [signal, isGroup] of [
  // As Ctrl-C does it, and as a supervisor does.
  ['SIGINT', true],
  ['SIGTERM', false],
] as const)
  test(`${signal} while PostgreSQL is set up for the first time ends the start in order`, async (t) => {
    const dataDir = freshDataDir(t)
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: ROOT,
      detached: true,
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (said += String(chunk)))
    const ended = once(child, 'close')
    const postgres = join(dataDir, 'postgres')
    const drafts = () =>
      existsSync(postgres) ? readdirSync(postgres).filter((name) => name.startsWith('draft-')) : []
    await eventually(async () => {
      const [draft] = drafts()
      assert.ok(draft && readdirSync(join(postgres, draft)).length > 0)
    }, 120_000)
    const children = childrenOf(child.pid!)
    process.kill(isGroup ? -child.pid! : child.pid!, signal)
    const [code] = await ended
    assert.equal(said, 'Stopping …\n')
    assert.equal(code, 0)
    assert.deepEqual(drafts(), [])
    assert.equal(existsSync(join(postgres, 'data')), false)
    await eventually(async () => assert.deepEqual(children.filter(isAlive), []))
  })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
