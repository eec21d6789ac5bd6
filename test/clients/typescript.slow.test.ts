import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import * as signpost from '../../clients/typescript/src/index.ts'
import type { Route } from '../../src/platform/routes/route.ts'
import { openRoutes } from '../authorization/world.ts'
import type { Asked } from '../authorization/requests.ts'
import { answerOf, factsOf, goodRequest, isResource, nameOf } from '../authorization/routes.ts'
import { LOGO } from '../support/forms.ts'
import { addActor, openStage } from '../support/stage.ts'
import { openWorld } from '../support/world.ts'
import { METHOD_NAMES } from '../../src/api/openapi/method-names.ts'
import { operationsOf, type Described, type Document } from './operations.ts'
import { generateTypescriptClient } from './typescript-client.ts'

const SOURCES = join(import.meta.dirname, '../../clients/typescript/src')

test('the generated files of the TypeScript client are those of the OpenAPI document', async (t) => {
  const world = await openWorld(t)
  const { body } = await world.call('GET', '/v1/openapi.json')
  for (const [name, text] of Object.entries(await generateTypescriptClient(body))) {
    const file = join(SOURCES, name)
    if (process.env.WRITE_CLIENTS === '1') writeFileSync(file, text)
    const message = `${name} is out of date: run "npm run clients"`
    assert.ok(readFileSync(file, 'utf8') === text, message)
  }
})

test('every operation has a method, whose answer has the shape of the document', async (t) => {
  const { world } = await openRoutes(t)
  const document: Document = (await world.call('GET', '/v1/openapi.json')).body
  const described = operationsOf(document)
  assert.deepEqual(
    Object.keys(METHOD_NAMES).toSorted(),
    described.map(({ operation }) => operation.operationId).toSorted(),
  )
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  const stage = await openStage(world)

  for (const each of described) {
    const { operation, method, path } = each
    await t.test(METHOD_NAMES[operation.operationId], async () => {
      const name = `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      const row = world.app.routes.find((route) => nameOf(route) === name)!
      const at = factsOf(row).endsWorkspace ? await openStage(world) : stage
      const caller = isResource(row) ? at.cast.owner : await addActor(world)
      const request = await goodRequest(row, at, caller)
      const isForKeys = isResource(row) && operation.security.some((need) => 'apiKey' in need)
      const client = signpost.createClient({
        baseUrl: world.origin,
        maxRetries: 0,
        ...(isForKeys
          ? { apiKey: at.cast.owner.apiKey }
          : { fetch: fetchAs(caller.session.cookie, world.origin) }),
      })
      const called = methodAt(
        client,
        METHOD_NAMES[operation.operationId]!,
      )(...argumentsOf(each, request))
      await checkAnswer({ each, row, routes: world.app.routes, called, ajv })
    })
  }
})

type Called = signpost.Call<unknown> | AsyncIterable<unknown>
type Checked = {
  each: Described
  row: Route
  routes: readonly Route[]
  called: Called
  ajv: Ajv2020
}

async function checkAnswer({ each, row, routes, called, ajv }: Checked) {
  const { status, kind } = answerOf(row, routes)
  if (!('answer' in called)) return assert.deepEqual(await Array.fromAsync(called), [])
  if (status >= 400)
    return assert.rejects(called, (error: signpost.SignpostError) => error.status === status)
  const { data, meta, response } = await called.answer()
  assert.equal(response.status, status)
  assert.equal(response.headers.get('x-request-id'), meta.requestId)
  const { content } = each.operation.responses[status]!
  if (kind === 'nothing') return assert.equal(data, undefined)
  if (kind === 'bytes') {
    assert.ok(data instanceof Response)
    const type = data.headers.get('content-type')!.split(';')[0]!
    await data.arrayBuffer()
    return assert.ok(type in content!, type)
  }
  const pointer = ['paths', each.path, each.method.toLowerCase(), 'responses', String(status)]
    .concat('content', 'application/json', 'schema')
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/')
  const validate = ajv.compile({ $ref: `document#/${encodeURI(pointer)}` })
  assert.ok(validate({ data, meta }), JSON.stringify(validate.errors))
}

function methodAt(client: signpost.Client, name: string) {
  const found = name
    .split('.')
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], client)
  return found as (...args: unknown[]) => Called
}

/** Parts of the path, then the body or the query. */
function argumentsOf({ path }: Described, { params = {}, query, body, upload }: Asked): unknown[] {
  const parts = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => params[name!])
  if (!upload) return [...parts, body ?? query].filter((each) => each !== undefined)
  const file = new Blob([new Uint8Array(upload.bytes)], { type: upload.contentType })
  return [...parts, path.endsWith('/qr') ? { logo: new Blob([LOGO]) } : { file, ...query }]
}

function fetchAs(cookie: string, origin: string): typeof fetch {
  return (url, init) => fetch(url, { ...init, headers: { ...init?.headers, cookie, origin } })
}
