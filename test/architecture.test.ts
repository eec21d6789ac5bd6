import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const MAX_FILE_LINES = 500

const ROOMS = ['base', 'egress', 'facts', 'storage', 'journal', 'delivery', 'edge', 'clicks']

/** Allowed imports of each room. `services/a` and `services/b` may share types only. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  egress: ['base'],
  facts: ['base'],
  storage: ['base'],
  journal: ['base', 'storage'],
  delivery: ['base', 'storage'],
  edge: ['base', 'facts', 'storage', 'journal'],
  clicks: ['base', 'facts', 'storage', 'journal', 'delivery'],
  gateway: ['base', 'facts', 'storage'],
  services: ['base', 'facts', 'storage', 'delivery'],
  config: ['base', 'egress', 'storage'],
  app: ['config', 'gateway', 'services', ...ROOMS],
  'command-line': ['config', 'base', 'delivery'],
}

type Import = { from: string; to: string; isTypeOnly: boolean }

function sources(): string[] {
  return globSync('src/**/*.ts', { cwd: ROOT })
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Relative imports of a file; both ends relative to the checkout. */
function importsOf(file: string, text = textOf(file)): Import[] {
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"](\.[^'"]+)['"]/gm)
  return Array.from(found, ([, type, path]) => ({
    from: file,
    to: relative(ROOT, normalize(join(ROOT, dirname(file), path!))),
    isTypeOnly: type !== undefined,
  }))
}

/** `src/edge/decide.ts` is in the room `edge`; files right under `src/` are in none. */
function roomOf(file: string): string | null {
  const [, room, rest] = file.split('/')
  return rest === undefined ? null : room!
}

/** The folder of a resource under `services`, or null for the files they share. */
function resourceOf(file: string): string | null {
  const [, room, resource, rest] = file.split('/')
  return room === 'services' && rest !== undefined ? resource! : null
}

function crossingsOf(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to, isTypeOnly }) => {
      const [fromRoom, toRoom] = [roomOf(from), roomOf(to)]
      if (fromRoom === null) return false
      if (toRoom === null) return true
      if (fromRoom !== toRoom) return !MAY_IMPORT[fromRoom]?.includes(toRoom)
      const [fromResource, toResource] = [resourceOf(from), resourceOf(to)]
      return toResource !== null && fromResource !== toResource && !isTypeOnly
    })
    .map(({ from, to }) => `${from} must not import ${to}`)
}

test('rooms import only along the arrows', () => {
  assert.deepEqual(crossingsOf(sources().flatMap((file) => importsOf(file))), [])
})

test('the arrow check finds a planted crossing, and a value crossing between two resources', () => {
  const planted = importsOf(
    'src/services/links/links.ts',
    "import { openGateway } from '../../gateway/gateway.ts'\nimport { a } from '../analytics/analytics.ts'\nimport type { b } from '../analytics/analytics.ts'\nimport { config } from '../../config.ts'\n",
  )
  assert.equal(crossingsOf(planted).length, 3)
})

test('every room in src has its arrows', () => {
  const rooms = new Set(
    sources()
      .map(roomOf)
      .filter((room) => room !== null),
  )
  assert.deepEqual(
    [...rooms].filter((room) => !(room in MAY_IMPORT)),
    [],
  )
})

test('only config.ts reads the environment', () => {
  const readers = sources().filter((file) => textOf(file).includes('process.env'))
  assert.deepEqual(readers, ['src/config/config.ts'])
})

test('only forwarded-identity.ts knows the identity headers', () => {
  const knowing = sources().filter((file) =>
    /['"]x-(user-id|workspace-id|role|signpost-identity)['"]/.test(textOf(file)),
  )
  assert.deepEqual(knowing, ['src/gateway/forwarded-identity.ts'])
})

test('no source file is longer than 500 lines, and none has a default export', () => {
  const long = sources().filter((file) => textOf(file).split('\n').length > MAX_FILE_LINES)
  const defaults = sources().filter((file) => /^export default/m.test(textOf(file)))
  assert.deepEqual([...long, ...defaults], [])
})

test('nothing leaves the process but its entry points', () => {
  const leaving = sources().filter((file) => /process\.exit\(/.test(textOf(file)))
  assert.deepEqual(
    leaving.filter((file) => !['src/main.ts', 'src/cli.ts'].includes(file)),
    [],
  )
})

test('no file or folder has a name that says nothing', () => {
  const banned = /(^|\/)(utils?|helpers?|common|misc|managers?|info)(\.ts|\/|-)/
  const files = globSync(['src/**/*', 'test/**/*', 'bench/**/*'], { cwd: ROOT })
  assert.deepEqual(
    files.filter((file) => banned.test(file)),
    [],
  )
})

test('statements that touch a workspace table name the workspace', () => {
  const tables = ['links', 'api_keys', 'audit_log', 'events']
  const statements = sources()
    .filter((file) => file.startsWith('src/services/'))
    .flatMap((file) =>
      Array.from(textOf(file).matchAll(/`\s*((?:select|update|delete)[^`]*)`/gi), ([, sql]) => ({
        file,
        sql: sql!.replace(/\s+/g, ' '),
      })),
    )
  const unscoped = statements.filter(
    ({ sql }) =>
      tables.some((table) => new RegExp(`(from|update) ${table}\\b`).test(sql)) &&
      !/workspace_id|\$\{where\}/.test(sql),
  )
  // A key is looked up by its own hash: it is what says which workspace asks.
  assert.deepEqual(
    unscoped.filter(({ sql }) => !sql.startsWith('update api_keys set last_used_at')),
    [],
  )
})
