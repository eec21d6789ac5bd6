import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { storePiece } from '../../src/analytics/reports/files.ts'
import { finished, holdRuns, makeReport } from '../support/reports-world.ts'
import { must } from '../support/calls.ts'
import { toPrincipal } from '../support/fixtures.ts'
import { asTenant } from '../support/privileges.ts'
import { eventually, openWorld, type Member, type World } from '../support/world.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'

const LINKS = 100

test('a report that is canceled leaves its place to the next one', async (t) => {
  const { world, owner } = await openShop(t)
  const { free, reports } = await holdSecondPiece(world, owner)
  await seeProgress(owner, reports[0])
  const canceled = must(200, owner.post(`/reports/${reports[0]}/cancel`))
  // The piece that is being stored is deleted by the cancellation, which waits for it.
  await eventually(async () => {
    const waiting = await world.sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from reports r%for update of r%'`
    assert.equal(waiting.length, 1)
  })
  await free()
  await canceled
  const [first, next] = [await finished(owner, reports[0]), await finished(owner, reports[1])]
  assert.deepEqual([first.status, first.error.code], ['failed', 'canceled'])
  const left = await world.sql`select from report_chunks where report_id = ${reports[0]}`
  assert.equal(left.length, 0)
  await must(409, owner.get(`/reports/${reports[0]}/download`))
  assert.deepEqual([next.status, next.rowCount], ['completed', LINKS])
})

test('a piece is stored for the present start of a run that goes on, and for no other', async (t) => {
  const { world, owner } = await openShop(t)
  const stranger = await world.member()
  const { free, reports } = await holdSecondPiece(world, owner)
  const [reportId] = reports
  await seeProgress(owner, reportId)
  const [row] = await world.sql<[{ runId: string }]>`
    select run_id from reports where id = ${reportId}`
  const target = { reportId, runId: row.runId, starts: 1 }
  const deps = {
    ...{ sql: asTenant(world.sql), secrets: createSecrets('a secret'), clock: Date.now },
  }
  const store = (principal: Member, changed: object) =>
    storePiece(
      deps,
      toPrincipal(principal.userId, principal.workspaceId),
      { ...target, ...changed },
      9,
      Buffer.from('piece'),
    )
  const outcomes = [
    await store(owner, { starts: 0 }),
    await store(owner, { starts: 2 }),
    await store(owner, { runId: reports[1] }),
    await store(stranger, {}),
    await store(owner, {}),
  ]
  assert.deepEqual(outcomes, [false, false, false, false, true])
  await free()
  assert.equal((await finished(owner, reportId)).status, 'completed')
  await world.sql`delete from report_chunks where id = ${`${row.runId}.9`}`
  assert.equal(await store(owner, {}), false)
})

test('a stop waits for the piece that is made, and the report goes to another process', async (t) => {
  const { world, owner } = await openShop(t)
  const { free, reports } = await holdSecondPiece(world, owner)
  await seeProgress(owner, reports[0])
  const stopped = world.stop()
  await free()
  await stopped
  const [job] = await world.sql<{ status: string; owner: string | null }[]>`
    select j.status, j.owner from jobs j join reports r on r.run_id = j.id
    where r.id = ${reports[0]}`
  assert.deepEqual({ ...job }, { status: 'processing', owner: null })
})

test('a report of the largest changes is made', async (t) => {
  const { world, owner } = await openShop(t)
  // As of links whose options, metadata and destination change at once.
  const changed = 50_000
  await world.sql`
    insert into audit_log (id, workspace_id, action, actor_type, actor_id, target_type, target_id, changes,
      request_id, created_at)
    select 'aud_' || lpad(i::text, 26, '0'), ${owner.workspaceId}, 'link.updated', 'system', 'test', 'link', 'lnk',
      json_build_object('metadata', json_build_object('old', repeat('Ж', ${changed}), 'new', repeat('Ж', ${changed}))),
      'test', ${new Date(world.clock.now - 1_000)}
    from generate_series(1, 1000) as i`
  const report = await makeReport(owner, { type: 'audit_log', format: 'xlsx' })
  assert.equal(report.status, 'completed', JSON.stringify(report))
  assert.ok(report.rowCount > 1_000)
})

test('a stop waits for no report that reads for long', async (t) => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const { world, owner } = await openShop(t, log)
  const held = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const holding = inTransaction(world.sql, async (tx) => {
    await tx`lock table links`
    held.resolve()
    await stopped.promise
  })
  await held.promise
  await must(202, owner.post('/reports', { type: 'links' }))
  await eventually(async () => {
    const reading = await world.sql`
      select from pg_stat_activity where application_name = 'signpost' and wait_event_type = 'Lock'`
    assert.equal(reading.length, 1)
  })
  await world.stop()
  stopped.resolve()
  await holding
  // A stop that waits for the read ends with the timeout of its statement.
  const failures = lines.filter((line) => /a piece of a job failed/.test(line))
  assert.equal(failures.length, 1)
  assert.doesNotMatch(failures[0]!, /statement timeout/)
  const [job] = await world.sql`select status, owner from jobs where kind = 'reports'`
  assert.deepEqual({ ...job }, { status: 'processing', owner: null })
})

/** A workspace with links whose report has several pieces. */
async function openShop(t: TestContext, log = openLog('silent')) {
  const world = await openWorld(t, { log, pace: 5 })
  const owner = await world.member()
  const destinationUrl = `https://example.com/${'x'.repeat(6_000)}`
  const links = Array.from({ length: LINKS }, (_, at) => ({ name: `Link ${at}`, destinationUrl }))
  await must(200, owner.post('/links/bulk', links))
  return { world, owner }
}

/**
 * Begins two equal reports, the second of which waits for the first. The first has stored one piece when it waits for the returned
 * function: a transaction has taken the id of the next piece.
 */
async function holdSecondPiece(world: World, owner: Member) {
  const { sql } = world
  const { workspaceId } = owner
  const begin = await holdRuns(world, workspaceId)
  const reports: string[] = []
  for (const name of ['First', 'Second']) {
    reports.push((await must(202, owner.post('/reports', { name, type: 'links' }))).body.data.id)
    // The order of runs is that of their times.
    world.clock.advance(1)
  }
  const [first, second] = reports as [string, string]
  const taken = Promise.withResolvers<void>()
  const freed = Promise.withResolvers<void>()
  const over = inTransaction(sql, async (tx) => {
    await tx`
      insert into report_chunks (id, workspace_id, report_id, run_id, content_sealed, created_at)
      select run_id || '.1', workspace_id, ${second}, run_id, '', now() from reports where id = ${first}`
    taken.resolve()
    await freed.promise
    throw new Error('rolled back')
  })
  over.catch(() => {})
  await taken.promise
  await begin()
  const free = async () => {
    freed.resolve()
    await over.catch(() => {})
  }
  return { free, reports: [first, second] as const }
}

async function seeProgress(owner: Member, id: string): Promise<void> {
  await eventually(async () => {
    const { data } = (await must(200, owner.get(`/reports/${id}`))).body
    assert.deepEqual([data.status, data.progress], ['processing', 99])
  })
}
