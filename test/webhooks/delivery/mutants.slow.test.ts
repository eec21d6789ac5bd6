import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { systemClock } from '../../../src/platform/core/clock.ts'
import { createEgressGuard, type EgressGuard } from '../../../src/platform/egress/guard.ts'
import { createEgressAgent } from '../../../src/platform/egress/agent.ts'
import type { Secrets } from '../../../src/platform/core/secrets.ts'
import { createAttempt } from '../../../src/webhooks/delivery/attempt.ts'
import type { Claim } from '../../../src/webhooks/delivery/queue/queue-claims.ts'
import type { Outcome } from '../../../src/webhooks/delivery/queue/queue-outcomes.ts'
import { createQueue } from '../../../src/webhooks/delivery/queue/queue.ts'
import { sign } from '../../../src/webhooks/delivery/signature.ts'
import { inTransaction, type Sql } from '../../../src/platform/storage/postgres/postgres.ts'
import { openReceiver } from '../../support/receiver.ts'
import { eventually } from '../../support/world.ts'
import { checkTallies, countStatuses, openDeliveryWorld } from '../../support/delivery-world.ts'
import { asSystem } from '../../support/privileges.ts'

/** Parts of the program with one rule broken. Each has a story that must detect it. */
const MUTANTS = {
  'outcomes of any epoch are written': [
    fencedOutcome,
    { sql: rewritten('q.epoch <= r.epoch and ', '') },
  ],
  'the outcome of an attempt is written again during the next': [
    repeatedOutcome,
    { sql: rewritten('and q.attempts = r.attempt - 1', '') },
  ],
  'lanes of another worker are claimed from': [
    fencedClaim,
    { sql: rewritten('l.epoch = i.epoch and l.owner = ', 'l.owner <> ') },
  ],
  'a lapsed lease is as good as any': [
    lapsedLease,
    { sql: rewritten('and w.lease_until > now()\n      join', '\n      join') },
  ],
  'literal addresses are not judged': [
    literalAddress,
    { guard: (guard: EgressGuard) => ({ ...guard, checkHost() {} }) },
  ],
  'a lane that no wake signal reached is left asleep': [
    missedWakeSignal,
    { sql: rewritten('l.ready_at is null or ', '') },
  ],
  'the secret is remembered per endpoint': [rotatedSecret, { secrets: rememberedSecrets }],
} satisfies Record<string, [Story, Partial<Mutation>]>

/** A sweep a second, on a busy machine. */
const SWEPT_WITHIN_MS = 10_000

type Mutation = {
  sql: (sql: Sql) => Sql
  guard: (guard: EgressGuard) => EgressGuard
  secrets: (secrets: Secrets) => Secrets
}
type Story = (t: TestContext, mutation: Mutation) => Promise<void>

const SOUND: Mutation = {
  sql: (sql) => sql,
  guard: (guard) => guard,
  secrets: (secrets) => secrets,
}

for (const [name, [story, mutation]] of Object.entries(MUTANTS) as [
  string,
  [Story, Partial<Mutation>],
][]) {
  test(`${story.name} holds, and were it so that ${name}, it would not`, async (t) => {
    await story(t, SOUND)
    await assert.rejects(story(t, { ...SOUND, ...mutation }), { code: 'ERR_ASSERTION' })
  })
}

/** Two workers and one delivery that the first has claimed when its lease lapses. */
async function twoWorkers(t: TestContext, { sql: mutate }: Mutation) {
  const world = await openDeliveryWorld(t)
  const principal = await world.workspace()
  await world.endpoints.create(principal, { url: 'http://127.0.0.1:8080/', events: ['*'] })
  await world.publishMany(principal, 2)
  const [first, second] = ['a', 'b'].map((host) =>
    createQueue({
      sql: asSystem(mutate(world.system)),
      clock: systemClock,
      workerId: randomUUID(),
      host,
    }),
  )
  await first!.heartbeat()
  await second!.heartbeat()
  const [lane] = await first!.acquire(10)
  const [claim] = await first!.claim([{ lane: lane!, free: 1 }])
  const lapse = () => world.sql`update webhook_workers set lease_until = now() where host = 'a'`
  return { world, first: first!, second: second!, lane: lane!, claim: claim!, lapse }
}

function outcome(claim: Claim, result: Outcome['result']): Outcome {
  const { id, workspaceId, endpointId, epoch } = claim
  return {
    ...{ id, workspaceId, endpointId, epoch, result },
    attempt: claim.attempts + 1,
    delaySeconds: 0,
    responseStatus: result === 'completed' ? 200 : 500,
    durationMs: 1,
    responseBody: '',
    responseHeaders: '{}',
    error: null,
    signed: null,
    sentHeaders: null,
    logEntry: JSON.stringify({ attempt: claim.attempts + 1 }),
  }
}

async function fencedOutcome(t: TestContext, mutation: Mutation): Promise<void> {
  const { world, first, second, claim, lapse } = await twoWorkers(t, mutation)
  await lapse()
  const [taken] = await second.acquire(10)
  const [again] = await second.claim([{ lane: taken!, free: 1 }])
  assert.equal(again!.id, claim.id)
  assert.equal(again!.orphaned, 1)
  await first.flush([outcome(claim, 'dead')])
  assert.deepEqual(await countStatuses(world.sql), [1, 1, 0, 0, 0])
  // Both in one batch: what is fenced does not carry the other away.
  await second.flush([outcome(claim, 'dead'), outcome(again!, 'completed')])
  assert.deepEqual(await countStatuses(world.sql), [1, 0, 1, 0, 0])
  const [stats] = await world.sql<{ failureCount: number }[]>`
    select failure_count from webhook_endpoint_stats`
  assert.equal(stats!.failureCount, 0)
  await checkTallies(world.sql)
}

/** A flush is repeated when its answer was lost; the next attempt may have begun in between. */
async function repeatedOutcome(t: TestContext, mutation: Mutation): Promise<void> {
  const { world, first, lane, claim } = await twoWorkers(t, mutation)
  const failed = outcome(claim, 'retry')
  await first.flush([failed])
  const claims = await first.claim([{ lane, free: 2 }])
  const again = claims.find(({ id }) => id === claim.id)
  assert.equal(again!.attempts, 1)
  await first.flush([failed])
  assert.deepEqual(await countStatuses(world.sql), [0, 2, 0, 0, 0])
  await first.flush([outcome(again!, 'completed')])
  assert.deepEqual(await countStatuses(world.sql), [0, 1, 1, 0, 0])
  const [row] = await world.sql<{ entries: number }[]>`
    select json_array_length(attempt_log) as entries from webhook_log`
  assert.equal(row!.entries, 2)
  await checkTallies(world.sql)
}

async function fencedClaim(t: TestContext, mutation: Mutation): Promise<void> {
  const { first, second, lane, lapse } = await twoWorkers(t, mutation)
  assert.equal((await second.claim([{ lane, free: 5 }])).length, 0)
  await lapse()
  const [taken] = await second.acquire(10)
  await first.heartbeat()
  assert.equal((await first.claim([{ lane, free: 5 }])).length, 0)
  assert.equal((await second.claim([{ lane: taken!, free: 5 }])).length, 2)
}

async function lapsedLease(t: TestContext, mutation: Mutation): Promise<void> {
  const { first, lane, lapse } = await twoWorkers(t, mutation)
  await lapse()
  assert.equal((await first.claim([{ lane, free: 5 }])).length, 0)
}

/** This process hears no notification, and a locked lane is not woken by the producer either. */
async function missedWakeSignal(t: TestContext, { sql }: Mutation): Promise<void> {
  const world = await openDeliveryWorld(t)
  const receiver = await openReceiver(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, { url: receiver.url('/'), events: ['*'] })
  world.startEngine({ sql: asSystem(sql(world.system)) })
  await inTransaction(world.sql, async (tx) => {
    await tx`select from webhook_lanes where endpoint_id = ${id} for update`
    await world.publishMany(principal, 1)
  })
  await eventually(async () => assert.equal(receiver.requests.length, 1), SWEPT_WITHIN_MS)
  // The lane is held now, and its worker is not told either.
  await world.publishMany(principal, 1)
  await eventually(async () => assert.equal(receiver.requests.length, 2), SWEPT_WITHIN_MS)
}

async function literalAddress(t: TestContext, { guard }: Mutation): Promise<void> {
  const receiver = await openReceiver(t)
  const dispatcher = createEgressAgent(guard(createEgressGuard({ allowedCidrs: [] })))
  t.after(() => dispatcher.destroy())
  const attempt = createAttempt({ dispatcher })
  await attempt({ url: receiver.url('/'), headers: {}, body: '{}' })
  assert.equal(receiver.connections.length, 0)
}

async function rotatedSecret(t: TestContext, { secrets }: Mutation): Promise<void> {
  const world = await openDeliveryWorld(t)
  const receiver = await openReceiver(t)
  const principal = await world.workspace()
  const { id } = await world.endpoints.create(principal, { url: receiver.url('/'), events: ['*'] })
  const worker = world.startEngine({
    alter: (deps) => ({ ...deps, secrets: secrets(deps.secrets) }),
  })
  await world.publishMany(principal, 1)
  await eventually(async () => assert.equal(receiver.requests.length, 1))
  const { secret } = await world.endpoints.rotateSecret(principal, id)
  await world.publishMany(principal, 1)
  worker.wake()
  await eventually(async () => assert.equal(receiver.requests.length, 2))
  const { headers, body } = receiver.requests[1]!
  assert.equal(
    headers['x-service-signature'],
    sign(secret, Number(headers['x-service-timestamp']), body),
  )
}

/** Statements in which one piece of text is another. */
function rewritten(from: string, to: string): (sql: Sql) => Sql {
  return (sql) => {
    const change = (text: string) => text.replace(from, to)
    return new Proxy(sql, {
      apply(target, self, [strings, ...values]: [readonly string[], ...unknown[]]) {
        if (!('raw' in strings)) return Reflect.apply(target, self, [strings, ...values])
        const changed = Object.assign(strings.map(change), { raw: strings.map(change) })
        return Reflect.apply(target, self, [changed, ...values])
      },
    })
  }
}

function rememberedSecrets(secrets: Secrets): Secrets {
  const known = new Map<string, string>()
  return {
    ...secrets,
    open(purpose, boundTo, sealed) {
      const secret = known.get(boundTo) ?? secrets.open(purpose, boundTo, sealed)
      known.set(boundTo, secret)
      return secret
    },
  }
}
