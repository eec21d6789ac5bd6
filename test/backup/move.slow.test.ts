import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { callsWith } from '../support/calls.ts'
import { emptyDatabases } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { freshDataDir, runCli, runProgram, startProgram } from '../support/program.ts'

const CLICKS = 5
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

test('an installation moves to managed databases and back, and every number stays the same', async (t) => {
  const dataDir = freshDataDir(t)
  const env = { DATA_DIR: dataDir }
  const first = await startProgram(t, dataDir)
  const made = await runCli(['bootstrap', '--email', 'owner@example.com', '--json'], env)
  const { apiKey } = JSON.parse(made.stdout) as { apiKey: string }
  const link = { name: 'A link', destinationUrl: 'https://example.com/' }
  const { data } = (await callsWith(apiKey, first.origin).post('/links', link)).body
  for (let i = 0; i < CLICKS; i++)
    await fetch(`${first.origin}/${data.slug}`, {
      redirect: 'manual',
      headers: { 'user-agent': BROWSER },
    })
  const hasAllClicks = async (origin: string) => {
    const { body } = await callsWith(apiKey, origin).get(`/analytics/links/${data.id}`)
    assert.equal(body.data.totalClicks, CLICKS)
    assert.equal(body.data.uniqueVisitors, 1)
  }
  await eventually(() => hasAllClicks(first.origin))

  const managed = await emptyDatabases(t)
  const urls = { DATABASE_URL: managed.postgresUrl, CLICKHOUSE_URL: managed.clickhouseUrl }
  const toManaged = [
    ...['move', '--database-url', urls.DATABASE_URL],
    ...['--clickhouse-url', urls.CLICKHOUSE_URL],
  ]
  const refused = await runCli(toManaged, env)
  assert.match(refused.stderr, /already runs on DATA_DIR/)
  assert.equal(refused.code, 1)
  await first.stop()
  const moved = await runCli(toManaged, env)
  assert.equal(moved.code, 0, moved.stderr)
  assert.ok(!existsSync(join(dataDir, 'postgres')))
  const forgotten = await runProgram({ ...env, PORT: '0' })
  assert.match(forgotten.stderr, /was moved to another server .* set DATABASE_URL/)

  const second = await startProgram(t, dataDir, urls)
  await hasAllClicks(second.origin)
  const verified = await runCli(['verify'], { ...env, ...urls })
  assert.equal(verified.code, 0, verified.stdout)
  await second.stop()

  const back = await runCli(
    ['move', '--database-url', 'embedded', '--clickhouse-url', 'embedded'],
    { ...env, ...urls },
  )
  assert.equal(back.code, 0, back.stderr)
  const third = await startProgram(t, dataDir)
  await hasAllClicks(third.origin)
  await third.stop()

  // The managed databases still hold the data of the first move.
  const again = await runCli(toManaged, env)
  assert.match(again.stderr, /^signpost: [^\n]+holds data already[^\n]+\n$/)
  assert.equal(again.code, 1)
  assert.ok(existsSync(join(dataDir, 'postgres')))
})

test('an address that is none, or where no database answers, is one sentence and moves nothing', async (t) => {
  const dataDir = freshDataDir(t)
  const env = { DATA_DIR: dataDir }
  await (await startProgram(t, dataDir)).stop()
  const refused = async (option: string, value: string, message: RegExp) => {
    const { code, stderr } = await runCli(['move', option, value], env)
    assert.equal(code, 1)
    assert.match(stderr, /^signpost: [^\n]+\n$/)
    assert.match(stderr, message)
  }
  await refused('--database-url', 'mysql://db', /--database-url must be embedded, or a URL/)
  await refused('--clickhouse-url', 'clicks', /--clickhouse-url must be embedded, or a URL/)
  await refused(
    '--database-url',
    'postgres://a:hidden@127.0.0.1:1/x',
    /PostgreSQL .*127\.0\.0\.1:1\/x.* refused the connection/,
  )
  await refused('--clickhouse-url', 'http://127.0.0.1:1/x', /ClickHouse .* refused the connection/)
  assert.ok(existsSync(join(dataDir, 'postgres')) && !existsSync(join(dataDir, 'move')))
})
