import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childrenOf } from '../support/processes.ts'
import { freshDataDir, startProgram } from '../support/program.ts'

const isLong = process.env['SIGNPOST_LONG_TESTS'] !== undefined

test('a close that hangs is cut off, and says so in one line', { skip: !isLong }, async (t) => {
  const program = await startProgram(t, freshDataDir(t))
  const engines = childrenOf(program.child.pid!)
  t.after(() => engines.forEach((pid) => kill(pid, 'SIGKILL')))
  for (const pid of engines) kill(pid, 'SIGSTOP')
  assert.equal(await program.stop(), 1)
  const lines = program.output().stdout.split('\n').filter(Boolean)
  assert.equal(lines.filter((line) => line.includes('exceeded its deadline')).length, 1)
})

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}
