import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { VerifyAnswer } from '../../src/operator/operations.ts'
import { newId, ulid } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { newBootId } from '../../src/clicks/journal/format.ts'
import { recountLinks } from '../../src/analytics/retention/recount.ts'
import { ClickRetention } from '../../src/analytics/retention/retention.ts'
import { callServer } from '../../src/operator/socket.ts'
import { freshDatabases } from '../support/engines.ts'
import { addLink, addWorkspace } from '../support/fixtures.ts'
import { asSystem } from '../support/privileges.ts'
import { freshDataDir, runCli } from '../support/program.ts'
import { eventually, openWorld } from '../support/world.ts'
import { selectRows } from '../support/click-rows.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

test('counters are compared with committed clicks of links that exist, folded ones included', async (t) => {
  const { sql, clickhouse, ...urls } = await freshDatabases(t)
  const deps = { sql: asSystem(sql), clickhouse }
  const workspaceId = await addWorkspace(sql, { nowMs: NOW })
  const linkIds: string[] = []
  for (let i = 0; i < 4; i++) linkIds.push(await addLink(sql, { workspaceId, nowMs: NOW }))
  const [counted, missing, deleted] = linkIds as [string, string, string]
  const journal = newBootId()
  const insert = (linkId: string, sequence: number, count: number, at = NOW, kind = 'human') =>
    clickhouse.insert({
      table: 'clicks',
      format: 'JSONEachRow',
      values: Array.from({ length: count }, () => ({
        ...{ workspace_id: workspaceId, link_id: linkId, click_id: ulid(at), visitor: 1, kind },
        at: new Date(at).toISOString().replace('T', ' ').replace('Z', ''),
        segment: `${journal}-${sequence}`,
      })),
    })
  await insert(counted, 1, 5)
  await insert(counted, 1, 3, NOW, 'bot')
  await insert(counted, 1, 2, Date.parse('2024-01-01T00:00:00Z'))
  await insert(deleted, 1, 4)
  await insert(counted, 2, 50)
  await insert(counted, 1, 7, NOW, 'view')
  await sql`insert into journal_cursors values (${journal}, 1, now())`
  await sql`
    insert into link_clicks (link_id, workspace_id, clicks) values (${counted}, ${workspaceId}, 7)`
  await sql`
    insert into imported_clicks (workspace_id, link_id, source, day, clicks)
    values (${workspaceId}, ${counted}, 'bitly', '2026-11-01', 900)`
  await sql`delete from links where id = ${deleted}`
  const whole = { links: 3, drifting: [], driftingTotal: 0, keptTotal: 0, isRepaired: false }
  assert.deepEqual(await recountLinks(deps), whole)

  const log = openLog('silent')
  const retention = { ...deps, clock: () => NOW, log, days: 365, graceMs: 0 }
  await new ClickRetention(retention).once()
  const [left] = await sql`select state from click_folds`
  assert.equal(left!['state'], 'done')
  assert.deepEqual(await recountLinks(deps), whole, 'clicks that are days')

  await insert(missing, 1, 1)
  await sql`update link_clicks set clicks = 107 where link_id = ${counted}`
  const drifts = [
    { workspaceId, linkId: counted, counter: 107, clicks: 7, state: 'DRIFT' },
    { workspaceId, linkId: missing, counter: 0, clicks: 1, state: 'DRIFT' },
  ].toSorted((a, b) => (a.linkId < b.linkId ? -1 : 1))
  const found = { links: 3, drifting: drifts, driftingTotal: 2, keptTotal: 0, isRepaired: false }
  assert.deepEqual(await recountLinks(deps), found)

  const env = {
    DATA_DIR: freshDataDir(t),
    DATABASE_URL: urls.postgresUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
  }
  const shown = await runCli(['verify'], env)
  assert.equal(shown.code, 1)
  for (const { linkId, counter, clicks } of drifts)
    assert.match(
      shown.stdout,
      new RegExp(`DRIFT  ${workspaceId}  ${linkId}  counter ${counter}, clicks ${clicks}`),
    )
  // Two repairs at once add the difference once.
  const repairs = await Promise.all([
    recountLinks(deps, { repair: true }),
    recountLinks(deps, { repair: true }),
  ])
  assert.equal(repairs[0].driftingTotal + repairs[1].driftingTotal, 2)
  assert.deepEqual(await recountLinks(deps), whole)
  const [waiting] = await sql`select count(*) as n from link_rank_changes`
  assert.ok(Number(waiting!['n']) > 0, 'the order of links follows')
})

test('a repair lowers no counter while ClickHouse has set parts of the clicks aside', async (t) => {
  const { sql, clickhouse, ...urls } = await freshDatabases(t)
  const deps = { sql: asSystem(sql), clickhouse }
  const workspaceId = await addWorkspace(sql)
  const [high, low] = [await addLink(sql, { workspaceId }), await addLink(sql, { workspaceId })]
  const journal = newBootId()
  await clickhouse.insert({
    table: 'clicks',
    format: 'JSONEachRow',
    values: [high, low].map((linkId) => ({
      ...{ workspace_id: workspaceId, link_id: linkId, click_id: ulid(NOW), visitor: 1 },
      ...{ at: '2026-11-21 12:00:00', kind: 'human', segment: `${journal}-1` },
    })),
  })
  await sql`insert into journal_cursors values (${journal}, 1, now())`
  await sql`insert into link_clicks (link_id, workspace_id, clicks) values (${high}, ${workspaceId}, 9)`
  const [table] = await selectRows<{ path: string }>(
    clickhouse,
    `select data_paths[1] as path from system.tables
      where database = currentDatabase() and name = 'clicks'`,
  )
  const part = join(table!.path, 'detached', 'broken-on-start_202611_1_9_2')
  mkdirSync(part)

  const repaired = await recountLinks(deps, { repair: true })
  assert.equal(repaired.keptTotal, 1)
  const states = repaired.drifting.map(({ linkId, state }) => [linkId, state])
  assert.deepEqual(Object.fromEntries(states), { [high]: 'KEPT', [low]: 'REPAIRED' })
  const counters = await sql`select link_id, clicks from link_clicks`
  const clicks = counters.map(({ linkId, clicks: count }) => [linkId, Number(count)])
  assert.deepEqual(Object.fromEntries(clicks), { [high]: 9, [low]: 1 })

  const env = {
    DATA_DIR: freshDataDir(t),
    DATABASE_URL: urls.postgresUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
  }
  const shown = await runCli(['verify', '--repair'], env)
  assert.equal(shown.code, 1)
  assert.match(shown.stdout, new RegExp(`KEPT  ${workspaceId}  ${high}  counter 9, clicks 1`))
  const examined = await runCli(['doctor'], env)
  assert.match(examined.stdout, new RegExp(`WARN  parts .*${part}`))

  rmSync(part, { recursive: true })
  assert.equal((await recountLinks(deps, { repair: true })).keptTotal, 0)
  const [lowered] = await sql`select clicks from link_clicks where link_id = ${high}`
  assert.equal(Number(lowered!['clicks']), 1)
})

test('many links that differ are counted, and a hundred of them shown', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const workspaceId = await addWorkspace(sql)
  for (let i = 0; i < 120; i++) await addLink(sql, { workspaceId })
  await sql`insert into link_clicks select id, workspace_id, 1 from links`
  const found = await recountLinks({ sql: asSystem(sql), clickhouse })
  assert.deepEqual([found.links, found.drifting.length, found.driftingTotal], [120, 100, 120])
  const id = newId('wsp', NOW)
  await sql`insert into purges (id, started_at) values (${workspaceId}, now()), (${id}, now())`
  const during = await recountLinks({ sql: asSystem(sql), clickhouse })
  assert.equal(during.links, 0, 'a workspace that is being deleted')
})

test('verify beside a running program under load', async (t) => {
  const dataDir = freshDataDir(t)
  const world = await openWorld(t, { config: { dataDir }, isClockReal: true })
  const member = await world.member()
  const links: { id: string; slug: string }[] = []
  for (let i = 0; i < 3; i++) {
    const made = await member.post('/links', { destinationUrl: 'https://example.com/', name: 'A' })
    links.push(made.body.data)
  }
  const verify = async (input: object) => {
    const answer = await callServer(dataDir, 'verify', input)
    return (answer as VerifyAnswer).counters
  }
  const stop = new AbortController()
  let clicks = 0
  const load = links.map(async ({ slug }) => {
    while (!stop.signal.aborted) {
      await world.call('GET', `/${slug}`, { redirect: 'manual' })
      clicks++
      await delay(2)
    }
  })
  const countersOf = async () => {
    const rows = await world.sql<{ clicks: number }[]>`select clicks from link_clicks`
    return rows.reduce((sum, row) => sum + row.clicks, 0)
  }
  await eventually(async () => assert.ok((await countersOf()) > 0))
  for (let i = 0; i < 10; i++) {
    const found = await verify({})
    assert.deepEqual(found, {
      links: 3,
      drifting: [],
      driftingTotal: 0,
      keptTotal: 0,
      isRepaired: false,
    })
  }
  await world.sql`update link_clicks set clicks = clicks + 1000 where link_id = ${links[0]!.id}`
  const found = await verify({})
  assert.equal(found.driftingTotal, 1)
  assert.equal(found.drifting[0]!.counter - found.drifting[0]!.clicks, 1000)
  const line = await runCli(['verify', '--repair'], { DATA_DIR: dataDir })
  assert.equal(line.code, 0, line.stdout + line.stderr)
  assert.match(line.stdout, new RegExp(`REPAIRED  ${member.workspaceId}  ${links[0]!.id}`))
  assert.equal((await verify({})).driftingTotal, 0)
  stop.abort()
  await Promise.all(load)
  await eventually(async () => assert.equal(await countersOf(), clicks))
  assert.equal((await verify({})).driftingTotal, 0)
})
