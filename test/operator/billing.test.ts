import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Stripe } from 'stripe'
import { bindDeps } from '../../src/platform/core/functions.ts'
import { ApiError } from '../../src/platform/core/errors.ts'
import { openLog } from '../../src/platform/core/log.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import { createSecurityRecorder } from '../../src/platform/audit/security.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createBilling } from '../../src/operator/billing/billing.ts'
import { createProviderEvents } from '../../src/operator/billing/events.ts'
import { setPlan } from '../../src/operator/billing/set-plan.ts'
import { createServerWorkspaces } from '../../src/operator/workspaces/workspaces.ts'
import { openStripe } from '../../src/operator/billing/stripe.ts'
import { Usage } from '../../src/operator/billing/usage.ts'
import { CREDENTIALS_CHANNEL } from '../../src/accounts/credentials/cache.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import {
  closePostgres,
  inTransaction,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { freshDatabases } from '../support/engines.ts'
import { eventually } from '../support/world.ts'
import {
  openStripeServer,
  recordedEvent,
  recordedInvoice,
  recordedSubscription,
} from '../support/stripe-server.ts'
import { addWorkspace, toPrincipal, freshFolder, saveNoResponse } from '../support/fixtures.ts'
import { listen } from '../../src/platform/storage/postgres/listen.ts'

const NOW = Date.parse('2026-05-15T12:00:00.000Z')
const NOW_SECONDS = NOW / 1_000
const MONTH_SECONDS = 30 * 86_400
const KEY = 'sk_test_recorded'
const SECRET = 'whsec_recorded'
const log = openLog('silent')

function sellingPlans() {
  const folder = freshFolder()
  const prices: Record<string, object> = {
    pro: { monthly: 'price_pro', yearly: 'price_proyear', former: ['price_proold'] },
    business: { monthly: 'price_business' },
  }
  const plans = readPlans(null).all.map((plan) =>
    prices[plan.id] ? { ...plan, stripePriceIds: prices[plan.id] } : plan,
  )
  const path = join(folder, 'plans.json')
  writeFileSync(path, JSON.stringify({ plans }))
  return readPlans(path, 'free')
}

async function open(t: TestContext) {
  const { sql: admin, postgresUrl, clickhouse } = await freshDatabases(t)
  const sql = openPostgres(postgresUrl, { role: REQUEST_ROLE })
  const systemSql = openPostgres(postgresUrl, { role: WORKER_ROLE })
  const heard: string[] = []
  // A pool of its own: the one of the test's databases is closed before this one could unlisten.
  const listenerSql = openPostgres(postgresUrl)
  await listen(listenerSql, [CREDENTIALS_CHANNEL], ({ payload }) => heard.push(payload))
  t.after(() => Promise.all([sql, systemSql, listenerSql].map(closePostgres)))
  const stripe = await openStripeServer(t)
  const times = { now: NOW }
  const clock = () => times.now
  const plans = sellingPlans()
  const audit = createAudit(clock)
  const recordSecurity = createSecurityRecorder(clock)
  const planDeps = { systemSql, clock, plans, audit, publish: createOutbox(clock) }
  const origin = () => 'https://links.example.com'
  const secrets = { secretKey: KEY, webhookSecret: SECRET, api: stripe.api }
  const provider = (await openStripe({ ...secrets, plans, origin, clock, log }))!
  const usage = new Usage({ systemSql, clock, plans, log })
  const deps = { sql, clock, plans, usage, clickhouse, saveIdempotentResponse: saveNoResponse }
  // As two processes have: neither knows what the other is doing.
  const handlers = [1, 2].map(() => createProviderEvents({ ...planDeps, provider, log }))
  let events = 0
  let sent = 0
  return {
    admin,
    systemSql,
    clickhouse,
    stripe,
    times,
    plans,
    usage,
    heard,
    handle: handlers[0]!,
    billing: createBilling({ ...deps, provider }),
    unsold: createBilling({ ...deps, provider: null }),
    ...bindDeps(planDeps, { setPlan }),
    setWorkspacePlan: createServerWorkspaces({ ...planDeps, clickhouse, log, recordSecurity })
      .setPlan,
    /** Sends an event with a signature of now. */
    send(type: string, object: Record<string, unknown>, id?: string) {
      const body = recordedEvent(
        id ?? `evt_${++events}`,
        type,
        Math.floor(times.now / 1_000),
        object,
      )
      return handlers[++sent % 2]!(Buffer.from(body), sign(body, times.now))
    },
  }
}

function sign(payload: string, atMs: number, secret = SECRET): string {
  const timestamp = Math.floor(atMs / 1_000)
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

let serial = 0

async function newWorkspace(admin: Sql, plan = 'free'): Promise<Principal> {
  return toPrincipal('usr_1', await addWorkspace(admin, { id: `wsp_${++serial}`, plan }))
}

/** Published events and audit rows of a workspace, in order. */
async function told(admin: Sql, { workspaceId }: Principal) {
  const events = await admin<{ type: string; data: string }[]>`
    select type, data from events where workspace_id = ${workspaceId} order by created_at, id`
  const audits = await admin<{ action: string; actorId: string; changes: object }[]>`
    select action, actor_id, changes from audit_log
    where workspace_id = ${workspaceId} order by created_at, id`
  return {
    events: events.map(({ type, data }) => ({ type, ...JSON.parse(data) })),
    audits: [...audits],
  }
}

test('billing', async (t) => {
  const world = await open(t)
  const { admin, billing, stripe, times, send } = world
  const planOf = async (principal: Principal) => (await billing.subscription(principal)).plan

  /** A workspace that bought `priceId` just now. */
  async function subscriber(priceId = 'price_pro') {
    const principal = await newWorkspace(admin)
    const id = `sub_${principal.workspaceId.slice(4)}`
    const fields = {
      id,
      workspaceId: principal.workspaceId,
      customerId: `cus_${principal.workspaceId.slice(4)}`,
      priceId,
      status: 'active',
      createdAt: NOW_SECONDS,
      endsAt: NOW_SECONDS + MONTH_SECONDS,
    }
    /** Replaces the state of Stripe. */
    const become = (change: Partial<typeof fields> & { cancelAtPeriodEnd?: boolean } = {}) => {
      Object.assign(fields, change)
      const made = recordedSubscription(fields)
      stripe.subscriptions.set(fields.id, made)
      return made
    }
    return { principal, id, become }
  }

  await t.test(
    'the plans are shown as the contract has them, without what Stripe calls them',
    () => {
      const shown = billing.listPlans()
      assert.deepEqual(Object.keys(shown[2]!), [
        'id',
        'name',
        'price',
        'limits',
        'capabilities',
        'apiRequestsPerMinute',
        'soldIntervals',
      ])
      assert.deepEqual(shown[2]!.price, { monthly: 30, yearly: 300, currency: 'usd' })
    },
  )

  await t.test('a workspace that never bought anything is active, without an end', async () => {
    const principal = await newWorkspace(admin, 'self_hosted')
    assert.deepEqual(await billing.subscription(principal), {
      plan: 'self_hosted',
      status: 'active',
      currentPeriodStart: null,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
    })
    assert.deepEqual(await billing.invoices(principal), [])
    assert.deepEqual(await billing.paymentMethods(principal), [])
  })

  await t.test(
    'usage shows calls of this moment, clicks of this month and each limit',
    async () => {
      const principal = await newWorkspace(admin, 'pro')
      await world.usage.take(principal.workspaceId, 'pro')
      await admin`
      insert into usage_counters (workspace_id, name, period, used) values
        (${principal.workspaceId}, 'domains', '', 2), (${principal.workspaceId}, 'links_monthly', '2026-05', 9),
        (${principal.workspaceId}, 'links_monthly', '2026-04', 77)`
      await world.clickhouse.insert({
        table: 'clicks',
        format: 'JSONEachRow',
        values: ['2026-05-01 00:00:00', '2026-05-15 10:00:00', '2026-04-30 23:59:59'].map(
          (at, i) => ({
            workspace_id: principal.workspaceId,
            link_id: 'lnk_1',
            click_id: `01ARZ3NDEKTSV4RRFFQ69G5FA${i}`,
            at,
            kind: 'human',
          }),
        ),
      })
      const { period, resetsAt, usage } = await billing.readUsage(principal)
      assert.deepEqual([period, resetsAt], ['2026-05', '2026-06-01T00:00:00.000Z'])
      assert.deepEqual(usage['api_requests_monthly'], { used: 1, limit: 50_000 })
      assert.deepEqual(usage['links_monthly'], { used: 9, limit: 1_000 })
      assert.deepEqual(usage['clicks_monthly'], { used: 2, limit: 50_000 })
      assert.deepEqual(usage['domains'], { used: 2, limit: 10 })
      assert.deepEqual(usage['bio_pages'], { used: 0, limit: 5 })
      assert.equal(Object.keys(usage).length, 11)
    },
  )

  await t.test(
    'the operator sets a plan: written, audited, published and told to all',
    async () => {
      const principal = await newWorkspace(admin, 'free')
      const { workspaceId: workspace } = principal
      assert.deepEqual(await world.setWorkspacePlan({ workspace, plan: 'pro' }), {
        workspaceId: workspace,
        plan: 'pro',
        previousPlan: 'free',
      })
      assert.equal(await planOf(principal), 'pro')
      await world.setWorkspacePlan({ workspace, plan: 'pro' })
      assert.deepEqual(await told(admin, principal), {
        events: [
          {
            type: 'billing.subscription.updated',
            plan: 'pro',
            previousPlan: 'free',
            status: 'active',
            currentPeriodEnd: null,
          },
        ],
        audits: [
          {
            action: 'billing.plan_changed',
            actorId: 'operator',
            changes: { plan: { old: 'free', new: 'pro' } },
          },
        ],
      })
      await eventually(async () => assert.ok(world.heard.includes(`workspace:${workspace}`)))
    },
  )

  await t.test('a plan or workspace that does not exist is told to the operator', async () => {
    const { workspaceId: workspace } = await newWorkspace(admin)
    await assert.rejects(world.setWorkspacePlan({ workspace, plan: 'gold' }), {
      code: 'VALIDATION_ERROR',
      message:
        'The plan "gold" does not exist; the plans are self_hosted, free, pro, business, enterprise.',
    })
    await assert.rejects(world.setWorkspacePlan({ workspace: 'wsp_none', plan: 'pro' }), {
      message: 'The workspace "wsp_none" does not exist.',
    })
  })

  await t.test('what is rolled back has changed, told and published nothing', async () => {
    const principal = await newWorkspace(admin)
    const failing = inTransaction(world.systemSql, async (tx) => {
      await world.setPlan(tx, principal, { plan: 'pro', status: 'trialing' })
      throw new Error('later')
    })
    await assert.rejects(failing, { message: 'later' })
    assert.equal(await planOf(principal), 'free')
    assert.deepEqual(await told(admin, principal), { events: [], audits: [] })
  })

  await t.test(
    'a checkout leads to Stripe with the price, the workspace and the way back',
    async () => {
      const principal = await newWorkspace(admin)
      const { url } = await billing.checkout(principal, { plan: 'pro', interval: 'yearly' })
      assert.equal(url, 'https://checkout.stripe.com/c/pay/cs_test_a1')
      const { line, form, authorization } = stripe.requests.at(-1)!
      assert.equal(line, 'POST /v1/checkout/sessions')
      assert.equal(authorization, `Bearer ${KEY}`)
      assert.deepEqual(Object.fromEntries(form), {
        mode: 'subscription',
        'line_items[0][price]': 'price_proyear',
        'line_items[0][quantity]': '1',
        client_reference_id: principal.workspaceId,
        'subscription_data[metadata][workspaceId]': principal.workspaceId,
        success_url: 'https://links.example.com/app/billing?checkout=done',
        cancel_url: 'https://links.example.com/app/billing?checkout=left',
      })
    },
  )

  await t.test('what is not sold, or was bought already, is refused in a sentence', async () => {
    const principal = await newWorkspace(admin)
    const refused: [object, { plan: string; interval: 'monthly' | 'yearly' }][] = [
      [
        { code: 'VALIDATION_ERROR', message: 'The plan "gold" does not exist.' },
        { plan: 'gold', interval: 'monthly' },
      ],
      [{ code: 'VALIDATION_ERROR' }, { plan: 'enterprise', interval: 'monthly' }],
      [
        { message: 'The plan Business is not sold yearly here.' },
        { plan: 'business', interval: 'yearly' },
      ],
    ]
    for (const [error, input] of refused)
      await assert.rejects(billing.checkout(principal, input), error)
    await assert.rejects(billing.portal(principal), {
      code: 'CONFLICT',
      message: /bought nothing yet/,
    })
    for (const asked of [
      world.unsold.checkout(principal, { plan: 'pro', interval: 'monthly' }),
      world.unsold.portal(principal),
    ])
      await assert.rejects(asked, {
        code: 'CONFLICT',
        message: 'This server sells no plans; its operator assigns them.',
      })
    assert.deepEqual(await world.unsold.invoices(principal), [])
  })

  await t.test(
    'a subscription that was bought gives its plan, from whichever event comes first',
    async () => {
      for (const [type, objectOf] of [
        ['customer.subscription.created', (_: string, made: object) => made],
        ['customer.subscription.updated', (_: string, made: object) => made],
        [
          'checkout.session.completed',
          (id: string) => ({ id: 'cs_test_a1', object: 'checkout.session', subscription: id }),
        ],
        ['invoice.paid', (id: string) => recordedInvoice(id)],
        ['invoice.paid', (id: string) => recordedInvoice(id, true)],
      ] as const) {
        const { principal, id, become } = await subscriber()
        const object = objectOf(id, become()) as Record<string, unknown>
        assert.deepEqual(await send(type, object), { status: 200, message: 'Handled.' })
        assert.deepEqual(await billing.subscription(principal), {
          plan: 'pro',
          status: 'active',
          currentPeriodStart: '2026-05-15T12:00:00.000Z',
          currentPeriodEnd: '2026-06-14T12:00:00.000Z',
          cancelAtPeriodEnd: false,
        })
        const { events, audits } = await told(admin, principal)
        assert.deepEqual(events, [
          {
            type: 'billing.subscription.updated',
            plan: 'pro',
            previousPlan: 'free',
            status: 'active',
            currentPeriodEnd: '2026-06-14T12:00:00.000Z',
          },
        ])
        assert.deepEqual(
          audits.map(({ action, actorId }) => [action, actorId]),
          [['billing.plan_changed', 'stripe']],
        )
      }
    },
  )

  await t.test(
    'a renewal, a change of plan, a failed payment and the end are followed',
    async () => {
      const { principal, id, become } = await subscriber()
      const steps: [
        change: Parameters<typeof become>[0],
        type: string,
        plan: string,
        status: string,
      ][] = [
        [{}, 'customer.subscription.created', 'pro', 'active'],
        [{ endsAt: NOW_SECONDS + 2 * MONTH_SECONDS }, 'invoice.paid', 'pro', 'active'],
        [{ priceId: 'price_business' }, 'customer.subscription.updated', 'business', 'active'],
        [{ priceId: 'price_proold' }, 'customer.subscription.updated', 'pro', 'active'],
        [{ status: 'past_due' }, 'invoice.payment_failed', 'pro', 'past_due'],
        [{ status: 'unpaid' }, 'customer.subscription.updated', 'free', 'past_due'],
        [{ status: 'active' }, 'invoice.paid', 'pro', 'active'],
        [{ cancelAtPeriodEnd: true }, 'customer.subscription.updated', 'pro', 'active'],
        [{ status: 'canceled' }, 'customer.subscription.deleted', 'free', 'canceled'],
      ]
      for (const [change, type, plan, status] of steps) {
        times.now += 1_000
        const made = become(change)
        const object = type.startsWith('invoice') ? recordedInvoice(id) : made
        assert.equal((await send(type, object)).message, 'Handled.')
        const now = await billing.subscription(principal)
        assert.deepEqual([now.plan, now.status], [plan, status], type)
      }
      assert.equal((await billing.subscription(principal)).cancelAtPeriodEnd, true)
      const { events, audits } = await told(admin, principal)
      assert.equal(events.length, steps.length)
      assert.deepEqual(
        events.map((event) => event.plan),
        steps.map(([, , plan]) => plan),
      )
      assert.equal(audits[1]!.action, 'billing.subscription_updated')
      assert.deepEqual(await billing.portal(principal), {
        url: 'https://billing.stripe.com/p/session/test_1',
      })
      assert.equal(
        (await billing.checkout(principal, { plan: 'pro', interval: 'monthly' })).url.length,
        44,
      )
      assert.equal(
        stripe.requests.at(-1)!.form.get('customer'),
        `cus_${principal.workspaceId.slice(4)}`,
      )
    },
  )

  await t.test('one event acts once, also when it comes thirty times at once', async () => {
    const { principal, become } = await subscriber()
    const made = become()
    const again = () => send('customer.subscription.created', made, 'evt_again')
    const answers = await Promise.all(Array.from({ length: 30 }, again))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(answers.filter(({ message }) => message === 'Handled.').length, 1)
    assert.equal((await told(admin, principal)).events.length, 1)
  })

  await t.test('events in any order, all at once, end in what Stripe has', async () => {
    const { principal, become } = await subscriber()
    const created = become()
    const upgraded = become({ priceId: 'price_business' })
    const deleted = become({ status: 'canceled', priceId: 'price_business' })
    await world.setWorkspacePlan({ workspace: principal.workspaceId, plan: 'pro' })
    await admin`
      insert into subscriptions (workspace_id, status, provider, customer_id, subscription_id,
        subscribed_at, updated_at)
      values (${principal.workspaceId}, 'active', 'stripe', 'cus_1', ${created['id'] as string},
        ${new Date(NOW)}, now())
      on conflict (workspace_id) do update set provider = 'stripe',
        subscription_id = excluded.subscription_id, subscribed_at = excluded.subscribed_at`
    await Promise.all([
      send('customer.subscription.deleted', deleted),
      send('customer.subscription.created', created),
      send('customer.subscription.updated', upgraded),
    ])
    const now = await billing.subscription(principal)
    assert.deepEqual([now.plan, now.status], ['free', 'canceled'])
  })

  await t.test('the newest subscription decides the plan of a workspace', async () => {
    const { principal, id, become } = await subscriber()
    const first = become()
    await send('customer.subscription.created', first)
    const second = become({ id: `${id}b`, createdAt: NOW_SECONDS + 60, priceId: 'price_business' })
    await send('customer.subscription.created', second)
    assert.equal(await planOf(principal), 'business')
    become({ id, createdAt: NOW_SECONDS, status: 'canceled', priceId: 'price_pro' })
    const late = await send('customer.subscription.deleted', first)
    assert.deepEqual(late, {
      status: 200,
      message: 'Another subscription decides the plan of the workspace.',
    })
    assert.equal(await planOf(principal), 'business')
    await assert.rejects(billing.checkout(principal, { plan: 'pro', interval: 'monthly' }), {
      code: 'CONFLICT',
    })
  })

  await t.test(
    'what was never paid, or is not ours, changes nothing and is answered 200',
    async () => {
      const unpaid = await subscriber()
      const stranger = await subscriber('price_ofsomethingelse')
      const nowhere = await subscriber()
      const made = nowhere.become({ workspaceId: 'wsp_gone' })
      const cases: [type: string, object: Record<string, unknown>, message: string][] = [
        [
          'customer.subscription.created',
          unpaid.become({ status: 'incomplete' }),
          'Another subscription decides the plan of the workspace.',
        ],
        [
          'customer.subscription.created',
          stranger.become(),
          'The price belongs to no plan in PLANS_FILE.',
        ],
        [
          'customer.subscription.created',
          made,
          'The subscription belongs to no workspace of this server.',
        ],
        [
          'customer.subscription.updated',
          { id: 'sub_unknown' },
          'The subscription does not exist.',
        ],
        ['charge.succeeded', { id: 'ch_1', object: 'charge' }, 'Ignored event type.'],
        ['invoice.paid', { id: 'in_9', object: 'invoice' }, 'Ignored event type.'],
      ]
      for (const [type, object, message] of cases)
        assert.deepEqual(await send(type, object), { status: 200, message })
      for (const { principal } of [unpaid, stranger, nowhere])
        assert.equal(await planOf(principal), 'free')
      // Mended and sent again, it is handled.
      stranger.become({ priceId: 'price_business' })
      await send('customer.subscription.created', { id: stranger.id })
      assert.equal(await planOf(stranger.principal), 'business')
    },
  )

  await t.test(
    'a wrong, missing, foreign or stale signature is refused without a request to Stripe',
    async () => {
      const { principal, become } = await subscriber()
      const body = recordedEvent('evt_forged', 'customer.subscription.created', 1, become())
      const asked = stripe.requests.length
      const signatures = [
        '',
        'nonsense',
        't=1,v1=00',
        sign(body, times.now, 'whsec_other'),
        sign(`${body} `, times.now),
        sign(body, times.now - 301_000),
        sign(body, times.now).replace('v1=', 'v0='),
      ]
      for (const signature of signatures) {
        const answer = await world.handle(Buffer.from(body), signature)
        assert.deepEqual(answer, { status: 400, message: 'Invalid webhook signature.' }, signature)
      }
      const noJson = await world.handle(Buffer.from('{'), sign('{', times.now))
      assert.equal(noJson.status, 400)
      assert.equal(stripe.requests.length, asked)
      assert.equal(await planOf(principal), 'free')
      assert.equal(
        (await world.handle(Buffer.from(body), sign(body, times.now - 299_000))).status,
        200,
      )
      assert.equal(await planOf(principal), 'pro')
    },
  )

  await t.test(
    'while Stripe cannot be asked an event is not lost, and users get an error',
    async () => {
      const { principal, become } = await subscriber()
      const made = become()
      stripe.failing = 500
      assert.equal((await send('customer.subscription.created', made, 'evt_later')).status, 503)
      await assert.rejects(
        billing.checkout(principal, { plan: 'pro', interval: 'monthly' }),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.deepEqual(
            [error.code, error.message],
            ['UNAVAILABLE', 'The billing provider cannot answer right now.'],
          )
          return true
        },
      )
      stripe.failing = null
      assert.equal(
        (await send('customer.subscription.created', made, 'evt_later')).message,
        'Handled.',
      )
      assert.equal(await planOf(principal), 'pro')
    },
  )

  await t.test('invoices and payment methods are those of the customer', async () => {
    const { principal, become } = await subscriber()
    await send('customer.subscription.created', become())
    assert.deepEqual(await billing.invoices(principal), [
      {
        id: 'in_2',
        number: 'A1B2C3-0001',
        status: 'paid',
        amountDue: 3000,
        amountPaid: 3000,
        currency: 'usd',
        periodStart: '2026-04-01T00:00:00.000Z',
        periodEnd: '2026-05-01T00:00:00.000Z',
        createdAt: '2026-05-01T00:00:00.000Z',
        url: 'https://invoice.stripe.com/i/acct_1/test_1',
        pdfUrl: 'https://pay.stripe.com/invoice/acct_1/test_1/pdf',
      },
    ])
    const { line, form } = stripe.requests.at(-1)!
    assert.deepEqual(
      [line, form.get('customer')],
      ['GET /v1/invoices', `cus_${principal.workspaceId.slice(4)}`],
    )
    assert.deepEqual(await billing.paymentMethods(principal), [
      { id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2030 },
    ])
  })
})

test('Stripe is there when both of its secrets are, and the plans fit', async () => {
  const rest = { origin: () => 'http://localhost', clock: () => NOW, log }
  const opening = (
    secretKey: string | null,
    webhookSecret: string | null,
    plans = sellingPlans(),
  ) => openStripe({ secretKey, webhookSecret, plans, ...rest })
  assert.equal(await opening(null, null), null)
  assert.equal((await opening(KEY, SECRET))?.name, 'stripe')
  const together = 'Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or neither.'
  await assert.rejects(opening(KEY, null), { name: 'OperatorError', message: together })
  await assert.rejects(opening(null, SECRET), { message: together })
  await assert.rejects(opening(KEY, SECRET, readPlans(null)), {
    message: /^DEFAULT_PLAN must be another plan than self_hosted when STRIPE_SECRET_KEY is set/,
  })
  await assert.rejects(opening(KEY, SECRET, readPlans(null, 'free')), {
    message: /must have stripePriceIds when STRIPE_SECRET_KEY is set/,
  })
})
