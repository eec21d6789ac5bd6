import assert from 'node:assert/strict'
import { request as sendRequest } from 'node:http'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { route, type Route, type Upload } from '../../src/platform/routes/route.ts'
import { digestBody } from '../../src/api/border/forwarded-identity.ts'
import { createUploadReader, digestUpload } from '../../src/api/requests/uploads.ts'
import { eventually } from '../support/eventually.ts'
import { openEchoGateway, openEchoServices, openEchoWhole } from '../support/echo-servers.ts'

const MIB = 1024 * 1024
const common = { summary: '', description: '', tag: 'Test' }
const requires = { credential: 'any', role: 'viewer' } as const
const ADMIN = { authorization: 'Bearer owner' }
const MEMBER = { authorization: 'Bearer member' }
const UPLOAD = {
  reply: Type.Object({
    contentType: Type.String(),
    filename: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    fields: Type.Unknown(),
    digest: Type.String(),
  }),
}
const describe = ({ bytes, ...rest }: Upload<unknown>) => ({ ...rest, digest: digestBody(bytes)! })

/** Requests of `/held` that wait for their release. */
type Held = { count: number; release: () => void }

function createRows(held: Held): Route[] {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  held.release = release
  return [
    route('POST /bulk', {
      ...common,
      name: 'bulk',
      requires,
      limits: { bodyBytes: 4 * MIB, keys: 100_000, items: 20_000 },
      shapes: { body: Type.Unknown(), reply: Type.Unknown() },
      handle: async (_who, { body }) => ({ rows: (body as { rows: unknown[] }).rows.length }),
    }),
    route('POST /files', {
      ...common,
      name: 'upload',
      requires: { credential: 'any', role: 'admin' },
      limits: { bodyBytes: 10 * MIB },
      accepts: { raw: ['text/csv', 'application/json'], multipart: true },
      shapes: UPLOAD,
      handle: async (_who, { body }) => describe(body),
    }),
    route('POST /pictures', {
      ...common,
      name: 'picture',
      requires,
      accepts: { multipart: true, file: 'logo' },
      shapes: {
        ...UPLOAD,
        fields: Type.Object({
          size: Type.Integer({ minimum: 64, maximum: 2048, default: 600 }),
          level: Type.Optional(Type.String({ enum: ['L', 'M'] })),
        }),
      },
      handle: async (_who, { body }) => describe(body),
    }),
    route('POST /held', {
      ...common,
      name: 'held',
      requires,
      limits: { bodyBytes: 10 * MIB, timeoutMs: 60_000 },
      accepts: { raw: ['text/csv'] },
      shapes: { reply: Type.Unknown() },
      handle: async () => {
        held.count++
        await released
        return {}
      },
    }),
    route('POST /slow', {
      ...common,
      name: 'slow',
      requires,
      limits: { timeoutMs: 100 },
      shapes: { reply: Type.Unknown() },
      handle: () => new Promise<never>(() => {}),
    }),
  ]
}

async function openBoth(t: TestContext) {
  const held: Held = { count: 0, release: () => {} }
  const routes = createRows(held)
  t.after(() => held.release())
  const services = await openEchoServices(t, undefined, { routes })
  return {
    held,
    services,
    origins: {
      whole: (await openEchoWhole(t, { routes })).origin,
      pair: (await openEchoGateway(t, services.origin, { routes })).origin,
    },
  }
}

type Asked = { type?: string; headers?: Record<string, string> }

async function post(
  origin: string,
  path: string,
  body: RequestInit['body'],
  { type, headers = MEMBER }: Asked = {},
) {
  const answer = await fetch(`${origin}/v1${path}`, {
    method: 'POST',
    headers: { ...headers, ...(type && { 'content-type': type }) },
    ...(body && { body, duplex: 'half' }),
  })
  // eslint-disable-next-line typescript/no-explicit-any
  const { data, error } = (await answer.json()) as any
  return { status: answer.status, headers: answer.headers, data, error }
}

const json = (value: unknown) => ({ body: JSON.stringify(value), type: 'application/json' })
const rowsOf = (count: number, keys: number) => ({
  rows: Array.from({ length: count }, () =>
    Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 'v'])),
  ),
})

test('a route takes the body, keys and items of its own limits, and the others those of all', async (t) => {
  const { origins } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    const send = (path: string, value: unknown) => {
      const { body, type } = json(value)
      return post(origin, path, body, { type })
    }
    const many = rowsOf(1_000, 90)
    const taken = await send('/bulk', many)
    assert.deepEqual([taken.status, taken.data], [200, { rows: 1_000 }], name)
    const keys = await send('/bulk', rowsOf(1_000, 101))
    assert.match(keys.error.message, /more than 100000 keys/, name)
    const items = await send('/bulk', { rows: Array.from({ length: 20_001 }, () => 1) })
    assert.match(items.error.message, /more than 20000 list items/, name)
    const huge = await send('/bulk', { rows: ['x'.repeat(4 * MIB)] })
    assert.deepEqual([huge.status, huge.error.code], [413, 'PAYLOAD_TOO_LARGE'], name)
    assert.equal(huge.error.message, 'The body is larger than 4 MiB.')
    const ordinary = await send('/echo', many)
    assert.equal(ordinary.error.message, 'The body is larger than 256 KiB.', name)
    const ordinaryKeys = await send('/echo', rowsOf(10, 101))
    assert.match(ordinaryKeys.error.message, /more than 1000 keys/, name)
  }
})

test('a file arrives byte for byte, as a body and as the file of a form', async (t) => {
  const { origins } = await openBoth(t)
  const bytes = Buffer.alloc(10 * MIB - 1_000)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31) & 255
  const digest = digestBody(bytes)
  for (const [name, origin] of Object.entries(origins)) {
    const raw = await post(origin, '/files', bytes, {
      type: 'Text/CSV; charset=UTF-8',
      headers: ADMIN,
    })
    assert.deepEqual(
      raw.data,
      { contentType: 'text/csv', filename: null, fields: {}, digest },
      name,
    )
    const form = new FormData()
    form.append('mapping', '{"a":"b"}')
    form.append('file', new Blob([bytes], { type: 'text/csv' }), 'Änderungen "1".csv')
    form.append('source', 'bitly')
    const parts = await post(origin, '/files', form, { headers: ADMIN })
    assert.deepEqual(
      parts.data,
      {
        contentType: 'text/csv',
        filename: 'Änderungen %221%22.csv',
        fields: { mapping: '{"a":"b"}', source: 'bitly' },
        digest,
      },
      name,
    )
  }
})

test('the text fields of a form are converted and checked as those of a query', async (t) => {
  const { origins } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const send = async (fields: Record<string, string>, part = 'logo') => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append(part, new Blob(['png'], { type: 'image/png' }), 'a/b\\logo.png')
      return post(origin, '/pictures', form)
    }
    const { data } = await send({ size: '64', level: 'M' })
    assert.deepEqual(data.fields, { size: 64, level: 'M' })
    assert.equal(data.filename, 'logo.png')
    assert.deepEqual((await send({})).data.fields, { size: 600 })
    const wrong = await send({ size: '10000', level: 'X' })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.error.details.map(({ path }: { path: string }) => path).toSorted(), [
      'level',
      'size',
    ])
    assert.equal((await send({ size: '0x40' })).error.details[0].path, 'size')
    assert.equal((await send({}, 'file')).error.details[0].path, 'logo')
  }
})

const part = (name: string, content: string, rest = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`
const file = (name = 'file') => part(name, 'a,b', '; filename="a.csv"')
const FORM = 'multipart/form-data; boundary=b'

const BROKEN: [string, string, string?][] = [
  ['two files', `${file()}${file('other')}--b--\r\n`],
  ['no file', `${part('x', '1')}--b--\r\n`],
  ['no end', file()],
  ['no end within the file', file().slice(0, -4)],
  ['no end within a field', `${file()}${part('x', '1').slice(0, -3)}`],
  ['a field twice', `${file()}${part('x', '1')}${part('x', '2')}--b--\r\n`],
  [
    '21 fields',
    `${file()}${Array.from({ length: 21 }, (_, i) => part(`f${i}`, '')).join('')}--b--`,
  ],
  ['a long field', `${file()}${part('x', 'y'.repeat(17_000))}--b--\r\n`],
  ['a field of a bad name', `${file()}${part('__proto__', '1')}--b--\r\n`],
  ['NUL in a field', `${file()}${part('x', '\0')}--b--\r\n`],
  ['text that is no form', 'hello'],
  ['no boundary', `${file()}--b--\r\n`, 'multipart/form-data'],
  ['another boundary', `${file()}--b--\r\n`, 'multipart/form-data; boundary=c'],
  ['an empty body', '', 'text/csv'],
  ['another charset', 'a,b', 'text/csv; charset=iso-8859-1'],
]

test('a form of the wrong shape is a 400 as a whole, and a body of another type a 415', async (t) => {
  const { origins } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    for (const [what, body, type = FORM] of BROKEN) {
      const { status, error } = await post(origin, '/files', body, { type, headers: ADMIN })
      assert.deepEqual([status, error.code], [400, 'VALIDATION_ERROR'], `${name}: ${what}`)
    }
    for (const type of [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/x-www-form-urlencoded',
      'text/csvx',
      'nonsense',
    ]) {
      const { status } = await post(origin, '/files', 'a,b', { type, headers: ADMIN })
      assert.equal(status, 415, `${name}: ${type}`)
    }
    const packed = { ...ADMIN, 'content-encoding': 'gzip' }
    assert.equal(
      (await post(origin, '/files', 'a', { type: 'text/csv', headers: packed })).status,
      415,
    )
    assert.equal((await post(origin, '/pictures', 'a', { type: 'image/png' })).status, 415, name)
    assert.equal((await post(origin, '/echo', 'a', { type: 'text/csv' })).status, 415, name)
    const none = await post(origin, '/files', null, { headers: ADMIN })
    assert.equal(none.status, 400, name)
  }
})

test('a file without a file name is refused with a message that says so', async () => {
  const reader = createUploadReader({ accepts: { multipart: true }, shapes: {} })!
  for (const bytes of ['text', '\0\xff', 'x'.repeat(17_000)])
    await assert.rejects(
      reader.read(
        { headers: { 'content-type': FORM } },
        Buffer.from(`${part('file', bytes)}--b--`),
      ),
      { message: 'The part file has no file name, so it is not a file. Send it with a file name.' },
    )
})

test('any bytes as a form are read or refused', async () => {
  const reader = createUploadReader({ accepts: { multipart: true }, shapes: {} })!
  const pieces = fc.constantFrom(
    '--b',
    '--b--',
    '\r\n',
    '\n',
    'x',
    file(),
    part('x', 'y'),
    '\0',
    ';',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (parts) => {
      const body = Buffer.from(parts.join(''))
      const result = await reader.read({ headers: { 'content-type': FORM } } as never, body).then(
        ({ bytes }) => bytes.length,
        ({ code }: { code: string }) => code,
      )
      assert.ok(typeof result === 'number' || result === 'VALIDATION_ERROR', String(result))
    }),
    { numRuns: 300 },
  )
})

test('the digest of an upload does not depend on the boundary of its form, and on all else', async () => {
  const reader = createUploadReader({ accepts: { multipart: true }, shapes: {} })!
  const digestOf = async (body: string, boundary = 'b') =>
    digestUpload(
      await reader.read(
        { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } } as never,
        Buffer.from(body.replaceAll('--b', `--${boundary}`)),
      ),
    )
  const form = `${file()}${part('x', '1')}${part('y', '2')}--b--\r\n`
  const digest = await digestOf(form)
  assert.equal(await digestOf(form, 'other'), digest)
  assert.equal(await digestOf(`${part('y', '2')}${file()}${part('x', '1')}--b--\r\n`), digest)
  for (const other of [
    form.replace('a,b', 'a,c'),
    form.replace('a.csv', 'b.csv'),
    form.replace('"x"', '"z"'),
    form.replace('\r\n1\r\n', '\r\n3\r\n'),
  ])
    assert.notEqual(await digestOf(other), digest)
})

test('credential, role and size are checked before a body is read', async (t) => {
  const { origins } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const announce = async (bytes: number, headers: Record<string, string>) =>
      (await sendHead(origin, '/v1/files', { ...headers, 'content-length': String(bytes) })).status
    const csv = { 'content-type': 'text/csv' }
    assert.equal(await announce(5 * MIB, csv), 401)
    assert.equal(await announce(10 * MIB + 1, { ...csv, ...MEMBER }), 403)
    assert.equal(await announce(10 * MIB + 1, { ...csv, ...ADMIN }), 413)
    // A gateway passes on whole bodies, since their digest is signed.
    if (origin !== origins.whole) continue
    assert.equal(await announce(5 * MIB, { ...csv, ...MEMBER }), 403)
    assert.equal(await announce(5 * MIB, { 'content-type': 'image/png', ...ADMIN }), 415)
  }
})

/** Sends the head of a request and none of its body: the answer. */
function sendHead(
  origin: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(`${origin}${path}`, { method: 'POST', headers, agent: false })
    sent.on('response', (response) => {
      resolve({ status: response.statusCode! })
      sent.destroy()
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}

test('a chunked body over the limit is refused too', async (t) => {
  const { origins } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 11; i++) controller.enqueue(Buffer.alloc(MIB, 'a'))
        controller.close()
      },
    })
    const { status, error } = await post(origin, '/files', body, {
      type: 'text/csv',
      headers: ADMIN,
    })
    assert.deepEqual([status, error.code], [413, 'PAYLOAD_TOO_LARGE'])
  }
})

test('large bodies of one workspace are bounded in bytes at a time, and counted until their work has ended', async (t) => {
  const { origins, held } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const before = held.count
    const body = Buffer.alloc(9 * MIB, 'a')
    const send = (signal?: AbortSignal) =>
      fetch(`${origin}/v1/held`, {
        method: 'POST',
        headers: { ...MEMBER, 'content-type': 'text/csv' },
        body,
        ...(signal && { signal }),
      })
    const client = new AbortController()
    const first = [send(client.signal), send(client.signal), send(client.signal)]
    const gone = Promise.allSettled(first)
    await eventually(async () => assert.equal(held.count, before + 3))
    const many = await Promise.all(Array.from({ length: 4 }, () => send()))
    assert.deepEqual([...new Set(many.map(({ status }) => status))], [429])
    const { error } = (await many[0]!.json()) as { error: { details: { retryAfter: number } } }
    assert.equal(error.details.retryAfter, 1)
    assert.equal((await post(origin, '/echo', '{}', { type: 'application/json' })).status, 200)
    client.abort()
    await gone
    assert.equal((await send()).status, 429)
    if (origin === origins.whole) continue
    held.release()
    await eventually(async () => assert.equal((await send()).status, 200))
  }
})

test('many small bodies without a length are taken at a time, and slow ones of one account are bounded', async (t) => {
  const { origins } = await openBoth(t)
  for (const [name, origin] of Object.entries(origins)) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => {
        const body = new Blob(['{"rows":[]}']).stream()
        return post(origin, '/bulk', body, { type: 'application/json' })
      }),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], name)

    const slow = { ...MEMBER, 'content-type': 'application/json', 'content-length': '262144' }
    const client = new AbortController()
    const refused = new Set<number>()
    for (let i = 0; i < 300; i++) {
      const { signal } = client
      const options = { method: 'POST', headers: slow, agent: false, signal }
      const sent = sendRequest(`${origin}/v1/echo`, options)
      sent.on('response', ({ statusCode }) => refused.add(statusCode!)).on('error', () => {})
      sent.flushHeaders()
    }
    // A gateway before services reads no more bodies of one account than its requests run at a time.
    if (origin === origins.whole)
      await eventually(async () => assert.deepEqual([...refused], [429], name))
    client.abort()
    await eventually(async () => {
      const { status } = await post(origin, '/echo', '{}', { type: 'application/json' })
      assert.equal(status, 200, name)
    })
  }
})

test('the time limit of a route is its own', async (t) => {
  const { origins } = await openBoth(t)
  for (const origin of Object.values(origins)) {
    const { status, error } = await post(origin, '/slow', null)
    assert.deepEqual([status, error.message], [503, 'The answer takes too long. Try again later.'])
  }
})
