import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateClient } from '../clients/generate.ts'
import { openWorld } from '../support/world.ts'

const API = join(import.meta.dirname, '../../dashboard/src/api')
const MAP_GENERATOR = '../../dashboard/generate-map.js'
const HEADER = `// Written by "npm run dashboard:client" from the OpenAPI documents; test/dashboard/client.slow.test.ts compares.\n`

test('the types of the dashboard’s client are those of the OpenAPI documents', async (t) => {
  const world = await openWorld(t)
  for (const [path, name] of [
    ['/v1/openapi.json', 'api.gen.ts'],
    ['/v1/auth/openapi.json', 'auth.gen.ts'],
  ] as const) {
    const response = await fetch(`${world.origin}${path}`)
    const document = withoutTexts(await response.json()) as object
    const file = join(API, name)
    const text = HEADER + withoutNevers(await generateClient(document))
    if (process.env.WRITE_DASHBOARD_CLIENT === '1') writeFileSync(file, text)
    const message = `${name} is out of date: run "npm run dashboard:client"`
    assert.ok(readFileSync(file, 'utf8') === text, message)
  }
})

test('the map of the dashboard is the one that its generator draws', async () => {
  const { generateMap } = (await import(MAP_GENERATOR)) as { generateMap: () => string }
  const file = join(API, '../charts/world-map.gen.ts')
  const message = 'world-map.gen.ts is out of date: run "node dashboard/generate-map.js"'
  assert.ok(readFileSync(file, 'utf8') === generateMap(), message)
})

/**
 * A document with what the client needs: paths, parameters and successful answers. Errors have one
 * shape, headers are the client's own, and prose would only slow the compiler down.
 */
function withoutTexts(node: unknown, parent = ''): unknown {
  if (Array.isArray(node))
    return node
      .filter((item) => parent !== 'parameters' || !isHeader(item))
      .map((item) => withoutTexts(item))
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isLeftOut(key, value, parent))
      .map(([key, value]) => [key, withoutTexts(value, key)]),
  )
}

/** Members that say what there is not: methods of a path, kinds of parameters, the body of a request. */
function withoutNevers(text: string): string {
  return text
    .replaceAll(/^ +\w+\?: never;\n/gm, '')
    .replaceAll(/^ +parameters: \{\n +\};\n(?= +(?:get|put|post|delete|patch):)/gm, '')
}

function isHeader(parameter: unknown): boolean {
  const { in: place, $ref = '' } = parameter as { in?: string; $ref?: string }
  return place === 'header' || /Workspace|Idempotency|Header/.test($ref)
}

function isLeftOut(key: string, value: unknown, parent: string): boolean {
  if (parent === 'responses') return !key.startsWith('2')
  if (parent === 'properties') return false
  if (key === 'description' || key === 'summary') return typeof value === 'string'
  return ['example', 'examples', 'headers', 'webhooks', 'security'].includes(key)
}
