import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { childrenOf } from '../support/processes.ts'
import { freshDataDir, startProgram } from '../support/program.ts'
import { IS_LONG } from '../support/long.ts'

test('a close that hangs is cut off, and says so in one line', { skip: !IS_LONG }, async (t) => {
  const program = await startProgram(t, freshDataDir(t))
  const engines = childrenOf(program.child.pid!)
  t.after(() => engines.forEach((pid) => kill(pid, 'SIGKILL')))
  for (const pid of engines) kill(pid, 'SIGSTOP')
  assert.equal(await program.stop(), 1)
  const lines = program.output().stdout.split('\n').filter(Boolean)
  assert.equal(lines.filter((line) => line.includes('exceeded its deadline')).length, 1)
})

test('a stop first reports not ready, serves for the time to drain, and then ends', async (t) => {
  const program = await startProgram(t, freshDataDir(t), { DRAIN_SECONDS: '4' })
  assert.equal((await fetch(`${program.origin}/ready`)).status, 200)
  program.child.kill('SIGTERM')
  await eventually(async () => {
    const answer = await fetch(`${program.origin}/ready`)
    assert.equal(answer.status, 503)
    const { data } = (await answer.json()) as { data: { status: string } }
    assert.equal(data.status, 'stopping')
  })
  const link = await fetch(`${program.origin}/no-such-link`)
  assert.equal(link.status, 404)
  assert.equal(link.headers.get('connection'), 'close')
  assert.equal(await program.ended, 0)
})

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}
