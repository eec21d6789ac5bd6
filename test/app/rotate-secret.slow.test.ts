import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDataDir, runCli, startProgram } from '../support/program.ts'

test('the generated key is replaced beside a running server, which must have both keys', async (t) => {
  const dataDir = freshDataDir(t)
  const env = { DATA_DIR: dataDir }
  const [keyFile, formerFile] = [join(dataDir, 'secret.key'), join(dataDir, 'secret.key.former')]
  const refused = async (args: string[], message: RegExp, more = {}) => {
    const { code, stderr } = await runCli(['rotate-secret', ...args], { ...env, ...more })
    assert.equal(code, 1)
    assert.match(stderr, message)
    assert.match(stderr, /^signpost: [^\n]+\.\n$/)
  }
  const first = await startProgram(t, dataDir)
  const former = readFileSync(keyFile, 'utf8')
  await refused([], /There is no former key; begin with rotate-secret --new-key/)

  const prepared = await runCli(['rotate-secret', '--new-key'], env)
  assert.equal(prepared.code, 0, prepared.stderr)
  assert.notEqual(readFileSync(keyFile, 'utf8'), former)
  assert.equal(readFileSync(formerFile, 'utf8'), former)
  // A repeated preparation makes no third key.
  const made = readFileSync(keyFile, 'utf8')
  await runCli(['rotate-secret', '--new-key'], env)
  assert.equal(readFileSync(keyFile, 'utf8'), made)
  await refused([], /does not accept both keys; restart it/)

  await first.stop()
  const second = await startProgram(t, dataDir)
  const other = {
    SECRET_KEY: made.trim(),
    SECRET_KEY_ALSO: 'a key that the installation never had',
  }
  await refused([], /does not accept both keys/, other)
  const rotated = await runCli(['rotate-secret'], env)
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(rotated.stdout, /Sealed with the new key: \d+/)
  assert.ok(!existsSync(formerFile))
  await second.stop()
  await refused([], /SECRET_KEY_ALSO is not the key/, { ...other, SECRET_KEY: former.trim() })
  const third = await startProgram(t, dataDir)
  assert.equal((await fetch(`${third.origin}/ready`)).status, 200)
})
