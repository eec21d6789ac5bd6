import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../support/world.ts'
import { openReceiver } from '../../support/receiver.ts'
import { openDeliveryWorld } from '../../support/delivery-world.ts'

const ALL = { limit: 50, offset: 0 }

test('the attempt log has status, headers and body of every answer', async (t) => {
  const world = await openDeliveryWorld(t)
  const receiver = await openReceiver(t)
  let status = 500
  let attempt = 0
  receiver.on('/hook', {
    run: ({ write }) => {
      attempt++
      const body = `answer ${attempt} `.padEnd(5_000, 'ä')
      return void write(
        `HTTP/1.1 ${status} X\r\nx-attempt: ${attempt}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    },
  })
  world.startEngine()
  const principal = await world.workspace()
  await world.endpoints.create(principal, { url: receiver.url('/hook'), events: ['link.created'] })
  await world.publish(principal)
  const read = async (wanted: string, attempts: number) =>
    eventually(async () => {
      const [row] = (await world.deliveries.list(principal, ALL)).data
      assert.deepEqual([row?.status, row?.attempts], [wanted, attempts])
      return world.deliveries.get(principal, row!.id)
    })
  const answersOf = ({ attemptLog }: Awaited<ReturnType<typeof read>>) =>
    attemptLog.map((entry) => [
      entry.attempt,
      entry.responseStatus,
      entry.responseHeaders?.['x-attempt'] ?? null,
      entry.responseBody?.slice(0, 8) ?? null,
      entry.responseBody?.length ?? null,
    ])
  const answered = (number: number, code = 500) => [
    number,
    code,
    String(number),
    `answer ${number}`,
    4_000,
  ]

  const first = await read('failed', 1)
  assert.deepEqual(answersOf(first), [answered(1)])
  // The answer to the latest attempt is stored once.
  const [stored] = await world.sql<
    { log: string }[]
  >`select attempt_log::text as log from webhook_queue`
  assert.ok(!stored!.log.includes('answer'))

  await world.sending.retry(principal, first.id)
  assert.deepEqual(answersOf(await read('failed', 2)), [answered(1), answered(2)])
  await world.sql`update webhook_queue set is_extra = true`
  await world.sending.retry(principal, first.id)
  const dead = [answered(1), answered(2), answered(3)]
  assert.deepEqual(answersOf(await read('dead_letter', 3)), dead)

  // As it waits, a revived dead letter shows the same; the last answer is in the log of a success, too.
  receiver.on('/hook', { run: ({ reset }) => reset() })
  await world.sending.retry(principal, first.id)
  const reset = await read('dead_letter', 4)
  assert.deepEqual(answersOf(reset), [...dead, [4, null, null, null, null]])
  assert.equal(reset.attemptLog[3]!.error, 'connection_reset')
  status = 200
  attempt = 4
  receiver.on('/hook', {
    run: ({ write }) =>
      void write('HTTP/1.1 200 OK\r\nx-attempt: 5\r\ncontent-length: 2\r\n\r\nok'),
  })
  await world.sending.retry(principal, first.id)
  const done = await read('completed', 5)
  assert.deepEqual(answersOf(done).at(-1), [5, 200, '5', 'ok', 2])
  assert.deepEqual(answersOf(done).slice(0, 3), dead)
  assert.equal(done.responseBody, 'ok')
})

test('a first success writes no log, and shows its answer in one', async (t) => {
  const world = await openDeliveryWorld(t)
  const receiver = await openReceiver(t)
  world.startEngine()
  const principal = await world.workspace()
  await world.endpoints.create(principal, { url: receiver.url('/hook'), events: ['link.created'] })
  await world.publish(principal)
  const { id } = await eventually(async () => {
    const [row] = (await world.deliveries.list(principal, { ...ALL, status: 'completed' })).data
    assert.ok(row)
    return row
  })
  const { attemptLog, responseHeaders } = await world.deliveries.get(principal, id)
  assert.equal(attemptLog.length, 1)
  const [entry] = attemptLog
  assert.deepEqual([entry!.responseStatus, entry!.responseBody], [200, 'ok'])
  assert.deepEqual(entry!.responseHeaders, responseHeaders)
  const [row] = await world.sql`select attempt_log from webhook_log where id = ${id}`
  assert.equal(row!['attemptLog'], null)
})

test('the answers to the latest eleven attempts are kept, and the result of each', async (t) => {
  const { sql } = await openDeliveryWorld(t)
  const [row] = await sql<{ log: { attempt: number; responseBody?: string }[] }[]>`
    with recursive attempts as (
      select 1 as n, add_attempt(null, null, null, '{"attempt":1}') as log
      union all
      select n + 1, add_attempt(log, 'answer ' || n, '{}', format('{"attempt":%s}', n + 1))
      from attempts where n < 30
    ) select log from attempts where n = 30`
  assert.deepEqual(
    row!.log.map(({ attempt }) => attempt),
    Array.from({ length: 30 }, (_, n) => n + 1),
  )
  const kept = row!.log.filter(({ responseBody }) => responseBody !== undefined)
  assert.deepEqual(
    kept.map(({ attempt, responseBody }) => `${attempt} ${responseBody}`),
    Array.from({ length: 10 }, (_, n) => `${n + 20} answer ${n + 20}`),
  )
})
