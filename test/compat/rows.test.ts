import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dub } from '../../src/compat/dub/dub.ts'
import { kutt } from '../../src/compat/kutt/kutt.ts'
import { shlink } from '../../src/compat/shlink/shlink.ts'
import { openWorld } from '../support/world.ts'

const URL = 'https://example.com/a'
/** What any row needs, so that a refusal is one of the key. */
const BODY = {
  ...{
    url: URL,
    key: 'a',
    name: 'a',
    slug: 'go.example.com',
    target: URL,
    address: 'go.example.com',
  },
  ...{ clickId: '', eventName: 'a', customerExternalId: 'a', amount: 1 },
  ...{ longUrl: URL, redirectRules: [], oldName: 'a', newName: 'b', domain: 'go.example.com' },
}

function bodyOf(address: string): unknown {
  if (address.startsWith('GET')) return undefined
  if (address.startsWith('POST') && address.endsWith('/bulk')) return [{ url: URL }]
  return address.endsWith('/bulk') ? { linkIds: ['lnk_unknown'], data: {} } : BODY
}

for (const api of [dub, kutt, shlink])
  test(`every row of ${api.name} asks for a key, and for its scope`, async (t) => {
    const world = await openWorld(t)
    const owner = await world.member()
    const session = await world.session(owner)
    const made = await session.post('/api-keys', { name: 'Other', scopes: ['deferred'] })
    const idOf = async (path: string, fields: object): Promise<string> =>
      (await owner.post(path, fields)).body.data.id
    const link = { name: 'a', slug: 'a', destinationUrl: URL, tags: ['sale'] }
    const ids: Record<string, string> = {
      links: await idOf('/links', link),
      folders: await idOf('/folders', { name: 'a' }),
      domains: await idOf('/domains', { hostname: 'go.example.com' }),
      tags: 'sale',
      urls: 'a',
    }
    const query = new URLSearchParams({
      ...{ linkId: ids['links']!, linkIds: ids['links']!, url: URL, tags: 'sale' },
    })
    const ask = async (address: string, key: string | null) => {
      const [method, path] = address.split(' ') as [string, string]
      const body = bodyOf(address)
      const response = await fetch(
        `${world.origin}${api.prefix}${path.replace(/(\w+)\/:\w+/, (_, kind: string) => `${kind}/${ids[kind]}`)}?${query.toString()}`,
        {
          method,
          headers: {
            cookie: session.cookie,
            ...(key !== null && { authorization: `Bearer ${key}`, 'x-api-key': key }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
      )
      const { error, title } = (await response.json()) as { error?: unknown; title?: unknown }
      assert.ok(error ?? title, address)
      return response.status
    }
    const rows = Object.entries(api.rows)
    assert.ok(rows.length >= 8)
    for (const [address, handle] of rows) {
      for (const key of [null, 'sp_wrong']) assert.equal(await ask(address, key), 401, address)
      // One that reads nothing of the request has one answer for all.
      if (handle.length > 0) assert.equal(await ask(address, made.body.data.key), 403, address)
    }
  })
