import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { freshFolder } from '../support/fixtures.ts'
import { promisify } from 'node:util'
import { openWorld } from '../support/world.ts'
import { generateClient } from './generate.ts'

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

const TSCONFIG = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  files: ['use.ts'],
}

/** A client program, which knows the API by the generated declarations alone. */
const USE = `
import type { components, operations } from './signpost.d.ts'

type Id = keyof operations
type JsonOf<T> = T extends { content: { 'application/json': infer Json } } ? Json : undefined
type BodyOf<I extends Id> = JsonOf<NonNullable<operations[I]['requestBody']>>
type Responses<I extends Id> = Omit<operations[I]['responses'], 'default'>
type Answer<I extends Id> = {
  [Status in keyof Responses<I>]: { status: Status; body: JsonOf<Responses<I>[Status]> }
}[keyof Responses<I>]

export async function run(origin: string, key: string) {
  async function call<I extends Id>(method: string, path: string, body?: BodyOf<I>): Promise<Answer<I>> {
    const response = await fetch(origin + '/v1' + path, {
      method,
      headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) } as Answer<I>
  }

  const made = await call<'createLink'>('POST', '/links', {
    name: 'Docs',
    destinationUrl: 'https://example.com/',
    slug: 'docs',
    redirectType: 302,
  })
  if (made.status !== 201) throw new Error(made.body.error.message)
  const link: components['schemas']['Link'] = made.body.data

  const again = await call<'createLink'>('POST', '/links', {
    name: 'Docs',
    destinationUrl: 'https://example.com/',
    slug: 'docs',
  })
  const conflict: 'CONFLICT' | undefined = again.status === 409 ? again.body.error.code : undefined

  const unknown = await call<'getLink'>('GET', '/links/lnk_unknown')
  const missing: 'NOT_FOUND' | undefined = unknown.status === 404 ? unknown.body.error.code : undefined

  const invalid = await call<'createLink'>('POST', '/links', { name: '', destinationUrl: 'x' })
  const paths = invalid.status === 400 ? invalid.body.error.details.map(({ path }) => path) : []

  const list = await call<'listLinks'>('GET', '/links?limit=1')
  if (list.status !== 200) throw new Error(list.body.error.message)
  const same: components['schemas']['Link'] | undefined = list.body.data[0]
  const { total } = list.body.meta

  const endpoint = await call<'createWebhookEndpoint'>('POST', '/webhooks/endpoints', {
    url: 'https://127.0.0.1:8443/hook',
    events: ['link.created', '*'],
  })
  const secret = endpoint.status === 201 ? endpoint.body.data.secret : ''

  return { slug: link.slug, listed: same?.id === link.id, total, conflict, missing, paths, secret }
}

/** Events that a receiver of webhooks distinguishes. */
export function titleOf(
  event: components['schemas']['LinkCreatedEvent'] | components['schemas']['ClickReceivedEvent'],
): string {
  return event.type === 'link.created' ? event.data.name : event.data.link.shortUrl
}

/** Details of an error by its code. */
export function waitOf({ error }: components['schemas']['ErrorResponse']): number {
  return error.code === 'RATE_LIMITED' ? error.details.retryAfter : 0
}

// Each of these must be refused, or the declarations say too little.
type CreateLink = components['schemas']['CreateLink']
// @ts-expect-error a destination is required
export const noDestination: CreateLink = { name: 'Docs' }
// @ts-expect-error a status that cannot be set
export const expired: components['schemas']['UpdateLink'] = { status: 'expired' }
// @ts-expect-error an event type that does not exist
export const noEvent: components['schemas']['CreateWebhookEndpoint'] = { url: 'https://a.example', events: ['link.made'] }
// @ts-expect-error a key takes scopes that exist
export const noScope: components['schemas']['CreateApiKey'] = { name: 'a', scopes: ['links:fly'] }
`

test('a client generated from the served document type-checks and works', async (t) => {
  const world = await openWorld(t, { config: { egressAllowedCidrs: ['127.0.0.0/8'] } })
  const { apiKey } = await world.member()
  const { body: document } = await world.call('GET', '/v1/openapi.json')
  const { body: auth } = await world.call('GET', '/v1/auth/openapi.json')

  const folder = freshFolder()
  writeFileSync(join(folder, 'signpost.d.ts'), await generateClient(document))
  writeFileSync(join(folder, 'accounts.d.ts'), await generateClient(auth))
  writeFileSync(join(folder, 'use.ts'), `import type {} from './accounts.d.ts'\n${USE}`)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')

  const { run } = await import(pathToFileURL(join(folder, 'use.ts')).href)
  const { secret, ...told } = await run(world.origin, apiKey)
  assert.match(secret, /^whsec_/)
  assert.deepEqual(told, {
    slug: 'docs',
    listed: true,
    total: 1,
    conflict: 'CONFLICT',
    missing: 'NOT_FOUND',
    paths: ['name'],
  })
})
