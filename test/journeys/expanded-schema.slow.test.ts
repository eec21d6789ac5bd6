import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { callsWith, type Calls } from '../support/calls.ts'
import { freshDatabases } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { bootstrapKey, freshDataDir, runProgram, startProgram } from '../support/program.ts'
import { selectRows } from '../support/click-rows.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const SECRET_KEY = 'one secret key for both starts of the program'

/** Changes that the next release may make while this one runs: a column with a default in every table of both databases. */
async function expand(sql: Sql, clickhouse: ClickHouseClient): Promise<number> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
  for (const { name } of tables)
    await sql.unsafe(`alter table ${name} add column of_next_release text not null default 'new'`)
  const clickTables = await selectRows<{ name: string }>(
    clickhouse,
    `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'`,
  )
  for (const { name } of clickTables)
    await clickhouse.command({
      query: `alter table ${name} add column of_next_release String default 'new'`,
    })
  await sql`insert into migrations (name, checksum) values ('postgres/9999_of_next_release.sql', 'of another file')`
  return tables.length + clickTables.length
}

/** Writes, reads and deletes through the API, and follows a link. */
async function use(owner: Calls, origin: string, slug: string): Promise<void> {
  const link = { name: 'A link', destinationUrl: 'https://example.com/', slug, tags: [slug] }
  const made = await owner.post('/links', link)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body.data
  assert.equal((await owner.post('/folders', { name: slug })).status, 201)
  assert.equal((await owner.patch(`/links/${id}`, { name: 'Another name' })).status, 200)
  await eventually(async () => {
    const headers = { 'user-agent': BROWSER }
    const answer = await fetch(`${origin}/${slug}`, { redirect: 'manual', headers })
    assert.equal(answer.status, 302)
  })
  await eventually(async () => {
    const { body } = await owner.get(`/analytics/links/${id}`)
    assert.ok(body.data.totalClicks >= 1)
  }, 60_000)
  for (const path of ['/links', '/folders', '/tags', '/audit-log', '/webhooks', '/members'])
    assert.equal((await owner.get(path)).status, 200, path)
  assert.equal((await owner.delete(`/links/${id}`)).status, 204)
}

test('a running program works on a schema that the next release has expanded, and does not start on it', async (t) => {
  const { sql, clickhouse, postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const dataDir = freshDataDir(t)
  const env = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl, SECRET_KEY }
  const program = await startProgram(t, dataDir, env)
  const apiKey = await bootstrapKey({
    ...env,
    DATA_DIR: dataDir,
  })
  const owner = callsWith(apiKey, program.origin)
  // Statements are prepared before the tables change, as in a process that has run for long.
  await use(owner, program.origin, 'before')
  assert.ok((await expand(sql, clickhouse)) > 50)
  await use(owner, program.origin, 'after')
  assert.doesNotMatch(program.output().stdout, /"level":"(error|fatal)"/)
  await program.stop()
  const refused = await runProgram({ ...env, DATA_DIR: dataDir, PORT: '0' })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^signpost: [^\n]*newer[^\n]*\n/m)
})
