import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyClickHouse, freshDatabases } from '../support/engines.ts'
import { bootstrapKey, freshDataDir, runCli, runProgram, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

type Ended = { code: number | string; stdout: string; stderr: string }

function assertRefused({ code, stderr }: Ended, says: RegExp): void {
  assert.equal(code, 1, stderr)
  assert.match(stderr, /^signpost: [^\n]+\.\n$/)
  assert.match(stderr, says)
}

test('a lost ClickHouse and a lost key end the start of every role that uses them, until they are accepted', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const dataDir = freshDataDir(t)
  const env = {
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    SECRET_KEY: 'the secret key of four processes',
    INTERNAL_TOKEN: 'one internal token for gateway and services',
    SERVICES_URL: 'http://127.0.0.1:1',
    SHORT_URL: 'https://short.example.com',
    DATA_DIR: dataDir,
    PORT: '0',
  }
  const first = await startProgram(t, dataDir, env)
  assert.equal(await first.stop(), 0)

  const replaced = {
    ...env,
    CLICKHOUSE_URL: await emptyClickHouse(),
    SECRET_KEY: 'a key that was made for the new ones',
  }
  const refuse = async (roles: string[], says: RegExp) => {
    const ends = await Promise.all(
      roles.map((role) =>
        runProgram({ ...replaced, DATA_DIR: freshDataDir(t) }, [`--role=${role}`]),
      ),
    )
    for (const ended of ends) assertRefused(ended, says)
  }
  await refuse(
    ['edge', 'services', 'worker'],
    /CLICKHOUSE_URL names .* accept-empty-clickhouse --yes/,
  )
  await refuse(['gateway'], /SECRET_KEY is not the key/)
  assertRefused(await runCli(['accept-empty-clickhouse'], replaced), /loses the analytics .*--yes/)
  assertRefused(await runCli(['accept-new-secret-key'], replaced), /loses every second .*--yes/)
  // Each command accepts its own loss: the other one is still refused.
  const accepted = await runCli(['accept-empty-clickhouse', '--yes'], replaced)
  assertRefused(accepted, /SECRET_KEY is not the key .* accept-new-secret-key --yes/)
  await refuse(['gateway'], /SECRET_KEY is not the key/)
  const done = await runCli(['accept-new-secret-key', '--yes'], replaced)
  assert.equal(done.code, 0, done.stderr)
  const again = await startProgram(t, dataDir, replaced)
  assertRefused(
    await runCli(['accept-new-secret-key', '--yes'], replaced),
    /Signpost already runs on DATA_DIR/,
  )
  assert.equal(await again.stop(), 0)
})

test('an embedded ClickHouse that was deleted, and its key, are accepted without a server', async (t) => {
  const dataDir = freshDataDir(t)
  const env = { DATA_DIR: dataDir, PORT: '0' }
  const first = await startProgram(t, dataDir)
  const apiKey = await bootstrapKey(env)
  const owner = callsWith(apiKey, first.origin)
  const link = { name: 'Docs', destinationUrl: 'https://example.com/', slug: 'docs' }
  const { id } = (await owner.post('/links', link)).body.data
  await eventually(async () => {
    const answer = await fetch(`${first.origin}/docs`, { redirect: 'manual' })
    assert.equal(answer.status, 302)
  })
  assert.equal(await first.stop(), 0)

  rmSync(join(dataDir, 'clickhouse'), { recursive: true })
  assertRefused(await runProgram(env), /The embedded ClickHouse \(.*clickhouse\) does not have/)
  const emptied = await runCli(['accept-empty-clickhouse', '--yes'], env)
  assert.equal(emptied.code, 0, emptied.stderr)
  assert.match(emptied.stdout, /ClickHouse is ready and empty/)

  rmSync(join(dataDir, 'secret.key'))
  assertRefused(await runProgram(env), /The secret key in DATA_DIR \(.*secret\.key\) is not/)
  const keyed = await runCli(['accept-new-secret-key', '--yes'], env)
  assert.equal(keyed.code, 0, keyed.stderr)

  const again = await startProgram(t, dataDir)
  const back = callsWith(apiKey, again.origin)
  assert.equal((await back.get('/links')).body.meta.total, 1)
  const { body } = await back.get(`/analytics/links/${id}`)
  assert.equal(body.data.totalClicks, 0)
})
