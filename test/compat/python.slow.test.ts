import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freshFolder } from '../support/fixtures.ts'
import { openWorld } from '../support/world.ts'

const run = promisify(execFile)
const PACKAGES = ['dub==0.39.0', 'kutt==1.5.2']

const whyNot = await run('python3', ['-c', 'import venv']).then(
  () => false,
  () => 'needs python3 with venv',
)

test('the Python clients of Dub and Kutt work with the server', { skip: whyNot }, async (t) => {
  const folder = freshFolder()
  await run('python3', ['-m', 'venv', folder])
  const python = join(folder, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '-q', ...PACKAGES])
  const world = await openWorld(t, { isClockReal: true })
  const { apiKey: KEY } = await world.member()
  const { stdout } = await run(python, [join(import.meta.dirname, 'published_clients.py')], {
    env: { ...process.env, ORIGIN: world.origin, KEY },
  })
  assert.deepEqual(stdout.trim().split('\n'), [
    'test_links_of_dub',
    'test_other_resources_of_dub',
    'test_kutt',
  ])
})
