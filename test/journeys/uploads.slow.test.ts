import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { must, signUpAndIn, type Calls } from '../support/calls.ts'
import { LOGO, toFormBody } from '../support/forms.ts'
import { blackPng, chunk, freshImage } from '../support/images.ts'
import { IS_LONG } from '../support/long.ts'
import { openOutbox } from '../support/outbox.ts'
import { freshDataDir, startProgram } from '../support/program.ts'

/** Ten times the goal for a request beside any other. */
const MAX_WAIT_MS = 2_500
const POLL_MS = 20
const MEGABYTE = 1_000_000
const RATES = {
  RATE_LIMIT_API: '1000000',
  RATE_LIMIT_AUTH: '1000000',
  RATE_LIMIT_INGESTION: '1000000',
  RATE_LIMIT_PREVIEW: '1000000',
}

type Content = Record<string, { schema: { $ref?: string; properties?: object }; example?: object }>
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Content } }>>
  components: { schemas: Record<string, { properties?: object }> }
}
/** A route that takes a body: a good one, and the fields of JSON. */
type Route = {
  method: string
  path: string
  types: string[]
  example: Record<string, unknown>
  fields: string[]
}
type Body = { name: string; type: string; bytes: Buffer }

/** Ends the session or the account of the caller, so that all further requests would be refused. */
const ENDING = /sign-out|revoke|delete|\/account$|leave/

const nested = (open: string, close: string, depth = 5_000) =>
  open.repeat(depth) + `1` + close.repeat(depth)
const quoted = (text: string) => JSON.stringify(text)

/** JSON values that are legal by themselves, as texts. */
const VALUES: Record<string, string> = {
  'a long string': quoted('x'.repeat(200_000)),
  'a list of 10,000': `[${Array(10_000).fill('"x"').join(',')}]`,
  'a lone surrogate': '"\\ud800"',
  NUL: '"\\u0000"',
  '400 digits': '9'.repeat(400),
  'a union of keys': `{${Array.from({ length: 900 }, (_, i) => `"${i}":1`).join(',')}}`,
  'nested lists': nested('[', ']', 30),
}

/** Whole bodies, whatever the route takes. */
const BODIES: Record<string, string> = {
  'nested lists': nested('[', ']'),
  'nested objects': nested('{"a":', '}'),
  'a union of keys': `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join(',')}}`,
  'a string of 1 MB': `{"name":${quoted('x'.repeat(MEGABYTE))}}`,
  'a list': `[${Array(10_000).fill('1').join(',')}]`,
  'half a list': '['.repeat(100_000),
  '4 MB of objects': `{"links":[${Array(1_300_000).fill('{}').join(',')}]}`,
  '4 MB of keys': `{"links":[{${Array.from({ length: 300_000 }, (_, i) => `"${i}":1`).join(',')}}]}`,
}

/** A field gets each so many of the values in turn, so that a route gets all of them. */
const NTH = IS_LONG ? 1 : 3

/** Bodies of a route: each hostile one whole, and hostile values in each of its fields. */
function* jsonBodies({ example, fields }: Route): Generator<Body> {
  const toBody = (name: string, text: string): Body => ({
    name,
    type: 'application/json',
    bytes: Buffer.from(text),
  })
  for (const [name, text] of Object.entries(BODIES)) yield toBody(name, text)
  for (const [i, [kind, value]] of Object.entries(VALUES).entries())
    for (const field of fields.filter((_field, at) => (i + at) % NTH === 0)) {
      const { [field]: _good, ...rest } = example
      const others = Object.entries(rest).map(
        ([name, each]) => `${quoted(name)}:${JSON.stringify(each)}`,
      )
      yield toBody(`${kind} as ${field}`, `{${[...others, `${quoted(field)}:${value}`].join(',')}}`)
    }
}

const HEADER = 'name,destinationUrl\n'
const NAMES = Array.from({ length: 198 }, (_, i) => `c${i}`)
const TEXTS: Record<string, () => string> = {
  'line breaks': () => HEADER + '\n'.repeat(65_500),
  'rows without cells': () => HEADER + ',\n'.repeat(5 * MEGABYTE),
  'a line of 10 MB': () => HEADER + 'x'.repeat(9 * MEGABYTE),
  'cells without text': () => HEADER + ','.repeat(9 * MEGABYTE),
  'a quote that is not closed': () => `${HEADER}"${'x\n'.repeat(4 * MEGABYTE)}`,
  'the widest rows': () =>
    `${HEADER.trim()},${NAMES.join(',')}\n${`${Array(199).fill('abc').join(',')}\n`.repeat(10_000)}`,
  'the longest rows': () =>
    `name,destinationUrl,slug\n${Array.from({ length: 10_000 }, (_, i) => `${'x'.repeat(900)},https://example.com/,s-${i}\n`).join('')}`,
  'nested cells': () => `name,destinationUrl,metadata\na,https://example.com,"${nested('[', ']')}"`,
  NUL: () => `${HEADER}\0,\0\n`,
}
const JSONS: Record<string, () => string> = {
  'a name of its own in each object': () =>
    `[${Array.from({ length: 30_000 }, (_, i) => `{"${i}":1}`).join(',')}]`,
  'and in fewer': () => `[${Array.from({ length: 9_999 }, (_, i) => `{"${i}":1}`).join(',')}]`,
  'nested lists': () => `[{"a":${nested('[', ']')}}]`,
  'much of little text': () =>
    `[${Array(160_000)
      .fill(nested('[', ']', 28))
      .join(',')}]`,
  'lone surrogates': () =>
    '[{"name":"\\ud800","destinationUrl":"https://example.com/\\udfff","slug":"\\ud800"}]',
  'large numbers': () => `[{"name":1e999,"destinationUrl":${'9'.repeat(400)}}]`,
}

const withChunks = (type: string, data: Buffer, count: number) => {
  const image = freshImage(6)
  return Buffer.concat([
    image.subarray(0, 33),
    ...Array<Buffer>(count).fill(chunk(type, data)),
    image.subarray(33),
  ])
}
const ZEROS = deflateSync(Buffer.alloc(50 * MEGABYTE))
const IMAGES: Record<string, () => Buffer> = {
  'compressed texts': () => withChunks('zTXt', Buffer.concat([Buffer.from('key\0\0'), ZEROS]), 40),
  'many texts': () => withChunks('tEXt', Buffer.from('k\0v'), 500_000),
  'the largest size': () => blackPng(5_000, 5_000),
  'a size in the header alone': () => {
    const image = freshImage(4)
    image.writeUInt32BE(30_000, 16)
    image.writeUInt32BE(30_000, 20)
    return image
  },
  'half an image': () => freshImage(300).subarray(0, 300),
  'no image': () => Buffer.alloc(9 * MEGABYTE, '<'),
}

async function* fileBodies({ path, types }: Route): AsyncGenerator<Body> {
  const isText = path.endsWith('/import')
  const files = isText
    ? [...Object.entries(JSONS), ...Object.entries(TEXTS)]
    : Object.entries(IMAGES)
  const part = path.endsWith('/qr') ? 'logo' : 'file'
  for (const [name, make] of files) {
    const bytes = Buffer.from(make())
    const type = name in JSONS && isText ? 'application/json' : isText ? 'text/csv' : 'image/png'
    if (types.includes(type)) yield { name, type, bytes }
    const form = await toFormBody({ [part]: bytes.subarray(0, 60_000) }, type)
    yield { name: `${name}, in a form`, type: form.contentType, bytes: form.bytes }
  }
  const fields = Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 'x'] as const)
  const form = await toFormBody({ ...Object.fromEntries(fields), [part]: LOGO })
  yield { name: 'a form of many fields', type: form.contentType, bytes: form.bytes }
  yield {
    name: 'line ends in place of parts',
    type: 'multipart/form-data; boundary=x',
    bytes: Buffer.alloc(9 * MEGABYTE, '\r\n--'),
  }
}

/** The routes of the program that take a body, by its documents. */
async function readRoutes(origin: string): Promise<Route[]> {
  const routes: Route[] = []
  for (const base of ['/v1', '/v1/auth']) {
    const answer = await fetch(`${origin}${base}/openapi.json`)
    const { paths, components } = (await answer.json()) as Document
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { requestBody }] of Object.entries(operations)) {
        if (!requestBody || ENDING.test(path)) continue
        const { content } = requestBody
        const { schema = {}, example = {} } = content['application/json'] ?? {}
        const named = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : schema
        routes.push({
          method: method.toUpperCase(),
          path,
          types: Object.keys(content),
          example: example as Route['example'],
          fields: Object.keys({ ...example, ...named.properties }),
        })
      }
  }
  return routes
}

const UNKNOWN = 'unknown'

/** Fills ids into paths: those of rows that the part before creates from its example. */
function createIds(routes: readonly Route[], calls: Calls) {
  const ids = new Map<string, string>()
  return async (path: string): Promise<string> => {
    const [base, rest] = path.split(/\/\{\w+\}/, 2)
    if (rest === undefined) return path
    if (!ids.has(base!)) {
      const creator = routes.find((row) => row.method === 'POST' && row.path === base)
      const made = creator && (await calls.post(base!, creator.example))
      ids.set(base!, made?.body?.data?.id ?? UNKNOWN)
    }
    return path.replaceAll(/\{\w+\}/g, ids.get(base!)!)
  }
}

/** Another tenant, who asks all the time: the longest wait. */
function startPolling(origin: string, calls: Calls, link: { id: string; slug: string }) {
  const worst = { waitMs: 0, during: '' }
  let [during, isOn] = ['', true]
  const ask = async () => {
    const [answer, visit] = await Promise.all([
      calls.get(`/links/${link.id}`),
      fetch(`${origin}/${link.slug}`, { redirect: 'manual' }),
    ])
    assert.deepEqual([answer.status, visit.status], [200, 302], during)
  }
  const polled = (async () => {
    while (isOn) {
      const startedAtMs = performance.now()
      await ask().catch((error: Error) =>
        assert.fail(`another client got no answer during ${during}: ${error.message}`),
      )
      const waitMs = performance.now() - startedAtMs
      if (waitMs > worst.waitMs) Object.assign(worst, { waitMs, during })
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  })()
  // It is awaited at the end.
  polled.catch(() => {})
  return {
    note: (what: string) => void (during = what),
    stop: async () => {
      isOn = false
      await polled
      return worst
    },
  }
}

test('no body of any route is a 5xx, or keeps another client waiting', async (t) => {
  const dataDir = freshDataDir(t)
  const { origin } = await startProgram(t, dataDir, RATES)
  const outbox = openOutbox(dataDir)
  const password = 'quiet harbour lamp 41'
  const signUp = async (email: string) =>
    signUpAndIn(
      origin,
      { email, password, name: 'Ana' },
      async (to) => (await outbox.next(to)).token,
    )
  const [hostile, other] = [await signUp('hostile@example.com'), await signUp('other@example.com')]
  const link = { name: 'Docs', destinationUrl: 'https://example.com/' }
  const asked = (await must(201, other.calls.post('/links', link))).body.data
  const routes = await readRoutes(origin)
  assert.ok(routes.length > 60, `only ${routes.length} routes`)
  const fill = createIds(routes, hostile.calls)
  // Made before, since their work would count as a wait.
  const files = new Map<Route, Body[]>()
  for (const row of routes.filter(({ types }) => types.includes('multipart/form-data')))
    files.set(row, await Array.fromAsync(fileBodies(row)))
  const polling = startPolling(origin, other.calls, asked)
  const failures: string[] = []
  const statuses = new Map<number, number>()
  let sent = 0
  const send = async (row: Route, path: string, { name, type, bytes }: Body) => {
    const what = `${row.method} ${row.path}: ${name}`
    polling.note(what)
    sent++
    try {
      const headers = { 'content-type': type }
      const { status, text, body } = await hostile.calls.send(row.method, path, bytes, headers)
      // Another import is refused before its file is read while one is not finished.
      if (status === 202 && path === '/links/import')
        await hostile.calls.post(`/links/imports/${body.data.id}/cancel`)
      if (status === 409 && path === '/links/import') failures.push(`${what}: was not read`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status >= 500) failures.push(`${what}: ${status} ${text.slice(0, 200)}`)
    } catch (error) {
      // A body that is too large is refused while it is sent, which ends the connection.
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code !== 'EPIPE' && code !== 'ECONNRESET' && code !== 'UND_ERR_SOCKET')
        failures.push(`${what}: ${String(error)}`)
    }
  }
  for (const row of routes) {
    const path = await fill(row.path)
    // A row that no example creates is a 404, whatever the body.
    if (path.includes(UNKNOWN)) continue
    for (const each of files.get(row) ?? jsonBodies(row)) await send(row, path, each)
  }
  const { waitMs, during } = await polling.stop()
  t.diagnostic(
    `${sent} requests to ${routes.length} routes (${Array.from(statuses, ([status, n]) => `${status}: ${n}`).join(', ')}); the longest wait of another client: ${Math.round(waitMs)} ms, during ${during}`,
  )
  assert.deepEqual(failures, [])
  assert.ok(waitMs < MAX_WAIT_MS, `another client waited ${Math.round(waitMs)} ms during ${during}`)
})
