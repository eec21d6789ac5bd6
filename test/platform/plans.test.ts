import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../src/platform/core/errors.ts'
import { CAPABILITY_NAMES, LIMIT_NAMES } from '../../src/platform/plans/plan.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { freshFolder } from '../support/fixtures.ts'

const DOC = join(import.meta.dirname, '../../docs/plans.md')

/** The example of the documentation, as text. */
const EXAMPLE = /```json\n([\s\S]*?)```/.exec(readFileSync(DOC, 'utf8'))![1]!

// eslint-disable-next-line typescript/no-explicit-any
type Loose = any

function write(content: string): string {
  const folder = freshFolder()
  const path = join(folder, 'plans.json')
  writeFileSync(path, content)
  return path
}

/** The example after a change to it. */
function changed(change: (file: Loose) => void): string {
  const file = JSON.parse(EXAMPLE)
  change(file)
  return JSON.stringify(file)
}

test('without a file there are five plans, and self_hosted has everything without limits', () => {
  const plans = readPlans(null)
  assert.deepEqual(
    plans.all.map((plan) => plan.id),
    ['self_hosted', 'free', 'pro', 'business', 'enterprise'],
  )
  assert.equal(plans.initial.id, 'self_hosted')
  assert.ok(Object.values(plans.initial.limits).every((limit) => limit === null))
  assert.ok(Object.values(plans.initial.capabilities).every((isIncluded) => isIncluded))
  assert.equal(plans.named('free').capabilities.webhooks, false)
  const requests = plans.all.map((plan) => plan.limits.api_requests_monthly)
  assert.deepEqual(requests, [null, 1_000, 50_000, 500_000, null])
  const endpoints = plans.all.map((plan) => plan.limits.webhook_endpoints)
  assert.deepEqual(endpoints, [null, 0, 5, 20, null])
  for (const plan of plans.all) {
    assert.deepEqual(Object.keys(plan.limits), LIMIT_NAMES)
    assert.deepEqual(Object.keys(plan.capabilities), CAPABILITY_NAMES)
  }
})

test('the built-in plans are such as a file may hold', () => {
  const path = write(JSON.stringify({ plans: readPlans(null).all }))
  assert.deepEqual(readPlans(path).all, readPlans(null).all)
})

test('the example of the documentation loads unchanged', () => {
  const plans = readPlans(write(EXAMPLE), 'starter')
  assert.equal(plans.initial.id, 'starter')
  assert.equal(plans.named('team').limits.members, 10)
  assert.equal(plans.withStripePrice('price_1TeamYearly')?.id, 'team')
  assert.equal(plans.withStripePrice('price_other'), null)
})

test('a workspace whose plan is gone keeps what it has and gets nothing new', () => {
  const { limits, capabilities, id } = readPlans(null).named('gold')
  assert.equal(id, 'gold')
  assert.ok(Object.values(capabilities).every((isIncluded) => !isIncluded))
  assert.deepEqual(
    LIMIT_NAMES.filter((name) => limits[name] === null),
    ['clicks_monthly', 'api_requests_monthly', 'analytics_retention_days'],
  )
})

const MISTAKES: readonly [what: string, content: string, sentence: string][] = [
  ['a text that is not JSON', '{"plans": [', 'is not JSON: '],
  ['a list', '[]', ': the file must be an object.'],
  ['no plans', '{}', ': plans is missing.'],
  ['an empty list of plans', '{"plans": []}', ': plans must be a list of plans.'],
  ['a plan that is a number', '{"plans": [7]}', ': plan 1: it must be an object.'],
  ...(
    [
      ['no id', (file) => delete file.plans[1].id, 'plan 2: id is missing.'],
      [
        'an id in capitals',
        (file) => (file.plans[1].id = 'Starter'),
        'plan "Starter": id must be up to 40 lower-case letters, digits and underscores, a letter first.',
      ],
      ['no limits', (file) => delete file.plans[1].limits, 'plan "starter": limits is missing.'],
      [
        'a limit that is missing',
        (file) => delete file.plans[1].limits.domains,
        'plan "starter": limits.domains is missing.',
      ],
      [
        'a negative limit',
        (file) => (file.plans[2].limits.members = -1),
        'plan "team": limits.members must be a whole number from 0, or null for no limit.',
      ],
      [
        'half a limit',
        (file) => (file.plans[2].limits.members = 1.5),
        'plan "team": limits.members must be a whole number from 0, or null for no limit.',
      ],
      [
        'a limit as a text',
        (file) => (file.plans[2].limits.members = '5'),
        'plan "team": limits.members must be a whole number from 0, or null for no limit.',
      ],
      [
        'a limit that does not exist',
        (file) => (file.plans[2].limits.linkz = 1),
        'plan "team": limits.linkz is unknown.',
      ],
      [
        'a capability that does not exist',
        (file) => (file.plans[2].capabilities.teleport = true),
        'plan "team": capabilities.teleport is unknown.',
      ],
      [
        'a capability that is missing',
        (file) => delete file.plans[2].capabilities.webhooks,
        'plan "team": capabilities.webhooks is missing.',
      ],
      [
        'a capability as a text',
        (file) => (file.plans[2].capabilities.webhooks = 'yes'),
        'plan "team": capabilities.webhooks must be true or false.',
      ],
      [
        'a negative price',
        (file) => (file.plans[2].price.yearly = -3),
        'plan "team": price.yearly must be a number from 0, or null for a price by agreement.',
      ],
      [
        'a currency in capitals',
        (file) => (file.plans[2].price.currency = 'EUR'),
        'plan "team": price.currency must be a currency in three lower-case letters.',
      ],
      [
        'no requests a minute',
        (file) => (file.plans[2].apiRequestsPerMinute = 0),
        'plan "team": apiRequestsPerMinute must be a whole number from 1, or null.',
      ],
      [
        'a product instead of a price',
        (file) => (file.plans[2].stripePriceIds.monthly = 'prod_1'),
        'plan "team": stripePriceIds.monthly must be a price id such as price_1Abc.',
      ],
      [
        'a field that does not exist',
        (file) => (file.plans[0].limit = {}),
        'plan "self_hosted": limit is unknown.',
      ],
      [
        'two plans of one id',
        (file) => (file.plans[2].id = 'starter'),
        'two plans have the id "starter".',
      ],
      [
        'no self_hosted',
        (file) => file.plans.shift(),
        'a plan "self_hosted" is missing; workspaces that never had another plan use it.',
      ],
      [
        'a price of two plans',
        (file) => (file.plans[1].stripePriceIds = { former: ['price_1TeamYearly'] }),
        'plan "team": stripePriceIds has price_1TeamYearly, which is already in use.',
      ],
    ] as const satisfies [string, (file: Loose) => unknown, string][]
  ).map(([what, change, sentence]): [string, string, string] => [
    what,
    changed(change),
    `: ${sentence}`,
  ]),
]

for (const [what, content, sentence] of MISTAKES)
  test(`a file with ${what} is refused in one sentence`, () => {
    const path = write(content)
    assert.throws(
      () => readPlans(path),
      (error) => {
        assert.ok(error instanceof OperatorError)
        assert.ok(
          error.message.startsWith(`PLANS_FILE (${path})${sentence.startsWith(':') ? '' : ' '}`) &&
            error.message.includes(sentence),
          error.message,
        )
        assert.match(error.message, /^[^\n]*\.$/)
        return true
      },
    )
  })

test('a file that is not there, and a default plan that is in no file, are told in one sentence', () => {
  assert.throws(() => readPlans('/nowhere/plans.json'), {
    message: 'PLANS_FILE (/nowhere/plans.json) cannot be read.',
  })
  assert.throws(() => readPlans(null, 'gold'), {
    message: 'DEFAULT_PLAN must be the id of a plan that exists, not "gold".',
  })
  const path = write(EXAMPLE)
  assert.throws(() => readPlans(path, 'pro'), {
    message: `DEFAULT_PLAN must be the id of a plan in PLANS_FILE (${path}), not "pro".`,
  })
})
