import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDataDir, runCli, startProgram } from '../support/program.ts'
import { callsWith } from '../support/world.ts'

test('keys that are made before and after the first start are of one account', async (t) => {
  const dataDir = freshDataDir(t)
  const bootstrap = (email: string) =>
    runCli(['bootstrap', '--email', email, '--json'], { DATA_DIR: dataDir })
  const make = async (email: string) => {
    const { code, stdout, stderr } = await bootstrap(email)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as { userId: string; workspaceId: string; apiKey: string }
  }
  // Without a server, which sets up the data directory.
  const made = [await make('First@Example.com'), await make('First@Example.com')]
  const bad = await bootstrap('no-address')
  assert.equal(bad.code, 1)
  assert.equal(bad.stderr.trim().split('\n').length, 1)

  const program = await startProgram(t, dataDir)
  made.push(await make('first@example.com'))
  assert.equal(new Set(made.map(({ userId }) => userId)).size, 1)
  assert.equal(new Set(made.map(({ workspaceId }) => workspaceId)).size, 1)
  assert.equal(new Set(made.map(({ apiKey }) => apiKey)).size, made.length)
  const { get } = callsWith(made.at(-1)!.apiKey, program.origin)
  assert.equal((await get('/links')).status, 200)
})
