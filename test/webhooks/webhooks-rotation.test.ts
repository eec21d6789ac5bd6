import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { packSignatures, sign, unpackSignatures } from '../../src/webhooks/delivery/signature.ts'
import { Registry } from 'prom-client'
import { allChores, openPlainReceiver } from '../support/delivery-world.ts'
import { asSystem } from '../support/privileges.ts'
import { eventually, openWorld, type World } from '../support/world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const ON_LOOPBACK = { config: { egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true } }
const PREVIOUS = 'x-service-signature-previous'

async function openStage(t: TestContext, changes: object = {}) {
  const world = await openWorld(t, ON_LOOPBACK)
  const owner = await world.member()
  const receiver = await openPlainReceiver(t)
  const made = await owner.post('/webhooks/endpoints', {
    url: receiver.url,
    events: ['link.created'],
    ...changes,
  })
  assert.equal(made.status, 201)
  const path = `/webhooks/endpoints/${made.body.data.id}`
  /** Sends a test and returns its arrival. */
  const deliver = async () => {
    const { id } = (await owner.post(`${path}/test`)).body.data
    return eventually(() => {
      const arrival = receiver.arrivals.find(({ body }) => JSON.parse(body).id === id)
      assert.ok(arrival)
      return { id, ...arrival }
    })
  }
  const rotate = async (query = '') => {
    const answer = await owner.post(`${path}/secret/rotate${query}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data
  }
  return { world, owner, path, deliver, rotate, secret: made.body.data.secret as string }
}

type Arrived = { headers: Record<string, string | string[] | undefined>; body: string }

function assertSigned({ headers, body }: Arrived, secret: string, previous: string | null): void {
  const timestamp = Number(headers['x-service-timestamp'])
  assert.equal(headers['x-service-signature'], sign(secret, timestamp, body))
  assert.equal(headers[PREVIOUS], previous === null ? undefined : sign(previous, timestamp, body))
}

function choresOf(world: World) {
  return allChores({
    sql: asSystem(world.sql),
    clock: () => world.clock.now,
    log: openLog('silent'),
    retentionDays: 30,
    registry: new Registry(),
    audit: async () => {},
    mails: { webhookFailing: () => true },
  })
}

async function previousOf({ sql }: World): Promise<unknown[]> {
  const rows = await sql`select previous_secret_sealed as sealed from webhook_endpoints`
  return rows.map((row) => row['sealed'])
}

test('without an overlap the old secret signs nothing more', async (t) => {
  const { world, owner, path, deliver, rotate, secret } = await openStage(t)
  assertSigned(await deliver(), secret, null)
  for (const query of ['', '?overlapHours=0']) {
    const rotated = await rotate(query)
    assert.equal(rotated.previousSecretValidUntil, null)
    assertSigned(await deliver(), rotated.secret, null)
    assert.equal((await owner.get(path)).body.data.previousSecretValidUntil, null)
  }
  assert.deepEqual(await previousOf(world), [null])
})

test('during an overlap both secrets sign, and after it the old one is deleted', async (t) => {
  const { world, owner, path, deliver, rotate, secret } = await openStage(t, {
    standardHeaders: true,
  })
  const rotated = await rotate('?overlapHours=168')
  const until = new Date(world.clock.now + 168 * HOUR_MS).toISOString()
  assert.equal(rotated.previousSecretValidUntil, until)
  assert.equal((await owner.get(path)).body.data.previousSecretValidUntil, until)
  const [listed] = (await owner.get('/webhooks/endpoints')).body.data
  assert.equal(listed.previousSecretValidUntil, until)
  const { secret: shown } = (await owner.get(`${path}/secret`)).body.data
  assert.equal(shown, rotated.secret)

  const sent = await deliver()
  assertSigned(sent, rotated.secret, secret)
  const signed = `${sent.id}.${String(sent.headers['webhook-timestamp'])}.${sent.body}`
  const [current, previous, ...more] = [rotated.secret, secret].map(
    (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  )
  assert.equal(sent.headers['webhook-signature'], `${current} ${previous}`)
  assert.deepEqual(more, [])
  const { requestHeaders } = await eventually(async () => {
    const { data } = (await owner.get(`/webhooks/deliveries/${sent.id}`)).body
    assert.equal(data.status, 'completed')
    return data
  })
  for (const name of ['x-service-signature', PREVIOUS, 'webhook-signature'])
    assert.equal(requestHeaders[name], sent.headers[name], name)

  world.clock.advance(168 * HOUR_MS)
  assert.equal((await owner.get(path)).body.data.previousSecretValidUntil, null)
  const later = await deliver()
  assertSigned(later, rotated.secret, null)
  assert.ok(!String(later.headers['webhook-signature']).includes(' '))
  await choresOf(world).once()
  assert.deepEqual(await previousOf(world), [null])
})

test('a second rotation ends the earlier overlap', async (t) => {
  const { deliver, rotate, secret } = await openStage(t)
  const second = await rotate('?overlapHours=24')
  assertSigned(await deliver(), second.secret, secret)
  const third = await rotate('?overlapHours=1')
  assertSigned(await deliver(), third.secret, second.secret)
  const fourth = await rotate()
  assertSigned(await deliver(), fourth.secret, null)
})

test('an overlap that is no whole number of hours up to a week is refused', async (t) => {
  const { owner, path, secret } = await openStage(t)
  for (const hours of ['-1', '169', '1.5', 'a', '', '1e1', '0x1', '99999999999999999999']) {
    const { status, body } = await owner.post(`${path}/secret/rotate?overlapHours=${hours}`)
    assert.deepEqual(
      [status, body.error?.code, body.error?.details[0].path],
      [400, 'VALIDATION_ERROR', 'overlapHours'],
      hours,
    )
  }
  assert.equal((await owner.get(`${path}/secret`)).body.data.secret, secret)
})

test('neither secret of an overlap is in a table, a log or another answer', async (t) => {
  const { world, owner, path, rotate, secret } = await openStage(t)
  const rotated = await rotate('?overlapHours=2')
  const answers = await Promise.all(
    [path, '/webhooks', '/audit-log', '/security-log'].map((each) => owner.get(each)),
  )
  const rows = await world.sql`select e::text as text from webhook_endpoints e`
  const texts = [...answers.map(({ text }) => text), ...rows.map((row) => String(row['text']))]
  for (const text of texts)
    for (const hidden of [secret, rotated.secret, Buffer.from(secret).toString('hex')])
      assert.ok(!text.includes(hidden))
  const [row] = await world.sql<{ changes: object }[]>`
    select changes from audit_log where action = 'webhook.secret_rotated'`
  assert.deepEqual(row!.changes, {
    previousSecretValidUntil: { old: null, new: rotated.previousSecretValidUntil },
  })
})

test('what is stored of an attempt gives back every header that signed it', () => {
  const hmac = (n: number, encoding: 'hex' | 'base64') => Buffer.alloc(32, n).toString(encoding)
  const ours = { 'x-service-signature': `t=5,v1=${hmac(1, 'hex')}`, 'x-service-timestamp': '5' }
  const previous = { [PREVIOUS]: `t=5,v1=${hmac(2, 'hex')}` }
  const standard = (signature: string) => ({
    'webhook-id': 'del_1',
    'webhook-timestamp': '5',
    'webhook-signature': signature,
  })
  const [first, second] = [`v1,${hmac(3, 'base64')}`, `v1,${hmac(4, 'base64')}`]
  const sent: Record<string, string>[] = [
    ours,
    { ...ours, ...standard(first) },
    { ...ours, ...previous },
    { ...ours, ...previous, ...standard(`${first} ${second}`) },
  ]
  for (const headers of sent)
    assert.deepEqual(unpackSignatures('del_1', packSignatures(5, headers)), headers)
})
