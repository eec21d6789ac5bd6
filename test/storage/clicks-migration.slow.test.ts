import assert from 'node:assert/strict'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/base/log.ts'
import { ulid } from '../../src/base/ids.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openAnalytics } from '../support/analytics.ts'
import { emptyDatabases } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { addLink, addWorkspace, freshFolder, toWho } from '../support/fixtures.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const FILES = ['clickhouse/0002_routes_and_views.sql', 'clickhouse/0003_workspace_rows.sql']
const NOON = Date.parse('2026-11-21T12:00:00Z')
const DAY_MS = 86_400_000
const PROJECTIONS = [
  ...['agents', 'campaigns', 'places', 'sources', 'visits'],
  ...['agents', 'campaigns', 'destinations', 'hours', 'places', 'sources', 'visits'].map(
    (name) => `workspace_${name}`,
  ),
]

/** Databases as the program before these migrations left them, with rows of two months and several parts. */
async function openFormer(t: TestContext) {
  const { sql, clickhouse } = await emptyDatabases(t)
  const folder = freshFolder()
  cpSync(MIGRATIONS, folder, { recursive: true })
  for (const file of FILES) rmSync(join(folder, file))
  const log = openLog('silent')
  const options = { sql, clickhouse, clickhouseEngine: 'MergeTree', log }
  await migrate({ ...options, folder })
  const command = async (query: string) => void (await clickhouse.command({ query }))
  const select = async <T>(query: string, query_params: Record<string, unknown> = {}) => {
    const result = await clickhouse.query({ query, query_params, format: 'JSONEachRow' })
    return result.json<T>()
  }
  for (let part = 0; part < 4; part++) {
    const values = Array.from({ length: 500 }, (_, i) => row(part * 500 + i))
    await clickhouse.insert({ table: 'clicks', values, format: 'JSONEachRow' })
  }
  await addWorkspace(sql, { id: 'ws_1', nowMs: NOON })
  await addLink(sql, { id: 'lnk_1', workspaceId: 'ws_1', nowMs: NOON })
  return { sql, clickhouse, run: () => migrate(options), command, select }
}

function row(i: number) {
  const atMs = NOON - (i % 40) * DAY_MS - i * 1_000
  return {
    ...{ workspace_id: 'ws_1', link_id: 'lnk_1', click_id: ulid(atMs), segment: 'test-1' },
    at: new Date(atMs).toISOString().replace('T', ' ').replace('Z', ''),
    kind: ['human', 'human', 'bot', 'preview', 'prefetch'][i % 5],
    ...{
      visitor: i % 70,
      host: 'sho.rt',
      slug: 'abc',
      destination: `https://example.com/${i % 3}`,
    },
    ...{ country: ['DE', 'FR'][i % 2], device: 'mobile', trigger: 'link', utm_source: `s${i % 7}` },
  }
}

type Former = Awaited<ReturnType<typeof openFormer>>

async function answers({ sql, clickhouse }: Former): Promise<string[]> {
  const texts: string[] = []
  for (const includeBots of [true, false])
    for (const timezone of ['UTC', 'Asia/Tokyo']) {
      const query = { days: 15, timezone, includeBots }
      const who = toWho('usr_1', 'ws_1', { role: 'viewer' })
      const { data } = await openAnalytics(sql, clickhouse, NOON).link(who, 'lnk_1', query)
      texts.push(JSON.stringify(data))
    }
  return texts
}

async function builtProjections({ select }: Former): Promise<string[]> {
  const rows = await select<{ name: string; rows: number }>(
    `select name, uniqExact(parent_name) as parts from system.projection_parts
      where database = currentDatabase() and active group by name
      having parts = (select count() from system.parts
        where database = currentDatabase() and table = 'clicks' and active)
      order by name`,
  )
  return rows.map(({ name }) => name)
}

async function expectMigrated(former: Former, before: readonly string[]): Promise<void> {
  const { clickhouse, select } = former
  await eventually(async () => assert.deepEqual(await builtProjections(former), PROJECTIONS))
  assert.deepEqual(await answers(former), before)
  assert.deepEqual(await select('select distinct domain_id, route from clicks'), [
    { domain_id: '', route: 'default' },
  ])
  const views = [1, 2, 3].map((i) => ({
    ...row(i),
    kind: 'view',
    route: 'ios',
    visitor: 1_000 + i,
  }))
  await clickhouse.insert({ table: 'clicks', values: views, format: 'JSONEachRow' })
  assert.deepEqual(await answers(former), before, 'views are in no figure')
}

test('clicks of the former program count as before, and views of pages never', async (t) => {
  const former = await openFormer(t)
  const before = await answers(former)
  await Promise.all([former.run(), former.run()])
  await expectMigrated(former, before)
})

test('a migration that ended anywhere is completed by the next start', async (t) => {
  const statements = FILES.map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
    .flatMap((text) => text.split(/;\s*$/m))
    .filter((statement) => statement.trim() !== '')
  for (const done of [1, 4, 6]) {
    const former = await openFormer(t)
    const before = await answers(former)
    for (const statement of statements.slice(0, done)) await former.command(statement)
    assert.deepEqual(await answers(former), before, `after ${done} statements`)
    await former.run()
    await expectMigrated(former, before)
  }
})
