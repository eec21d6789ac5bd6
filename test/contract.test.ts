import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_ROWS, openProvider } from './authorisation/account-rows.ts'
import { createAsking, isResource, nameOf } from './authorisation/asking.ts'
import { ROWS } from './authorisation/rows.ts'
import { addPerson, openStage } from './authorisation/stage.ts'
import { openWorld } from './support/world.ts'

const PAGE_META = ['requestId', 'total', 'limit', 'offset']

/** What an answer holds: `data` of this type in the envelope, a page for a person, or nothing. */
type Kind = 'object' | 'array' | 'page' | 'nothing'
type Answered = [status: number, kind: Kind, meta?: readonly string[]]

const READ: Answered = [200, 'object']
const PAGED: Answered = [200, 'array', PAGE_META]
const MADE: Answered = [201, 'object']
const TAKEN: Answered = [202, 'object']
const GONE: Answered = [204, 'nothing']
const PAGE: Answered = [200, 'page']
const AWAY: Answered = [302, 'nothing']

/**
 * The specification's endpoint table and the contract's, as far as they are built: what each route
 * answers to a good request, in which envelope. A route of the program that is not here fails.
 */
const CONTRACT: Record<string, Answered> = {
  'POST /links': MADE,
  'GET /links': PAGED,
  'GET /links/:id': READ,
  'PATCH /links/:id': READ,
  'DELETE /links/:id': GONE,
  'GET /analytics/links/:id': [200, 'object', ['requestId', 'period', 'timezone', 'asOf']],
  'GET /webhooks/endpoints': PAGED,
  'POST /webhooks/endpoints': MADE,
  'GET /webhooks': PAGED,
  'POST /webhooks': MADE,
  'GET /webhooks/endpoints/:id': READ,
  'PATCH /webhooks/endpoints/:id': READ,
  'DELETE /webhooks/endpoints/:id': GONE,
  'GET /webhooks/endpoints/:id/secret': READ,
  'POST /webhooks/endpoints/:id/secret/rotate': READ,
  'POST /webhooks/endpoints/:id/test': TAKEN,
  'POST /webhooks/endpoints/:id/replay': TAKEN,
  'GET /webhooks/deliveries': PAGED,
  'POST /webhooks/deliveries/retry': TAKEN,
  'GET /webhooks/deliveries/:deliveryId': READ,
  'POST /webhooks/deliveries/:deliveryId/retry': TAKEN,
  'GET /webhooks/events': READ,
  'GET /webhooks/listen': READ,
  'POST /webhooks/dispatch': TAKEN,
  'POST /api-keys': MADE,
  'GET /api-keys': PAGED,
  'GET /api-keys/:id': READ,
  'PATCH /api-keys/:id': READ,
  'POST /api-keys/:id/rotate': READ,
  'DELETE /api-keys/:id': GONE,
  'GET /workspaces': PAGED,
  'POST /workspaces': MADE,
  'GET /workspaces/:id': READ,
  'PATCH /workspaces/:id': READ,
  'POST /workspaces/:id/activate': READ,
  'GET /members': PAGED,
  'PATCH /members/:userId': READ,
  'DELETE /members/:userId': GONE,
  'GET /invitations': PAGED,
  'POST /invitations': MADE,
  'DELETE /invitations/:id': GONE,
  'GET /invitations/:id': READ,
  'GET /invitations/received/:token': READ,
  'POST /invitations/:token/accept': READ,
  'POST /invitations/:token/reject': READ,
  'GET /audit-log': PAGED,
  'GET /security-log': PAGED,
  'GET /plans': PAGED,
  'GET /billing/subscription': READ,
  'GET /billing/usage': READ,
  'GET /billing/invoices': PAGED,
  'GET /billing/payment-methods': PAGED,

  'GET /auth/invitation': PAGE,
  'POST /auth/invitation': READ,
  'POST /auth/sign-up/email': MADE,
  'GET /auth/verify-email': PAGE,
  'POST /auth/verify-email': READ,
  'POST /auth/send-verification-email': READ,
  'POST /auth/sign-in/email': READ,
  'POST /auth/sign-out': GONE,
  'GET /auth/session': READ,
  'GET /auth/sessions': PAGED,
  'DELETE /auth/sessions/:id': GONE,
  'DELETE /auth/sessions': GONE,
  'GET /auth/ok': READ,
  'POST /auth/request-password-reset': READ,
  'GET /auth/reset-password': PAGE,
  'POST /auth/reset-password': READ,
  'POST /auth/change-password': READ,
  'PATCH /auth/user': READ,
  'GET /auth/user/export': READ,
  'DELETE /auth/user': GONE,
  'POST /auth/change-email': READ,
  'GET /auth/change-email': PAGE,
  'POST /auth/change-email/confirm': READ,
  'GET /auth/two-factor': READ,
  'POST /auth/two-factor/enable': READ,
  'GET /auth/two-factor/verify': PAGE,
  'POST /auth/two-factor/verify': READ,
  'POST /auth/two-factor/disable': READ,
  'POST /auth/passkeys/register/options': READ,
  'POST /auth/passkeys/register/verify': MADE,
  'POST /auth/passkeys/sign-in/options': READ,
  'POST /auth/passkeys/sign-in/verify': READ,
  'GET /auth/passkeys': PAGED,
  'PATCH /auth/passkeys/:id': READ,
  'DELETE /auth/passkeys/:id': GONE,
  'GET /auth/providers': PAGED,
  'GET /auth/sign-in/:provider': AWAY,
  'GET /auth/callback/:provider': AWAY,
  'POST /auth/link/:provider': READ,
  'GET /auth/accounts': PAGED,
  'DELETE /auth/accounts/:id': GONE,
  // Answers in full only where something is sold: test/services/billing.test.ts.
  'POST /billing/checkout': [409, 'nothing'],
  'POST /billing/portal': [409, 'nothing'],
  // The last one: it ends the workspace of all the others.
  'DELETE /workspaces/:id': GONE,
}

const ERROR = ['error', 'meta']

const DOCUMENTS = [
  '/v1/openapi.json',
  '/v1/reference',
  '/v1/reference/setup.js',
  '/v1/reference/reference.js',
  '/v1/auth/openapi.json',
  '/v1/auth/reference',
]

test('the contract', { concurrency: false }, async (t) => {
  const provider = await openProvider()
  t.after(() => provider.close())
  const config = { ...provider.config, egressAllowedCidrs: ['127.0.0.0/8'] }
  const world = await openWorld(t, { config })
  const stage = await openStage(world)
  const asking = createAsking(world)
  const rows = new Map(world.app.routes.map((row) => [nameOf(row), row]))

  await t.test('every route of the program is in the table, and the other way round', () => {
    assert.deepEqual([...rows.keys()].toSorted(), Object.keys(CONTRACT).toSorted())
  })

  await t.test('the documents describe every route, each once', async () => {
    const described = []
    for (const base of ['/v1', '/v1/auth']) {
      const { body } = await world.call('GET', `${base}/openapi.json`)
      for (const [path, methods] of Object.entries(body.paths))
        for (const method of Object.keys(methods as object))
          described.push(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    }
    assert.deepEqual(described.toSorted(), [...rows.keys()].toSorted())
  })

  for (const [name, [status, kind, meta = ['requestId']]] of Object.entries(CONTRACT))
    await t.test(`${name} answers ${status}`, async () => {
      const row = rows.get(name)!
      const caller = isResource(row) ? stage.cast.owner : await addPerson(world)
      const { ask } = (isResource(row) ? ROWS[name] : ACCOUNT_ROWS[name])!
      const request = await ask(stage, caller)
      const answer = await asking.send(row, request, { cookie: caller.session.cookie })
      const { headers, body, text } = answer
      assert.equal(answer.status, status, JSON.stringify(body))
      assert.match(headers.get('x-request-id') ?? '', /^req_/)
      assert.equal(headers.get('signpost-version'), '0.1.0')
      assert.equal(headers.get('cache-control'), 'no-store')
      if (kind === 'page') {
        assert.match(headers.get('content-type')!, /^text\/html/)
        assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
        return assert.match(text, /^<!doctype html>/i)
      }
      if (kind === 'nothing')
        return status < 400 ? assert.equal(text, '') : assert.deepEqual(Object.keys(body), ERROR)
      assert.deepEqual(Object.keys(body), ['data', 'meta'])
      assert.equal(Array.isArray(body.data) ? 'array' : typeof body.data, kind)
      assert.deepEqual(Object.keys(body.meta), meta)
      assert.equal(body.meta.requestId, headers.get('x-request-id'))
    })

  await t.test('the documents are public', async () => {
    for (const path of DOCUMENTS) assert.equal((await world.call('GET', path)).status, 200, path)
  })

  await t.test('an error has one shape everywhere', async () => {
    const owner = await world.member()
    const answers = [
      await owner.post('/links', {}),
      await owner.get('/links/lnk_unknown'),
      await world.call('GET', '/v1/links'),
      await world.call('GET', '/v1/nothing'),
      await world.call('GET', '/nothing', { headers: { accept: 'application/json' } }),
    ]
    for (const { body } of answers) {
      assert.deepEqual(Object.keys(body), ERROR)
      assert.deepEqual(Object.keys(body.error), ['code', 'message', 'details', 'requestId'])
      assert.match(body.error.message, /^[A-Za-z].*\.$/)
    }
  })
})
