import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { validate } from '@scalar/openapi-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import Fastify from 'fastify'
import { addDocuments } from '../../src/api/openapi/documents.ts'
import { toExample } from '../../src/platform/routes/example.ts'
import { compileValidator } from '../../src/api/requests/validation.ts'
import { getCatalogRow, EVENT_TYPES } from '../../src/webhooks/events.ts'
import { openWorld } from '../support/world.ts'

// The documents are walked as what they are, JSON.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const BASES = ['/v1', '/v1/auth'] as const
const METHODS = ['get', 'post', 'patch', 'put', 'delete']

type Operation = { at: string; operation: Json }

function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).map((method) => ({
      at: `${method.toUpperCase()} ${path}`,
      operation: methods[method],
    })),
  )
}

/** Every schema below a value with the place where it is: `Link.properties.name`. */
function schemasIn(value: Json, at: string): [at: string, schema: Json][] {
  const below = [
    ...Object.entries<Json>(value.properties ?? {}).map(([k, v]) => [`${at}.${k}`, v] as const),
    ...(value.items ? [[`${at}[]`, value.items] as const] : []),
    ...['anyOf', 'oneOf'].flatMap((word) =>
      ((value[word] ?? []) as Json[]).map((each, i) => [`${at}.${word}.${i}`, each] as const),
    ),
    ...(typeof value.additionalProperties === 'object'
      ? [[`${at}{}`, value.additionalProperties] as const]
      : []),
  ]
  return [[at, value], ...below.flatMap(([place, each]) => schemasIn(each, place))]
}

/** True for the content of a body that is a file of any type. */
function isFile({ schema }: Json): boolean {
  return schema.format === 'binary'
}

/** Missing parts of a property or parameter: a description, and an example unless its parts have them. */
function lacks(schema: Json, description: unknown): string[] {
  const types = [schema.type].flat()
  const isComposed =
    schema.$ref ?? schema.anyOf ?? schema.oneOf ?? schema.properties ?? schema.items
  const hasExample = schema.examples?.[0] !== undefined || 'const' in schema
  return [
    ...(typeof description === 'string' && /^\S.*[.:)]$/s.test(description) ? [] : ['description']),
    ...(isComposed || hasExample || types.includes('boolean') ? [] : ['examples']),
  ]
}

test('the OpenAPI documents', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { config: { egressAllowedCidrs: ['127.0.0.0/8'] } })
  const documents = await Promise.all(
    BASES.map(async (base) => (await world.call('GET', `${base}/openapi.json`)).body as Json),
  )
  const [api, auth] = documents
  const operations = documents.flatMap(operationsOf)

  await t.test('are valid OpenAPI 3.1', () => {
    for (const document of documents) assert.deepEqual(validate(document).errors ?? [], [])
  })

  await t.test('name the server relative to the address from which a client has them', () => {
    for (const { servers } of documents) assert.deepEqual(servers, [{ url: '/v1' }])
  })

  await t.test(
    'are sent compressed to clients that take it, and not again to one that has them',
    async () => {
      for (const [i, base] of BASES.entries()) {
        const get = (headers: Record<string, string>) =>
          fetch(`${world.origin}${base}/openapi.json`, { headers })
        const [plain, gzip] = [
          await get({ 'accept-encoding': 'identity' }),
          await get({ 'accept-encoding': 'gzip' }),
        ]
        assert.equal(plain.headers.get('content-encoding'), null)
        assert.equal(gzip.headers.get('content-encoding'), 'gzip')
        for (const answer of [plain, gzip]) {
          assert.match(answer.headers.get('vary')!, /accept-encoding/)
          assert.deepEqual(await answer.json(), documents[i])
        }
        const etag = gzip.headers.get('etag')!
        assert.notEqual(etag, plain.headers.get('etag'))
        const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': etag })
        assert.deepEqual([again.status, await again.text()], [304, ''])
      }
    },
  )

  await t.test('give each operation an id of its own, a verb and a noun', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    )
    assert.deepEqual(
      ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id)),
      [],
    )
    for (const id of ['createLink', 'listLinks', 'getLink', 'updateLink', 'deleteLink'])
      assert.ok(ids.includes(id), id)
    assert.ok(ids.includes('rotateWebhookSecret'))
  })

  await t.test('describe every operation, parameter and property, with examples', () => {
    const missing: string[] = []
    const note = (at: string, what: readonly string[]) =>
      missing.push(...what.map((each) => `${at} has no ${each}`))
    for (const { at, operation } of operations) {
      for (const part of ['summary', 'description']) if (!operation[part]) note(at, [part])
      for (const { name, schema, description } of operation.parameters)
        note(`${at}, parameter ${name}`, lacks(schema, description))
      for (const { content } of [
        operation.requestBody ?? {},
        ...Object.values<Json>(operation.responses),
      ]) {
        const json = content?.['application/json']
        if (json && !isFile(json) && json.example === undefined) note(at, ['example'])
      }
    }
    for (const { components, webhooks = {} } of documents) {
      for (const [name, schema] of Object.entries<Json>(components.schemas))
        for (const [at, each] of schemasIn(schema, name))
          if (/\.[^.[{]+$/.test(at) && !/\.(anyOf|oneOf)\.\d+$/.test(at))
            note(at, lacks(each, each.description))
      for (const [type, { post }] of Object.entries<Json>(webhooks))
        for (const { name, schema, description } of post.parameters)
          note(`${type}, header ${name}`, lacks(schema, description))
    }
    assert.deepEqual(missing, [])
  })

  await t.test('name every shape that answers and requests are made of', () => {
    const inline = operations.flatMap(({ at, operation }) => {
      const found: string[] = []
      const body = operation.requestBody?.content['application/json']
      if (body && !isFile(body) && !body.schema.$ref) found.push(`${at}: its body`)
      for (const [status, { content }] of Object.entries<Json>(operation.responses)) {
        const { data } = content?.['application/json']?.schema.properties ?? {}
        // A named shape, a list of it, or it or null.
        const ref = data?.$ref ?? data?.items?.$ref ?? data?.anyOf?.[0].$ref
        if (data && !ref) found.push(`${at}: its ${status}`)
      }
      return found
    })
    assert.deepEqual(inline, [])
  })

  await t.test('have one shape for the link of a list, of a read and of a page', () => {
    const { get: list } = api.paths['/links']
    const { get: read } = api.paths['/links/{id}']
    const answerOf = (operation: Json) =>
      operation.responses[200].content['application/json'].schema.properties
    assert.equal(answerOf(list).data.items.$ref, '#/components/schemas/Link')
    assert.equal(answerOf(read).data.$ref, '#/components/schemas/Link')
    const page = ['requestId', 'total', 'limit', 'offset']
    assert.equal(answerOf(list).meta.$ref, '#/components/schemas/LinkListMeta')
    const { FilteredPageMeta, LinkListMeta, PageMeta } = api.components.schemas
    assert.deepEqual(Object.keys(PageMeta.properties), page)
    assert.deepEqual(Object.keys(FilteredPageMeta.properties), [...page, 'totalIsExact'])
    const { nextCursor, period, timezone, asOf, currencies, ...filtered } = LinkListMeta.properties
    assert.deepEqual(filtered, FilteredPageMeta.properties)
    assert.ok(nextCursor && period && timezone && asOf && currencies)
  })

  await t.test('give no shape the name of one of its own properties', () => {
    // The Python generator has one variable for both.
    const clashes = documents.flatMap(({ components }) =>
      Object.entries<Json>(components.schemas)
        .filter(([name, { properties = {} }]) =>
          Object.keys(properties).some((each) => each.toLowerCase() === name.toLowerCase()),
        )
        .map(([name]) => name),
    )
    assert.deepEqual(clashes, [])
  })

  await t.test('tell one error from another by its status and code', () => {
    const { responses } = api.paths['/links/{id}'].patch
    const codeAt = (status: number) => {
      const { $ref } = responses[status]
      const response = api.components.responses[$ref.split('/').at(-1)]
      const name = response.content['application/json'].schema.$ref.split('/').at(-1)
      return api.components.schemas[name].properties.error.properties.code.const
    }
    assert.deepEqual([400, 401, 404, 409, 429].map(codeAt), [
      'VALIDATION_ERROR',
      'UNAUTHORIZED',
      'NOT_FOUND',
      'CONFLICT',
      'RATE_LIMITED',
    ])
    const { details } = api.components.schemas.ValidationError.properties.error.properties
    assert.equal(details.items.$ref, '#/components/schemas/ErrorDetail')
    const { RateLimited, Unauthorized } = api.components.responses
    assert.ok('retry-after' in RateLimited.headers && 'x-ratelimit-limit' in RateLimited.headers)
    assert.ok('www-authenticate' in Unauthorized.headers)
  })

  await t.test('ask for the credential that each route takes', () => {
    assert.deepEqual(Object.keys(auth.components.securitySchemes), ['session'])
    assert.deepEqual(auth.paths['/auth/sign-up/email'].post.security, [])
    assert.deepEqual(auth.paths['/auth/sessions'].get.security, [{ session: [] }])
    assert.deepEqual(api.paths['/links'].get.security, [{ apiKey: [] }, { session: [] }])
    assert.deepEqual(api.paths['/api-keys'].get.security, [{ session: [] }])
  })

  await t.test('show a page as text/html, and take no form', () => {
    const page = auth.paths['/auth/verify-email'].get.responses
    assert.deepEqual(Object.keys(page[200].content), ['text/html'])
    const gone = auth.components.responses[page[410].$ref.split('/').at(-1)]
    assert.deepEqual(Object.keys(gone.content), ['application/json', 'text/html'])
    const form = auth.paths['/auth/verify-email'].post
    assert.deepEqual(Object.keys(form.requestBody.content), ['application/json'])
  })

  await t.test('keep the old address of the endpoints as a deprecated one', () => {
    const { get, post } = api.paths['/webhooks']
    assert.deepEqual([get.deprecated, post.deprecated], [true, true])
    assert.equal(api.paths['/webhooks/endpoints'].get.deprecated, undefined)
  })

  await t.test('offer no option that this version refuses, and the main ones first', () => {
    const { CreateLink, UpdateLink } = api.components.schemas
    for (const { properties } of [CreateLink, UpdateLink]) {
      assert.deepEqual(Object.keys(properties).slice(0, 3), ['name', 'destinationUrl', 'slug'])
      assert.ok('trackConversions' in properties)
      assert.deepEqual(properties.redirectType.examples, [302])
      assert.deepEqual(properties.status.enum, ['active', 'paused', 'archived', null])
    }
    const example = api.paths['/links'].post.requestBody.content['application/json'].example
    assert.deepEqual(Object.keys(example), ['name', 'destinationUrl', 'slug'])
  })

  await t.test('say which bodies may be left out', () => {
    assert.equal(api.paths['/webhooks/endpoints/{id}/test'].post.requestBody.required, false)
    assert.equal(api.paths['/links'].post.requestBody.required, true)
    assert.deepEqual(api.components.schemas.Checkout.required, ['plan'])
  })

  await t.test('list scopes and event types as the server knows them', () => {
    const { CreateApiKey, CreateWebhookEndpoint } = api.components.schemas
    assert.ok(CreateApiKey.properties.scopes.items.enum.includes('links:read'))
    assert.deepEqual(CreateWebhookEndpoint.properties.events.items.enum, ['*', ...EVENT_TYPES])
  })

  await t.test('state the limits that the server enforces', async () => {
    const owner = await world.member()
    const session = await world.session(owner)
    const post = (path: string) => (body: object) => session.post(path, body)
    const account = { name: 'Ada', password: 'quiet harbour lamp' }
    let users = 0
    const signUp = (body: object) =>
      session.post('/auth/sign-up/email', {
        ...account,
        email: `p${++users}@example.com`,
        ...body,
      })
    const link = { name: 'Docs', destinationUrl: 'https://example.com/' }
    const endpoint = { url: 'https://127.0.0.1:8443/hook', events: ['link.created'] }
    const cases = [
      ['CreateLink', 'name', (body: object) => post('/links')({ ...link, ...body })],
      ['CreateLink', 'slug', (body: object) => post('/links')({ ...link, ...body })],
      ['CreateLink', 'utmSource', (body: object) => post('/links')({ ...link, ...body })],
      [
        'CreateWebhookEndpoint',
        'description',
        (body: object) => post('/webhooks/endpoints')({ ...endpoint, ...body }),
      ],
      ['CreateWorkspace', 'name', post('/workspaces')],
      ['CreateApiKey', 'name', post('/api-keys')],
      ['SignUp', 'name', signUp],
      ['SignUp', 'password', signUp],
    ] as const
    for (const [name, field, send] of cases) {
      const { [name]: shape } = { ...api.components.schemas, ...auth.components.schemas }
      const { minLength = 1, maxLength } = shape.properties[field]
      for (const [length, isTaken] of [
        [minLength, true],
        [maxLength, true],
        [minLength - 1, false],
        [maxLength + 1, false],
      ]) {
        const { status, body } = await send({
          [field]: randomBytes(512).toString('hex').slice(0, length),
        })
        const said = `${name}.${field} of ${length}: ${JSON.stringify(body)}`
        // A link's UTM fields and an endpoint's description may be empty.
        if (length === 0 && status === 201) continue
        assert.equal(status, isTaken ? 201 : 400, said)
        if (!isTaken) assert.equal(body.error.details[0].path, field, said)
      }
    }
  })

  await t.test('show requests that the server takes', () => {
    for (const row of world.app.routes)
      for (const part of ['params', 'query', 'body'] as const) {
        const schema = row.shapes[part]
        if (!schema) continue
        const httpPart = { params: 'params', query: 'querystring', body: 'body' }[part]
        const check = compileValidator({ schema, httpPart, method: row.method, url: row.path })
        const example = toExample(schema, true)
        assert.ok(
          check(example),
          `${row.method} ${row.path}, ${part}: ${JSON.stringify([example, check.errors])}`,
        )
      }
  })

  await t.test('show a program for each operation in three languages', () => {
    const samples = (path: string, method: string) =>
      Object.fromEntries(
        api.paths[path][method]['x-codeSamples'].map((each: Json) => [each.lang, each.source]),
      )
    const { shell, typescript, python } = samples('/links/{id}', 'patch')
    assert.match(shell, /^curl -X PATCH 'http:\/\/localhost:\d+\/v1\/links\/lnk_\w+'/)
    assert.match(shell, / -d '\{"name":"Spring sale"\}'$/)
    assert.match(typescript, /await client\.links\.update\("lnk_\w+", \{ name: "Spring sale" \}\)/)
    assert.match(python, /client\.links\.update\("lnk_\w+", \{"name": "Spring sale"\}\)\.data/)
    for (const { at, operation } of operationsOf(api))
      assert.equal(operation['x-codeSamples'].length, operation.deprecated ? 1 : 3, at)
  })

  await t.test('are described to agents, with every operation for keys', async () => {
    const read = async (path: string) => (await fetch(`${world.origin}${path}`)).text()
    const [skill, llms] = [await read('/v1/skill.md'), await read('/llms.txt')]
    assert.match(skill, /^---\nname: signpost\ndescription: .+\n---\n\n# Signpost\n\n> /)
    assert.ok(llms.startsWith('# Signpost\n') && skill.endsWith(llms))
    assert.doesNotMatch(skill, /ORIGIN/)
    const known = new Set(operations.map(({ at }) => at))
    const named = Array.from(
      skill.matchAll(/(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}.-]*/g),
      ([at]) => at,
    )
    for (const at of named) assert.ok(known.has(at), at)
    for (const { at, operation } of operationsOf(api)) {
      const isForKeys = operation.security.some((need: Json) => 'apiKey' in need)
      assert.equal(named.includes(at), isForKeys && !operation.deprecated, at)
    }
  })

  await t.test('describe all ten events as endpoints receive them', () => {
    assert.deepEqual(Object.keys(api.webhooks), EVENT_TYPES)
    const ajv = new Ajv2020({ strict: false, formats: fullFormats })
    ajv.addSchema({ ...api, $id: 'api' })
    for (const type of EVENT_TYPES) {
      const { requestBody, parameters } = api.webhooks[type].post
      const { schema, example } = requestBody.content['application/json']
      const check = ajv.compile({ $ref: `api${schema.$ref}` })
      const data = { ...getCatalogRow(type).sample, workspaceId: 'wsp_1' }
      for (const body of [example, { ...example, data }])
        assert.ok(check(body), `${type}: ${JSON.stringify(check.errors)}`)
      assert.ok(parameters.some(({ name }: Json) => name === 'x-service-signature'))
      const { data: shape } = api.components.schemas[schema.$ref.split('/').at(-1)].properties
      const properties =
        shape.properties ?? api.components.schemas[shape.$ref.split('/').at(-1)].properties
      assert.deepEqual(
        Object.keys(properties)
          .filter((name) => name !== 'workspaceId')
          .toSorted(),
        Object.keys(getCatalogRow(type).sample).toSorted(),
        type,
      )
    }
  })
})

test('the documents name PUBLIC_URL as their server for any requested host', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const document = { info: { title: 'Test' } }
  const reference = { base: '/v1', write: () => document, credential: 'apiKey' } as const
  const publicUrl = 'https://go.example.com'
  addDocuments(app, [reference], { publicUrl, ofExamples: publicUrl })
  const headers = { host: 'elsewhere.example.com' }
  const { body } = await app.inject({ url: '/v1/openapi.json', headers })
  assert.deepEqual(JSON.parse(body), {
    servers: [{ url: 'https://go.example.com/v1' }],
    ...document,
  })
})
