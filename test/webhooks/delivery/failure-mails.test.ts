import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { newId } from '../../../src/platform/core/ids.ts'
import type { Role, Principal } from '../../../src/platform/routes/principal.ts'
import { FailureMails } from '../../../src/webhooks/delivery/failure-mails.ts'
import { eventually } from '../../support/world.ts'
import { openLines } from '../../support/mail-world.ts'
import {
  emailOf,
  openDeliveryWorld,
  openPlainReceiver,
  type DeliveryWorld,
  type FailureMail,
} from '../../support/delivery-world.ts'
import { addMembership, addUser } from '../../support/fixtures.ts'
import { HOUR_MS } from '../../../src/platform/core/clock.ts'

const HOOK = { url: 'https://192.0.43.8/unlock-your-account?i', events: ['link.created'] }

type Stage = DeliveryWorld & {
  /** The mails that were accepted. */
  sent: FailureMail[]
  lines: string[]
  registry: Registry
  once(): Promise<void>
  /** Turns mails away, as a full queue does. */
  setFull(isFull: boolean): void
}

async function openStage(t: TestContext): Promise<Stage> {
  const world = await openDeliveryWorld(t)
  const { log, lines } = openLines()
  const sent: FailureMail[] = []
  const registry = new Registry()
  let isFull = false
  const failureMails = new FailureMails({
    sql: world.system,
    clock: world.clock,
    log,
    registry,
    mails: { webhookFailing: (to, facts) => !isFull && sent.push({ to, ...facts }) > 0 },
  })
  return {
    ...world,
    sent,
    lines,
    registry,
    once: () => failureMails.once(),
    setFull: (value) => (isFull = value),
  }
}

/** One more member of a workspace, with a verified address. */
async function addMember({ sql }: Stage, { workspaceId }: Principal, role: Role): Promise<string> {
  const userId = newId('usr', Date.now())
  await addUser(sql, { id: userId, email: emailOf(userId) })
  await addMembership(sql, { workspaceId, userId, role })
  return userId
}

/** An endpoint that has failed five times in a row. */
async function failing(
  { sql, endpoints }: Stage,
  principal: Principal,
  userId: string,
  url = HOOK.url,
) {
  const { id } = await endpoints.create(principal, { ...HOOK, url, failureEmail: emailOf(userId) })
  await sql`
    update webhook_endpoint_stats set failure_count = 5, last_failure_at = now(),
      last_failure_status = 500 where endpoint_id = ${id}`
  return id
}

async function urlOfClosedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/hook`
}

async function gauge({ registry }: Stage, name: string): Promise<number | undefined> {
  const metric = await registry.getSingleMetric(`signpost_webhook_${name}`)!.get()
  return metric.values[0]?.value
}

test('one mail lists the failing endpoints of a workspace with the last answer of each', async (t) => {
  const world = await openDeliveryWorld(t)
  const receiver = await openPlainReceiver(t, () => 503)
  const closedUrl = await urlOfClosedPort()
  const principal = await world.workspace()
  world.startEngine({ alter: (deps) => ({ ...deps, schedule: [3_600] }) })
  const failureEmail = emailOf(principal.userId)
  const answering = await world.endpoints.create(principal, {
    ...HOOK,
    url: receiver.url,
    failureEmail,
  })
  const silent = await world.endpoints.create(principal, { ...HOOK, url: closedUrl, failureEmail })
  for (let n = 0; n < 5; n++) await world.publish(principal)
  for (const { id } of [answering, silent])
    await eventually(async () =>
      assert.equal((await world.endpoints.get(principal, id)).failureCount, 5),
    )
  await world.chores.once()
  await world.chores.once()
  assert.equal(world.failureMails.length, 1)
  const [mail] = world.failureMails
  assert.deepEqual([mail!.to, mail!.unlistedCount], [failureEmail, 0])
  const told = new Map(mail!.endpoints.map((each) => [each.endpointId, each]))
  assert.deepEqual(
    [answering.id, silent.id].map((id) => [told.get(id)!.status, told.get(id)!.error]),
    [
      [503, null],
      [null, 'connection_refused'],
    ],
  )
  assert.equal(told.get(answering.id)!.host, new URL(receiver.url).host)
})

test('forty failing endpoints are one mail, which lists twenty', async (t) => {
  const stage = await openStage(t)
  const principal = await stage.workspace()
  for (let n = 0; n < 40; n++) await failing(stage, principal, principal.userId)
  await stage.once()
  await stage.once()
  assert.equal(stage.sent.length, 1)
  assert.deepEqual([stage.sent[0]!.endpoints.length, stage.sent[0]!.unlistedCount], [20, 20])
  assert.ok(stage.sent[0]!.endpoints.every(({ host }) => host === '192.0.43.8'))
})

test('no mail is sent to a user who is no longer a verified admin, until the endpoint names one', async (t) => {
  const stage = await openStage(t)
  const { sql } = stage
  const principal = await stage.workspace()
  const ends: [string, (userId: string) => PromiseLike<unknown>][] = [
    ['removed', (id) => sql`delete from members where user_id = ${id}`],
    ['demoted', (id) => sql`update members set role = 'member' where user_id = ${id}`],
    ['moved', (id) => sql`update users set email_key = 'x' || email_key where id = ${id}`],
    ['unverified', (id) => sql`update users set email_verified_at = null where id = ${id}`],
    ['suspended', (id) => sql`update users set suspended_at = now() where id = ${id}`],
  ]
  const ids: string[] = []
  for (const [, end] of ends) {
    const userId = await addMember(stage, principal, 'admin')
    ids.push(await failing(stage, principal, userId))
    await end(userId)
  }
  // An address that was stored before the rule.
  ids.push(await failing(stage, principal, principal.userId))
  await sql`
    update webhook_endpoints set failure_email = 'victim@example.com' where id = ${ids.at(-1)!}`
  await stage.once()
  await stage.once()
  assert.equal(stage.sent.length, 0)
  assert.equal(await gauge(stage, 'failing_without_recipient'), ids.length)
  const warnings = stage.lines.filter((line) => line.includes('without a recipient'))
  assert.equal(warnings.length, 1, 'one line per change, not per run')
  assert.ok(!stage.lines.join('').includes('@example.com'))

  await stage.endpoints.update(principal, ids.at(-1)!, { failureEmail: emailOf(principal.userId) })
  await stage.once()
  assert.deepEqual(
    stage.sent.map(({ to, endpoints }) => [to, endpoints.map((each) => each.endpointId)]),
    [[emailOf(principal.userId), [ids.at(-1)]]],
  )
})

test('one user gets ten mails an hour over all workspaces, and the rest later', async (t) => {
  const stage = await openStage(t)
  const first = await stage.workspace()
  for (let n = 0; n < 12; n++) {
    const { workspaceId } = await stage.workspace()
    await addMembership(stage.sql, { workspaceId, userId: first.userId, role: 'admin' })
    await failing(stage, { ...first, workspaceId }, first.userId)
  }
  // Two workers, as two processes have them.
  await Promise.all([stage.once(), stage.chores.once()])
  const sent = () => stage.sent.length + stage.failureMails.length
  await stage.once()
  assert.equal(sent(), 10)
  assert.equal(await gauge(stage, 'failure_mails_postponed'), 2)
  assert.equal(stage.lines.filter((line) => line.includes('postponed')).length, 1)
  stage.advance(HOUR_MS)
  await stage.once()
  await stage.once()
  assert.equal(sent(), 12)
  assert.equal(await gauge(stage, 'failure_mails_postponed'), 0)
})

test('a workspace sends fifty mails a day, and another one is not affected', async (t) => {
  const stage = await openStage(t)
  const principal = await stage.workspace()
  for (let n = 0; n < 52; n++)
    await failing(stage, principal, await addMember(stage, principal, 'admin'))
  await stage.once()
  await stage.once()
  assert.equal(stage.sent.length, 50)
  const other = await stage.workspace()
  await failing(stage, other, other.userId)
  await stage.once()
  assert.equal(stage.sent.at(-1)!.to, emailOf(other.userId))
  stage.advance(23 * HOUR_MS)
  await stage.once()
  assert.equal(stage.sent.length, 51)
  stage.advance(HOUR_MS)
  await stage.once()
  assert.equal(stage.sent.length, 53)
})

test('a mail that is not accepted is sent by a later run, and counts once', async (t) => {
  const stage = await openStage(t)
  const principal = await stage.workspace()
  await failing(stage, principal, principal.userId)
  stage.setFull(true)
  for (let n = 0; n < 12; n++) await stage.once()
  assert.equal(stage.sent.length, 0)
  stage.setFull(false)
  await stage.once()
  await stage.once()
  assert.equal(stage.sent.length, 1)
  const [row] = await stage.sql`select count(*) as n from webhook_failure_mails`
  assert.equal(row!['n'], 1)
})
