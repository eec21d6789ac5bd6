import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createCapabilities, createLimit } from '../../src/platform/plans/limits.ts'
import { createLinks } from '../../src/links/link/links.ts'
import { createHashLinkPassword } from '../../src/links/write/password.ts'
import { createShortHost } from '../../src/links/link/dependencies.ts'
import { CAPABILITY_NAMES, type LimitName } from '../../src/platform/plans/plan.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import {
  closePostgres,
  inWorkspace,
  openPostgres,
  type Sql,
  type Tx,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshPostgres } from '../support/engines.ts'
import { heavyReadsOn } from '../support/heavy-reads.ts'
import { asTenant } from '../support/privileges.ts'
import { addWorkspace, saveNoResponse, toPrincipal, unusedLinkClicks } from '../support/fixtures.ts'

const NOW = Date.parse('2026-05-31T23:59:59.000Z')
const RACERS = 60
const STANDING = [
  'domains',
  'members',
  'webhook_endpoints',
  'api_keys',
  'campaigns',
  'bio_pages',
  'utm_templates',
  'media_storage_mb',
] as const
const plans = readPlans(null)

async function open(t: TestContext) {
  const { sql: admin, postgresUrl } = await freshPostgres(t)
  const sql = openPostgres(postgresUrl, { role: REQUEST_ROLE, maxConnections: 20 })
  t.after(() => closePostgres(sql))
  const clock = { now: NOW }
  return { admin, sql, clock, limit: createLimit(() => clock.now, plans) }
}

let serial = 0

async function newWorkspace(admin: Sql, plan: string): Promise<string> {
  return addWorkspace(admin, { id: `wsp_${++serial}`, plan })
}

async function usedOf(admin: Sql, workspaceId: string, name: LimitName): Promise<number> {
  const [row] = await admin<{ used: number }[]>`
    select coalesce(sum(used), 0)::bigint as used from usage_counters
    where workspace_id = ${workspaceId} and name = ${name}`
  return row!.used
}

/** The number of successes; every other one must have been refused with this limit. */
async function race(work: () => Promise<unknown>, name: LimitName): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: RACERS }, work))
  const refused = results.filter((result) => result.status === 'rejected')
  for (const { reason } of refused) {
    assert.ok(reason instanceof ApiError, String(reason))
    assert.equal(reason.code, 'PLAN_LIMIT_REACHED')
    assert.equal((reason.details as { limit: string }).limit, name)
  }
  return RACERS - refused.length
}

test('limits', async (t) => {
  const { admin, sql, clock, limit } = await open(t)
  const take = (workspaceId: string, name: Parameters<typeof limit>[2], amount?: number) =>
    inWorkspace(sql, workspaceId, (tx) => limit(tx, workspaceId, name, amount))

  await t.test('sixty links at once make exactly the links that the plan has left', async () => {
    const workspaceId = await newWorkspace(admin, 'free')
    const principal = toPrincipal('usr_1', workspaceId)
    const origin = 'http://localhost:3000'
    const shortHost = createShortHost({ publicUrl: null, shortUrl: null, origin, port: 3000 })
    const links = createLinks({
      sql,
      linkClicks: unusedLinkClicks,
      reads: heavyReadsOn(sql),
      clock: () => clock.now,
      audit: createAudit(() => clock.now),
      requireCapability: createCapabilities(plans),
      limit,
      publish: createOutbox(() => clock.now),
      saveIdempotentResponse: saveNoResponse,
      hashLinkPassword: createHashLinkPassword(createSecrets('a secret key')),
      shortHost: () => shortHost,
    })
    const make = () =>
      links.create(principal, { name: 'Docs', destinationUrl: 'https://example.com/' })
    for (let i = 1; i < plans.named('free').limits.links_monthly!; i++) await make()
    assert.equal(await race(make, 'links_monthly'), 1)
    const [row] = await admin`select count(*) as n from links where workspace_id = ${workspaceId}`
    assert.equal(row!['n'], 25)
    assert.equal(await usedOf(admin, workspaceId, 'links_monthly'), 25)
    await assert.rejects(make, {
      message: 'The monthly link limit of the plan is reached.',
      details: { limit: 'links_monthly', max: 25, used: 25 },
    })
  })

  for (const name of STANDING)
    await t.test(`sixty at once take exactly what the plan has left of ${name}`, async () => {
      const workspaceId = await newWorkspace(admin, 'pro')
      const max = plans.named('pro').limits[name]!
      if (max > 1) await take(workspaceId, name, max - 1)
      assert.equal(await race(() => take(workspaceId, name), name), 1)
      assert.equal(await usedOf(admin, workspaceId, name), max)
    })

  await t.test('a limit of zero gives nothing, and none gives everything', async () => {
    const free = await newWorkspace(admin, 'free')
    assert.equal(await race(() => take(free, 'webhook_endpoints'), 'webhook_endpoints'), 0)
    const unlimited = await newWorkspace(admin, 'self_hosted')
    assert.equal(await race(() => take(unlimited, 'domains'), 'domains'), RACERS)
    assert.equal(await usedOf(admin, unlimited, 'domains'), RACERS)
  })

  await t.test('what is left is read without taking it', async () => {
    const workspaceId = await newWorkspace(admin, 'free')
    const readLeft = () =>
      inWorkspace(sql, workspaceId, (tx) => limit.left(tx, workspaceId, 'links_monthly'))
    await take(workspaceId, 'links_monthly', 20)
    const { left, toRefusal } = await readLeft()
    assert.equal(left, 5)
    assert.deepEqual(toRefusal().details, { limit: 'links_monthly', max: 25, used: 25 })
    assert.equal((await readLeft()).left, 5)
    assert.equal(await usedOf(admin, workspaceId, 'links_monthly'), 20)
  })

  await t.test('an amount is taken whole or not at all', async () => {
    const workspaceId = await newWorkspace(admin, 'pro')
    await assert.rejects(take(workspaceId, 'members', 4), { code: 'PLAN_LIMIT_REACHED' })
    await take(workspaceId, 'members', 2)
    await assert.rejects(take(workspaceId, 'members', 2), {
      details: { limit: 'members', max: 3, used: 2 },
    })
    assert.equal(await usedOf(admin, workspaceId, 'members'), 2)
  })

  await t.test('what is rolled back has used nothing', async () => {
    const workspaceId = await newWorkspace(admin, 'pro')
    await assert.rejects(
      inWorkspace(sql, workspaceId, async (tx) => {
        await limit(tx, workspaceId, 'campaigns')
        throw new Error('later')
      }),
      { message: 'later' },
    )
    assert.equal(await usedOf(admin, workspaceId, 'campaigns'), 0)
  })

  await t.test('a lower plan removes nothing and refuses more until there is room', async () => {
    const workspaceId = await newWorkspace(admin, 'business')
    await take(workspaceId, 'domains', 5)
    await admin`update workspaces set plan = 'free' where id = ${workspaceId}`
    await assert.rejects(take(workspaceId, 'domains'), {
      details: { limit: 'domains', max: 3, used: 5 },
    })
    for (const used of [4, 3]) {
      await take(workspaceId, 'domains', -1)
      assert.equal(await usedOf(admin, workspaceId, 'domains'), used)
      await assert.rejects(take(workspaceId, 'domains'), { code: 'PLAN_LIMIT_REACHED' })
    }
    await take(workspaceId, 'domains', -1)
    await take(workspaceId, 'domains')
    assert.equal(await usedOf(admin, workspaceId, 'domains'), 3)
  })

  await t.test(
    'a month keeps what it used, and the next one of UTC begins at nothing',
    async () => {
      const workspaceId = await newWorkspace(admin, 'free')
      await take(workspaceId, 'links_monthly', 25)
      await take(workspaceId, 'links_monthly', -1)
      await assert.rejects(take(workspaceId, 'links_monthly'), { code: 'PLAN_LIMIT_REACHED' })
      clock.now += 1_000
      await take(workspaceId, 'links_monthly', 25)
      await assert.rejects(take(workspaceId, 'links_monthly'), { code: 'PLAN_LIMIT_REACHED' })
      clock.now -= 1_000
      await assert.rejects(take(workspaceId, 'links_monthly'), { code: 'PLAN_LIMIT_REACHED' })
    },
  )

  await t.test('after random creates, deletes and rollbacks the counter is the count', async () => {
    const workspaceId = await newWorkspace(admin, 'pro')
    const max = plans.named('pro').limits.webhook_endpoints!
    await Promise.all(
      Array.from({ length: 12 }, async (_, worker) => {
        for (let i = 0; i < 15; i++) await churn(sql, limit, workspaceId, `${worker}-${i}`)
      }),
    )
    const [row] = await admin<{ n: number }[]>`
      select count(*) as n from webhook_endpoints where workspace_id = ${workspaceId}`
    assert.equal(await usedOf(admin, workspaceId, 'webhook_endpoints'), row!.n)
    assert.ok(row!.n <= max)
  })

  await t.test(
    'a plan that does not exist keeps what is there and allows nothing new',
    async () => {
      const workspaceId = await newWorkspace(admin, 'gold')
      const sentence =
        'The plan "gold" of this workspace no longer exists; the operator must set another plan.'
      await assert.rejects(take(workspaceId, 'links_monthly'), {
        code: 'PLAN_LIMIT_REACHED',
        message: sentence,
        details: { limit: 'links_monthly', max: 0, used: 0 },
      })
      await take(workspaceId, 'domains', -1)
    },
  )
})

test('capabilities', async (t) => {
  const { admin, sql } = await open(t)
  const requireCapability = createCapabilities(plans)
  const ask = (workspaceId: string, capability: (typeof CAPABILITY_NAMES)[number]) =>
    inWorkspace(sql, workspaceId, (tx) => requireCapability(tx, workspaceId, capability))

  await t.test('each plan includes what it says and nothing else', async () => {
    for (const plan of plans.all) {
      const workspaceId = await newWorkspace(admin, plan.id)
      for (const capability of CAPABILITY_NAMES) {
        if (plan.capabilities[capability]) await ask(workspaceId, capability)
        else
          await assert.rejects(ask(workspaceId, capability), {
            code: 'PLAN_CAPABILITY_REQUIRED',
            status: 403,
            details: { capability, plan: plan.id },
          })
      }
    }
  })

  await t.test('the refusal of webhooks is the sentence of the specification', async () => {
    await assert.rejects(ask(await newWorkspace(admin, 'free'), 'webhooks'), {
      message: 'The workspace plan does not include webhooks.',
    })
  })

  await t.test('a plan or workspace that does not exist includes nothing', async () => {
    for (const workspaceId of [await newWorkspace(admin, 'gold'), 'wsp_none'])
      await assert.rejects(ask(workspaceId, 'webhooks'), { code: 'PLAN_CAPABILITY_REQUIRED' })
  })
})

/** Creates, deletes, or begins one of the two and gives up. */
async function churn(
  sql: Sql,
  limit: ReturnType<typeof createLimit>,
  workspaceId: string,
  id: string,
): Promise<void> {
  const isCreate = Math.random() < 0.6
  const isGivenUp = Math.random() < 0.3
  const work = async (tx: Tx) => {
    await limit(tx, workspaceId, 'webhook_endpoints', isCreate ? 1 : 0)
    if (isCreate)
      await tx`
        insert into webhook_endpoints (id, workspace_id, url, events, status, secret_sealed,
          created_by, created_at, updated_at)
        values (${id}, ${workspaceId}, 'https://example.com', '{*}', 'active', '', 'u', now(), now())`
    else {
      const gone = await tx`
        delete from webhook_endpoints where workspace_id = ${workspaceId} and id = (
          select id from webhook_endpoints where workspace_id = ${workspaceId} limit 1)
        returning id`
      await limit(tx, workspaceId, 'webhook_endpoints', -gone.length)
    }
    if (isGivenUp) throw new Error('given up')
  }
  await inWorkspace(asTenant(sql), workspaceId, work).catch((error: Error) => {
    if (error.message !== 'given up' && (error as ApiError).code !== 'PLAN_LIMIT_REACHED')
      throw error
  })
}
