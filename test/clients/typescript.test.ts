import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import {
  ConflictError,
  ConnectionError,
  createClient,
  ForbiddenError,
  NotFoundError,
  PlanCapabilityRequiredError,
  PreconditionFailedError,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
  ValidationError,
  type Link,
  type Settings,
} from '../../clients/typescript/src/index.ts'
import { verify, WebhookVerificationError } from '../../clients/typescript/src/webhooks.ts'
import { selfSigned } from '../support/certificates.ts'
import { freePort } from '../support/free-port.ts'
import { openReceiver } from '../support/receiver.ts'
import { eventually, until } from '../support/eventually.ts'
import { openWorld } from '../support/world.ts'

test('a client against the running server', async (t) => {
  const world = await openWorld(t, {
    isClockReal: true,
    config: { egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true },
  })
  const owner = await world.member()
  const client = createClient({ baseUrl: world.origin, apiKey: owner.apiKey })
  const destinationUrl = 'https://example.com/'

  await t.test('creates, reads, changes and deletes a link', async () => {
    const link: Link = await client.links.create({ name: 'Docs', destinationUrl, slug: 'docs' })
    assert.equal(link.slug, 'docs')
    const { etag, meta } = await client.links.get(link.id).answer()
    assert.match(meta.requestId, /^req_/)
    const changed = await client.links.update(link.id, { name: 'Manual' }, { ifMatch: etag! })
    assert.equal(changed.name, 'Manual')
    await assert.rejects(
      client.links.update(link.id, { name: 'Guide' }, { ifMatch: etag! }),
      (error) => error instanceof PreconditionFailedError && error.details.etag !== etag,
    )
    assert.equal(await client.links.delete(link.id), undefined)
  })

  await t.test('iterates over the pages of lists, by cursor and by offset', async () => {
    const names = Array.from({ length: 7 }, (_, i) => `Page ${i}`)
    await client.links.createMany(names.map((name) => ({ name, destinationUrl })))
    const links = await Array.fromAsync(client.links.list({ limit: 3, search: 'Page' }))
    assert.deepEqual(links.map(({ name }) => name).toSorted(), names)
    for (const name of names.slice(0, 4)) await client.folders.create({ name })
    const folders = await Array.fromAsync(client.folders.list({ limit: 2 }))
    assert.deepEqual(folders.map(({ name }) => name).toSorted(), names.slice(0, 4))
    const { data, meta } = await client.folders.list({ limit: 3 }).answer()
    assert.deepEqual([data.length, meta.total], [3, 4])
  })

  await t.test('throws errors by code, with the facts of the server', async () => {
    await client.links.create({ name: 'Taken', destinationUrl, slug: 'taken' })
    await assert.rejects(
      client.links.create({ name: 'Taken', destinationUrl, slug: 'taken' }),
      ConflictError,
    )
    await assert.rejects(client.links.get('lnk_unknown'), (error) => {
      assert.ok(error instanceof NotFoundError)
      assert.equal(error.code, 'NOT_FOUND')
      assert.match(error.requestId!, /^req_/)
      return true
    })
    await assert.rejects(client.links.create({ name: '', destinationUrl }), (error) => {
      assert.ok(error instanceof ValidationError)
      assert.ok(error.details.some(({ path }) => path === 'name'))
      return true
    })
  })

  await t.test('says what a key lacks', async () => {
    const session = await world.session(owner)
    const soon = new Date(Date.now() + 1000).toISOString()
    const keyOf = async (facts: object) =>
      (await session.post('/api-keys', { name: 'Key', ...facts })).body.data.key as string
    const reading = createClient({
      baseUrl: world.origin,
      apiKey: await keyOf({ scopes: ['links:read'] }),
    })
    await assert.rejects(reading.links.create({ name: 'A', destinationUrl }), (error) => {
      assert.ok(error instanceof ForbiddenError)
      assert.match(error.message, /links:write/)
      return 'requiredScope' in error.details && error.details.requiredScope === 'links:write'
    })
    const expiring = createClient({
      baseUrl: world.origin,
      apiKey: await keyOf({ expiresAt: soon }),
    })
    await eventually(() =>
      assert.rejects(expiring.links.count(), (error) => {
        return error instanceof UnauthorizedError && /expired: create another/.test(error.message)
      }),
    )
    const setPlan = (plan: string) =>
      world.sql`update workspaces set plan = ${plan} where id = ${owner.workspaceId}`
    await setPlan('free')
    await assert.rejects(
      client.webhooks.endpoints.create({ url: 'https://example.com/', events: ['*'] }),
      (error) => error instanceof PlanCapabilityRequiredError && error.details.plan === 'free',
    )
    await setPlan('self_hosted')
  })

  await t.test('follows clicks as they happen', async () => {
    const { slug } = await client.links.create({ name: 'Live', destinationUrl })
    const stop = new AbortController()
    const clicks = client.analytics.live({}, { signal: stop.signal })
    const first = clicks.next()
    let isSeen = false
    void first.then(() => (isSeen = true))
    await eventually(async () => {
      const visit = { redirect: 'manual', headers: { 'user-agent': BROWSER } } as const
      if (!isSeen) await fetch(`${world.origin}/${slug}`, visit)
      assert.ok(isSeen)
    })
    const { value } = await first
    assert.ok(value?.type === 'click' && value.data.link.slug === slug)
    const second = clicks.next()
    stop.abort()
    await assert.rejects(
      async () => {
        for (let next = await second; !next.done; next = await clicks.next());
      },
      { name: 'AbortError' },
    )
  })

  await t.test('iterates over events as they come', async () => {
    const events = client.webhooks.listen({ events: 'link.created' })
    await events
    await client.links.create({ name: 'Heard', destinationUrl })
    for await (const { type, payload } of events) {
      assert.equal(type, 'link.created')
      assert.equal(JSON.parse(payload).name, 'Heard')
      break
    }
  })

  await t.test('verifies a delivery, in both schemes and during a rotation', async () => {
    const receiver = await openReceiver(t)
    const endpoint = await client.webhooks.endpoints.create({
      url: receiver.url('/hook'),
      events: ['link.created'],
      standardHeaders: true,
    })
    await client.webhooks.endpoints.rotateSecret(endpoint.id, { overlapHours: 1 })
    await client.links.create({ name: 'Sent', destinationUrl })
    await until(() => receiver.requests.length > 0)
    const { headers, body } = receiver.requests[0]!
    const event = await verify(body, headers, endpoint.secret)
    assert.ok(event.type === 'link.created' && event.data.name === 'Sent')
    const { secret } = await client.webhooks.endpoints.getSecret(endpoint.id)
    const { 'x-service-signature': _, 'x-service-signature-previous': __, ...standard } = headers
    for (const given of [headers, standard]) await verify(body, given, secret)
    await assert.rejects(verify(`${body.toString()} `, headers, secret), WebhookVerificationError)
    await assert.rejects(verify(body, {}, secret), WebhookVerificationError)
  })
})

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const VECTORS = join(import.meta.dirname, '../../docs/webhook-signature-vectors.json')

test('verify accepts and refuses the published signatures', async () => {
  const { accepted, refused, toleranceSeconds } = JSON.parse(readFileSync(VECTORS, 'utf8'))
  const bodyOf = ({ body, bodyRule: rule }: Vector) =>
    body ?? rule!.prefix + rule!.repeat.repeat(rule!.times) + rule!.suffix
  const isAccepted = async (vector: Vector, headers: Record<string, string>, now: number) =>
    verify(bodyOf(vector), headers, vector.secret, { now }).then(
      () => true,
      // The signature is verified before the JSON of the body is read.
      (error: unknown) => error instanceof SyntaxError,
    )
  for (const vector of accepted as Vector[]) {
    const own = { 'x-service-signature': vector.header }
    for (const late of [0, toleranceSeconds, -toleranceSeconds])
      assert.ok(await isAccepted(vector, own, vector.timestamp + late), vector.name)
    assert.ok(!(await isAccepted(vector, own, vector.timestamp + toleranceSeconds + 1)))
    if (vector.standardWebhooks)
      assert.ok(await isAccepted(vector, vector.standardWebhooks, vector.timestamp), vector.name)
  }
  for (const vector of refused as (Vector & { now: number })[])
    assert.ok(
      !(await isAccepted(vector, { 'x-service-signature': vector.header }, vector.now)),
      vector.name,
    )
})

type Vector = {
  name: string
  secret: string
  timestamp: number
  header: string
  body?: string
  bodyRule?: { prefix: string; repeat: string; times: number; suffix: string }
  standardWebhooks?: Record<string, string>
}

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/' }
const KEY = { apiKey: 'sp_0123456789' }

test('a call is repeated where that is safe, with one key and after the pause that the server asks for', async (t) => {
  const asked: { key: string | undefined; atMs: number }[] = []
  const refusals: [number, Record<string, string>][] = [
    [503, {}],
    [429, { 'retry-after': '1' }],
  ]
  const client = await clientOf(t, ({ headers }, answer) => {
    asked.push({ key: headers['idempotency-key'] as string, atMs: performance.now() })
    const [status, extra] = refusals.shift() ?? [201, {}]
    const error = { code: status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', message: 'Later.' }
    answer.writeHead(status, { 'content-type': 'application/json', ...extra })
    answer.end(JSON.stringify(status === 201 ? { data: {}, meta: {} } : { error }))
  })
  await client.links.create(LINK)
  assert.equal(asked.length, 3)
  assert.ok(asked[0]!.key)
  assert.equal(new Set(asked.map(({ key }) => key)).size, 1)
  assert.ok(asked[2]!.atMs - asked[1]!.atMs >= 990)

  refusals.push([503, {}])
  await assert.rejects(client.links.update('lnk_1', { name: 'A' }), { status: 503 })
  refusals.push([429, { 'retry-after': '3600' }])
  await assert.rejects(client.links.list(), RateLimitedError)
  refusals.push([503, {}])
  await assert.rejects(client.links.create(LINK, { maxRetries: 0 }), { status: 503 })
})

test('a request that got no answer is repeated', async (t) => {
  let requests = 0
  const client = await clientOf(t, ({ socket }, answer) => {
    if (++requests === 1) return socket.destroy()
    return answer.end('{"data":[],"meta":{"limit":50,"offset":0,"total":0}}')
  })
  assert.deepEqual(await client.links.list(), [])
  assert.equal(requests, 2)
})

test('a call ends at its time limit, and by its signal', async (t) => {
  const client = await clientOf(t, () => {}, { maxRetries: 0 })
  await assert.rejects(client.links.get('lnk_1', { timeoutMs: 50 }), TimeoutError)
  const stop = new AbortController()
  const call = client.links.get('lnk_1', { signal: stop.signal })
  stop.abort()
  await assert.rejects(call, { name: 'AbortError' })
})

test('what is wrong with the address is one sentence that says what to do', async (t) => {
  const messageOf = async (settings: Partial<Settings>) => {
    const client = createClient({ maxRetries: 0, ...KEY, baseUrl: '', ...settings })
    return client.links.count().then(
      () => assert.fail('it has no answer'),
      (error: unknown) => error as Error,
    )
  }
  const served = async (
    handle: (request: IncomingMessage, answer: ServerResponse) => void,
  ): Promise<Error> => messageOf({ baseUrl: await serve(t, createServer(handle)) })

  const html = await served((_, answer) => {
    answer.setHeader('content-type', 'text/html').end('<h1>Welcome to nginx</h1>')
  })
  assert.ok(html instanceof UnexpectedAnswerError)
  assert.match(html.message, /answers 200 with an HTML page instead of .*: check baseUrl/)

  const proxy = await served((_, answer) => {
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
  })
  assert.match(proxy.message, /answers 502 .* of a proxy: check that the Signpost server/)

  const moved = await served((_, answer) => {
    answer.writeHead(301, { location: 'https://links.example.com/v1/links' }).end()
  })
  assert.match(moved.message, /redirects to https:\/\/links\.example\.com: set baseUrl/)

  const port = await freePort()
  const nobody = await messageOf({ baseUrl: `http://127.0.0.1:${port}` })
  assert.ok(nobody instanceof ConnectionError)
  assert.match(nobody.message, /no answer from .* \(ECONNREFUSED\): check baseUrl/)

  const unknown = await messageOf({ baseUrl: 'http://signpost.invalid' })
  assert.match(unknown.message, /signpost\.invalid .*\((ENOTFOUND|EAI_AGAIN)\): check/)

  const { cert, key } = selfSigned(['localhost'])
  const tls = createTlsServer({ cert, key }, (_, answer) => void answer.end())
  const distrusted = await messageOf({ baseUrl: (await serve(t, tls)).replace('http:', 'https:') })
  assert.match(distrusted.message, /certificate of .* is not accepted .*NODE_EXTRA_CA_CERTS/)

  for (const baseUrl of ['', 'links.example.com', 'ftp://links.example.com'])
    assert.throws(() => createClient({ ...KEY, baseUrl }), /baseUrl must be the address/)
  assert.throws(
    () => createClient({ baseUrl: 'https://links.example.com', apiKey: 'hunter2' }),
    (error: Error) =>
      /apiKey must be an API key/.test(error.message) && !/hunter2/.test(error.message),
  )
})

test('the address may have a path, and end in /v1', async (t) => {
  const asked: string[] = []
  const origin = await serve(
    t,
    createServer(({ url }, answer) => {
      asked.push(url!)
      answer.end('{"data":{},"meta":{}}')
    }),
  )
  for (const path of ['', '/', '/v1', '/v1/', '/short/v1'])
    await createClient({ ...KEY, baseUrl: origin + path }).links.get('lnk_a/b')
  const plain = '/v1/links/lnk_a%2Fb'
  assert.deepEqual(asked, [plain, plain, plain, plain, `/short${plain}`])
})

test('an id that is empty or a dot reaches no other operation', async (t) => {
  const client = await clientOf(t, () => assert.fail('nothing is sent'))
  for (const id of ['', '.', '..', undefined])
    assert.throws(() => client.links.delete(id as string), /links\.delete needs id/)
})

async function clientOf(
  t: TestContext,
  handle: (request: IncomingMessage, answer: ServerResponse) => unknown,
  settings: Partial<Settings> = {},
) {
  const baseUrl = await serve(
    t,
    createServer((request, answer) => void handle(request, answer)),
  )
  return createClient({ baseUrl, ...KEY, ...settings })
}

async function serve(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
