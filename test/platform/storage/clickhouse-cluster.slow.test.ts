import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createClickTable } from '../../../src/clicks/shipping/table.ts'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import {
  allReplicasOf,
  requireReplicated,
} from '../../../src/platform/storage/clickhouse/clickhouse-cluster.ts'
import { renderStatements } from '../../../src/platform/storage/migrations/clickhouse-migrate.ts'
import { EngineSession } from '../../../src/platform/storage/embedded/clickhouse-session.ts'
import { readMigrations } from '../../../src/platform/storage/migrations/migration-files.ts'
import { freshDatabases } from '../../support/engines.ts'
import { freshFolder } from '../../support/fixtures.ts'

const ENGINE = "ReplicatedMergeTree('/clickhouse/{uuid}', '{replica}')"
const NOWHERE = 'http://127.0.0.1:9'
const CLICKS = `create table clicks (segment String, at DateTime64(3), click_id String)
  engine = MergeTree order by at`

const render = (engine: string, cluster: string | null) =>
  readMigrations().clickhouse.flatMap(({ text }) => renderStatements(text, engine, cluster))

test('migrations make every table on the whole cluster, in statements that ClickHouse can read', async (t) => {
  const { clickhouse } = await freshDatabases(t)
  const statements = render(ENGINE, 'replicas')
  const creating = statements.filter((statement) => statement.includes('create table'))
  assert.equal(creating.length, 3)
  for (const statement of creating)
    assert.match(statement, /create table if not exists \w+ on cluster 'replicas' \(.+Replicated/s)
  for (const statement of statements) {
    await clickhouse.command({ query: `explain ast ${statement.replaceAll(/^ *--.*$/gm, '')}` })
  }
})

test('a change waits for every replica', () => {
  const change = 'alter table clicks drop projection visits settings mutations_sync = 1;'
  assert.match(renderStatements(change, ENGINE, 'replicas').join(), /mutations_sync = 2/)
  assert.match(renderStatements(change, 'MergeTree', null).join(), /mutations_sync = 1/)
})

test('without a cluster statements and reads name none', () => {
  assert.doesNotMatch(render('MergeTree', null).join(';'), /on cluster/)
  assert.equal(allReplicasOf(openClickHouse(NOWHERE), 'clicks'), 'clicks')
})

test('the count check reads all replicas, each row once', async (t) => {
  const { session, clickhouse } = openReplicas(t, ['127.0.0.1', 'localhost'])
  await run(session, CLICKS)
  const insert = (ids: string) =>
    run(session, `insert into clicks select 'a-1', now64(), arrayJoin([${ids}])`)
  const table = createClickTable(clickhouse)
  const span = { segment: 'a-1', fromMs: 0, toMs: Date.now() + 60_000 }
  assert.deepEqual(await table.count(span), { ids: 0, surplus: 0 })
  await insert(`'one', 'two'`)
  const plain = await run(session, `select count() from ${allReplicasOf(clickhouse, 'clicks')}`)
  assert.equal(plain, '4\n')
  assert.deepEqual(await table.count(span), { ids: 2, surplus: 0 })
  assert.deepEqual(await table.clickIds(span), new Set(['one', 'two']))
  // Twice on each replica.
  await insert(`'two'`)
  assert.deepEqual(await table.count(span), { ids: 2, surplus: 1 })
})

test('the count check fails while a replica is away, which may be the only one with a row', async (t) => {
  const { session, clickhouse } = openReplicas(t, ['127.0.0.1', '127.0.0.2'])
  await run(session, CLICKS)
  const span = { segment: 'a-1', fromMs: 0, toMs: 1 }
  await assert.rejects(createClickTable(clickhouse).count(span), /Connection refused/)
})

test('a cluster whose replicas would have rows of their own is refused', () => {
  const own = { clickhouseUrl: 'http://a:8123/b', clickhouseCluster: 'replicas' }
  requireReplicated({ ...own, clickhouseEngine: ENGINE })
  requireReplicated({ ...own, clickhouseEngine: 'SharedMergeTree' })
  requireReplicated({ ...own, clickhouseEngine: 'MergeTree', clickhouseCluster: null })
  const plain = { ...own, clickhouseEngine: 'MergeTree' }
  assert.throws(() => requireReplicated(plain), /CLICKHOUSE_ENGINE/)
  const embedded = { ...own, clickhouseUrl: null, clickhouseEngine: ENGINE }
  assert.throws(() => requireReplicated(embedded), /set CLICKHOUSE_URL/)
})

/**
 * An engine that is every replica of a cluster whose hosts are its own, and a client on it. Another address of this machine is a
 * replica that is away.
 */
function openReplicas(t: TestContext, hosts: readonly string[]) {
  const folder = freshFolder()
  const config = join(folder, 'config.xml')
  const replicas = hosts.map((host) => `<replica><host>${host}</host><port>9</port></replica>`)
  writeFileSync(
    config,
    `<clickhouse>
      <tcp_port>9</tcp_port>
      <remote_servers><replicas><shard>${replicas.join('')}</shard></replicas></remote_servers>
    </clickhouse>`,
  )
  const session = new EngineSession(
    join(folder, 'data'),
    [`--config-file=${config}`],
    new Map([['implicit_select', '0']]),
  )
  t.after(() => session.close())
  const clickhouse = openClickHouse(NOWHERE, { cluster: 'replicas' })
  clickhouse.query = (async (asked: Parameters<ClickHouseClient['query']>[0]) => {
    const params = Object.entries(asked.query_params ?? {}).map(
      ([name, value]) => [name, String(value)] as const,
    )
    const answer = await run(session, `${asked.query} format ${asked.format}`, new Map(params))
    const rows = answer.split('\n').filter((line) => line !== '')
    return { json: async () => rows.map((line) => JSON.parse(line)) }
  }) as never
  return { session, clickhouse }
}

async function run(session: EngineSession, text: string, params = new Map<string, string>()) {
  const settings = new Map([
    ['output_format_json_quote_64bit_integers', '0'],
    ['connections_with_failover_max_tries', '1'],
  ])
  const statement = { text, database: 'default', settings, params, tag: 'test' }
  return Buffer.from(await session.run(statement)).toString()
}
