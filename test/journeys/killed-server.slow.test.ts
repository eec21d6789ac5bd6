import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { callsWith } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { IS_LONG } from '../support/long.ts'
import { childrenOf, serverProcessOf } from '../support/processes.ts'
import { freshDataDir, runCli, startProgram } from '../support/program.ts'
import { startVisits } from '../support/visits.ts'

const KILLS = IS_LONG ? 200 : 4
const WITHIN_MS = 4_000
const CONNECTIONS = 4
/** The server process ships between its starts and its ends alone; what waits is counted after the last one. */
const PAUSE_MS = 10
const COUNTED_WITHIN_MS = IS_LONG ? 1_200_000 : 240_000

test(`with the server process killed ${KILLS} times, no redirect is refused or lost, and every click is counted`, async (t) => {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir)
  const made = await runCli(['bootstrap', '--email', 'owner@example.com', '--json'], {
    DATA_DIR: dataDir,
  })
  const calls = callsWith((JSON.parse(made.stdout) as { apiKey: string }).apiKey, program.origin)
  const link = { name: 'A link', destinationUrl: 'https://example.com/landing' }
  const { id, slug } = (await calls.post('/links', link)).body.data as { id: string; slug: string }
  const load = startVisits(`${program.origin}/${slug}`, CONNECTIONS, PAUSE_MS)
  const killed = new Set<number>()
  while (killed.size < KILLS) {
    const server = await eventually(() => {
      const pid = serverProcessOf(program.child.pid!)
      assert.ok(pid !== undefined && !killed.has(pid), 'the server process runs again')
      return pid
    }, 60_000)
    await sleep(Math.random() * WITHIN_MS)
    process.kill(server, 'SIGKILL')
    killed.add(server)
  }
  const { answered, failed, other } = await load.stop()
  assert.deepEqual({ failed, other }, { failed: 0, other: 0 })
  assert.ok(answered > KILLS)
  await eventually(async () => {
    const { status, body } = await calls.get(`/analytics/links/${id}?includeBots=true`)
    assert.equal(status, 200)
    assert.equal(body.data.totalClicks, answered)
  }, COUNTED_WITHIN_MS)
})

test('when the supervisor is killed, all others end', async (t) => {
  const program = await startProgram(t, freshDataDir(t))
  const others = childrenOf(program.child.pid!)
  assert.ok(others.length > 4)
  program.child.kill('SIGKILL')
  await eventually(() => {
    const alive = others.filter((pid) => existsSync(`/proc/${pid}`))
    assert.deepEqual(alive, [])
  })
})
