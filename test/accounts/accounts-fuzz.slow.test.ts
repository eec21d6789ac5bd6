import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openLog } from '../../src/platform/core/log.ts'
import { openWorld } from '../support/world.ts'
import { IS_LONG } from '../support/long.ts'
import { anyText } from '../support/any-text.ts'

/** 20,000 others each time in the long run. */
const REQUESTS = IS_LONG ? 20_000 : 800
const AT_ONCE = 20
/** The gateway's. */
const PATIENCE_MS = 10_000

test('no request to the routes of accounts is a fault of ours', async (t) => {
  const lines: string[] = []
  const world = await openWorld(t, {
    log: openLog('debug', { write: (line: string) => void lines.push(line) }),
    config: { rateLimitApi: 1e9, rateLimitAuth: 1e9 },
  })
  const member = await world.member()
  let session = await world.session(member)
  const other = await world.member()
  const made = (await session.post('/api-keys', { name: 'one' })).body.data
  const invited = (await session.post('/invitations', { email: 'a@example.com', role: 'member' }))
    .body.data

  const known = fc.constantFrom(
    ...[member.userId, member.workspaceId, other.userId, other.workspaceId, made.id, invited.id],
    ...['a@example.com', 'owner', '__proto__', 'constructor', '123456', '/app/', '//x'],
    ...['', ' ', '.', '..', '\u0000', '%00', '\uD800', 'İ', '1e999', '-1', 'null', 'oidc'],
  )
  const text = fc.oneof(
    known,
    anyText({ maxLength: 40 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
    fc.constantFrom('x'.repeat(5_000), '\u{1F600}'.repeat(200)),
  )
  const leaf = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
  const value = fc.oneof(
    { weight: 5, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(leaf, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(text, leaf, { maxKeys: 3 }) },
  )
  const fields = [
    ...['name', 'email', 'newEmail', 'password', 'currentPassword', 'newPassword', 'token', 'code'],
    ...['redirect', 'response', 'role', 'confirm', 'scopes', 'ipAllowlist', 'expiresAt', 'plan'],
    ...['interval', 'id', 'preferences', 'timezone', 'language', 'locale', 'weekStart', 'theme'],
  ]
  const body = fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...fields), value) },
    { weight: 1, arbitrary: value },
    { weight: 1, arbitrary: fc.constant({ response: { id: 'x', rawId: 'x', response: {} } }) },
  )
  const queries = ['token', 'code', 'state', 'iss', 'error', 'redirect', 'limit', 'offset', 'from']
  const request = fc.record({
    row: fc.constantFrom(...world.app.routes.filter(({ path }) => !isElsewhere(path))),
    values: fc.array(text, { minLength: 2, maxLength: 2 }),
    query: fc.dictionary(fc.constantFrom(...queries, 'to', 'type', 'actorId', 'status'), text, {
      maxKeys: 3,
    }),
    body: fc.option(body),
    raw: fc.option(anyText({ maxLength: 60 }), { freq: 8 }),
    credential: fc.constantFrom('key', 'session', 'other', 'none', 'odd'),
    html: fc.boolean(),
    form: fc.boolean(),
    odd: fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
    workspace: fc.option(text),
  })
  type Request = typeof request extends fc.Arbitrary<infer R> ? R : never

  async function send(each: Request): Promise<void> {
    const values = [...each.values]
    const path = each.row.path.replaceAll(/:\w+/g, () => encode(values.pop() ?? 'x'))
    const query = Object.entries(each.query)
      .map(([name, text_]) => `${name}=${encode(text_)}`)
      .join('&')
    const hasBody = each.row.method !== 'GET' && (each.raw !== null || each.body !== null)
    const sent = each.raw ?? (each.form ? formOf(each.body) : JSON.stringify(each.body))
    const cookie = session.cookie
    const credentials: Record<string, Record<string, string>> = {
      key: { authorization: `Bearer ${member.apiKey}` },
      other: { authorization: `Bearer ${other.apiKey}` },
      session: { cookie, origin: world.origin },
      none: {},
      odd: { authorization: header(each.odd), cookie: `signpost_oauth=${header(each.odd)}` },
    }
    const headers = {
      ...credentials[each.credential],
      ...(each.html && { accept: 'text/html' }),
      ...(each.workspace !== null && { 'x-signpost-workspace': header(each.workspace) }),
      ...(hasBody && {
        'content-type': each.form ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
    }
    const askedAt = performance.now()
    const response = await fetch(`${world.origin}/v1${path}${query && `?${query}`}`, {
      method: each.row.method,
      redirect: 'manual',
      headers,
      ...(hasBody && { body: sent }),
    })
    const answer = await response.text()
    // A request that exceeds its time is a 503; it is repeated when only the machine was slow.
    if (response.status === 503 && performance.now() - askedAt >= PATIENCE_MS) return send(each)
    const said = `${response.status} ${each.row.method} ${path}?${query} ${answer.slice(0, 300)}`
    assert.ok(response.status < 500, said)
    assert.match(response.headers.get('x-request-id') ?? '', /./, said)
    if (response.headers.get('content-type')?.includes('html'))
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }

  const requests = fc.sample(request, { numRuns: REQUESTS, ...seedOf() })
  for (let at = 0; at < requests.length; at += AT_ONCE) {
    await Promise.all(requests.slice(at, at + AT_ONCE).map(send))
    // One of these may have ended it.
    session = await world.session(member)
  }
  const failures = lines.filter((line) => /"level":"(error|fatal)"/.test(line))
  assert.deepEqual(failures.slice(0, 5), [])
})

/** Has tests of its own. */
function isElsewhere(path: string): boolean {
  return /^\/(links|webhooks|analytics)/.test(path)
}

function seedOf() {
  const seed = process.env['FUZZ_SEED'] ?? (IS_LONG ? undefined : 20_260_301)
  return seed === undefined ? {} : { seed: Number(seed) }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function header(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?')
}

function formOf(body: unknown): string {
  const pairs = Object.entries(Object(body) as object)
  return pairs
    .map(([name, value]) => `${encode(name)}=${encode(JSON.stringify(value) ?? '')}`)
    .join('&')
}
