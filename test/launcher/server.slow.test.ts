import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDataDir } from '../support/program.ts'
import { ROOT, run } from '../support/launcher-checkout.ts'

const WAYS = [
  { name: "SIGTERM to npm's own pid", send: (pid: number) => process.kill(pid, 'SIGTERM') },
  { name: 'Ctrl-C to the whole group', send: (pid: number) => process.kill(-pid, 'SIGINT') },
]

test('signals close the server and its engines in order', { concurrency: false }, async (t) => {
  const dataDir = freshDataDir(t)
  for (const { name, send } of WAYS)
    await t.test(name, async () => {
      const npm = run(t, 'npm', ['start'], ROOT, {
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'warn',
      })
      await npm.says('is ready at')
      send(npm.pid)
      assert.equal(await npm.ended, 0, npm.stderr())
      assert.deepEqual(processesNaming(dataDir), [])
      assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
    })
})

/** Command lines of living processes that name the folder; none where there is no /proc. */
function processesNaming(folder: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(folder))
}
