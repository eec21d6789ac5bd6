import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateClient, toClientDocument, withoutNevers } from '../clients/generate.ts'
import { openWorld } from '../support/world.ts'

const API = join(import.meta.dirname, '../../dashboard/src/api')
const MAP_GENERATOR = '../../dashboard/generate-map.js'
const HEADER = `// Written by "npm run clients" from the OpenAPI documents; test/dashboard/client.slow.test.ts compares.\n`

test('the types of the dashboard’s client are those of the OpenAPI documents', async (t) => {
  const world = await openWorld(t)
  for (const [path, name] of [
    ['/v1/openapi.json', 'api.gen.ts'],
    ['/v1/auth/openapi.json', 'auth.gen.ts'],
  ] as const) {
    const response = await fetch(`${world.origin}${path}`)
    const document = toClientDocument((await response.json()) as object, { isProseKept: false })
    const file = join(API, name)
    const text = HEADER + withoutNevers(await generateClient(document))
    if (process.env.WRITE_CLIENTS === '1') writeFileSync(file, text)
    const message = `${name} is out of date: run "npm run clients"`
    assert.ok(readFileSync(file, 'utf8') === text, message)
  }
})

test('the map of the dashboard is the one that its generator draws', async () => {
  const { generateMap } = (await import(MAP_GENERATOR)) as { generateMap: () => string }
  const file = join(API, '../charts/world-map.gen.ts')
  const message = 'world-map.gen.ts is out of date: run "node dashboard/generate-map.js"'
  assert.ok(readFileSync(file, 'utf8') === generateMap(), message)
})
