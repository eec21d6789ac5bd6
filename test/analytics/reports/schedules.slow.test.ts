import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createJobs } from '../../../src/platform/jobs/jobs.ts'
import { startDueReports } from '../../../src/analytics/reports/schedule.ts'
import { NEVER } from '../../support/never.ts'
import { asSystem } from '../../support/privileges.ts'
import { must } from '../../support/calls.ts'
import { eventually, openWorld, type Member, type World } from '../../support/world.ts'
import { download, finished, holdRuns, makeReport } from '../../support/reports-world.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

const DAILY = { frequency: 'daily', hour: 6, timezone: 'America/New_York' }

async function countRuns({ sql }: World, { workspaceId }: Member): Promise<number> {
  const [row] = await sql<[{ runs: number }]>`
    select count(*)::int as runs from jobs
    where workspace_id = ${workspaceId} and kind = 'reports' and id like 'run_%'`
  return row.runs
}

async function emailOf({ sql }: World, { userId }: Member): Promise<string> {
  const [row] = await sql<[{ email: string }]>`select email from users where id = ${userId}`
  return row.email
}

test('a due report runs once with any number of workers, and a missed time is made up once', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { sql, clock } = world
  const report = await makeReport(owner, { type: 'links', schedule: DAILY })
  assert.deepEqual(report.schedule, { ...DAILY, weekday: null, recipients: [] })
  const firstAt = Date.parse(report.nextRunAt)
  assert.ok(firstAt > clock.now && firstAt <= clock.now + DAY_MS)
  assert.equal(await countRuns(world, owner), 1)

  // Four workers beside the one of the program, three days late.
  clock.advance(firstAt - clock.now + 3 * DAY_MS)
  const systemSql = asSystem(sql)
  const now = () => clock.now
  const workers = Array.from({ length: 4 }, () => {
    const jobs = createJobs({ clock: now, systemSql })
    return () => startDueReports({ systemSql, clock: now, jobs }, NEVER)
  })
  await Promise.all(workers.flatMap((worker) => [worker(), worker()]))
  // The worker of the program may have taken the report, and not committed yet.
  await eventually(async () => assert.equal(await countRuns(world, owner), 2))
  const again = await eventually(async () => {
    const { data } = (await owner.get(`/reports/${report.id}`)).body
    assert.equal(Date.parse(data.generatedAt), clock.now)
    return data
  })
  assert.equal(Date.parse(again.nextRunAt), firstAt + 4 * DAY_MS)
  const events = await sql`
    select 1 from events where type = 'report.generated' and workspace_id = ${owner.workspaceId}`
  assert.equal(events.length, 2)

  // A run that is under way at the next time delays it.
  const release = await holdRuns(world, owner.workspaceId)
  clock.advance(DAY_MS)
  // The run before is over a moment after its file is there.
  await eventually(async () => {
    await workers[0]!()
    assert.equal(await countRuns(world, owner), 4, 'the held one among them')
  })
  clock.advance(DAY_MS)
  await Promise.all(workers.map((worker) => worker()))
  assert.equal(await countRuns(world, owner), 4)
  await release()
  await finished(owner, report.id)
  await eventually(async () => assert.equal(await countRuns(world, owner), 4))
})

test('a schedule is changed and ended, and wrong ones are refused', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const stranger = await world.member()
  const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
  const [own, foreign, theirs] = [
    await emailOf(world, owner),
    await emailOf(world, stranger),
    await emailOf(world, viewer),
  ]
  const { id } = await makeReport(owner, { type: 'links' })
  const refused: [object, string][] = [
    [{ frequency: 'hourly' }, 'schedule.frequency'],
    [{ frequency: 'daily', hour: 24 }, 'schedule.hour'],
    [{ frequency: 'daily', hour: -1 }, 'schedule.hour'],
    [{ frequency: 'daily', hour: 1.5 }, 'schedule.hour'],
    [{ frequency: 'weekly', weekday: 8 }, 'schedule.weekday'],
    [{ frequency: 'daily', weekday: 1 }, 'schedule.weekday'],
    [{ frequency: 'daily', timezone: 'Mars/Base' }, 'schedule.timezone'],
    [{ frequency: 'daily', recipients: Array(51).fill(own) }, 'schedule.recipients'],
    [{ frequency: 'daily', recipients: [own, 'nobody'] }, 'schedule.recipients.1'],
    [{ frequency: 'daily', recipients: [foreign] }, 'schedule.recipients.0'],
  ]
  for (const [schedule, path] of refused)
    for (const answer of [
      await owner.post('/reports', { type: 'links', schedule }),
      await owner.patch(`/reports/${id}`, { schedule }),
    ]) {
      assert.equal(answer.status, 400, JSON.stringify(schedule))
      assert.equal(answer.body.error.details[0].path, path)
    }
  const audit = { type: 'audit_log', schedule: { frequency: 'daily', recipients: [theirs] } }
  const { body } = await must(400, owner.post('/reports', audit))
  assert.equal(body.error.details[0].path, 'schedule.recipients.0')

  const weekly = { frequency: 'weekly', weekday: 7, recipients: [own, theirs, own] }
  const changed = (await must(200, owner.patch(`/reports/${id}`, { schedule: weekly }))).body.data
  assert.deepEqual(changed.schedule, {
    ...{ frequency: 'weekly', hour: 8, weekday: 0, timezone: 'UTC', recipients: [own, theirs] },
  })
  assert.equal(new Date(changed.nextRunAt).getUTCDay(), 0)
  const ended = (await must(200, owner.patch(`/reports/${id}`, { schedule: null }))).body.data
  assert.deepEqual([ended.schedule, ended.nextRunAt], [null, null])

  await world.sql`
    insert into reports (id, workspace_id, name, type, format, filters, schedule, asker, run_id, created_at)
    select 'rep_s' || n, ${owner.workspaceId}, 'S', 'links', 'csv', '{}', '{}', '{}', 'none', now()
    from generate_series(1, 50) n`
  const limited = await owner.patch(`/reports/${id}`, { schedule: weekly })
  assert.deepEqual([limited.status, limited.body.error.details.reason], [409, 'too_many_schedules'])
})

test('under a plan without reports a scheduled run fails, and the file stays', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { id, nextRunAt } = await makeReport(owner, { type: 'links', schedule: DAILY })
  await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
  world.clock.advance(Date.parse(nextRunAt) - world.clock.now)
  await eventually(async () => {
    const { data } = (await must(200, owner.get(`/reports/${id}`))).body
    assert.deepEqual([data.status, data.error?.code], ['failed', 'PLAN_CAPABILITY_REQUIRED'])
  })
  assert.equal((await download(world, owner, id)).answer.status, 200)
  await must(200, owner.patch(`/reports/${id}`, { name: 'Renamed', schedule: null }))
  await must(204, owner.delete(`/reports/${id}`))
})

test('recipients who are members then get a mail after each scheduled run, and no other address', async (t) => {
  const world = await openWorld(t, { pace: 5 })
  const owner = await world.member()
  const { workspaceId } = owner
  const removed = await world.member({ workspaceId, role: 'member' })
  const [own, gone] = [await emailOf(world, owner), await emailOf(world, removed)]
  const name = 'Weekly <b>links</b>'
  const schedule = { ...DAILY, recipients: [gone, own] }
  const report = await makeReport(owner, { type: 'links', name, schedule })
  await must(204, owner.delete(`/members/${removed.userId}`))
  world.clock.advance(Date.parse(report.nextRunAt) - world.clock.now)
  const mail = await world.outbox.next(own)
  assert.match(mail.text, /The report Weekly .* is ready/)
  assert.ok(mail.text.includes(`${world.origin}/app/${workspaceId}/reports`), mail.text)
  assert.ok(!mail.text.includes('token='), 'the link opens nothing by itself')
  await eventually(async () => {
    const [left] = await world.sql<[{ mailTo: string[] | null }]>`
      select mail_to from reports where id = ${report.id}`
    assert.equal(left.mailTo, null)
  })
  const folder = join(world.dataDir, 'outbox')
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  assert.ok(mails.some((text) => text.includes(own)))
  assert.ok(!mails.some((text) => text.includes(gone)), 'a removed member got a mail')
})
