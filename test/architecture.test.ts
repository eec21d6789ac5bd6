import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript5'
import { freshPostgres } from './support/engines.ts'

const ROOT = join(import.meta.dirname, '..')
const MAX_FILE_LINES = 500
const MAX_FUNCTION_LINES = 80

/** Which rooms a room may import, besides itself. `app` may import all. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  platform: [],
  decision: ['platform'],
  accounts: ['platform'],
  webhooks: ['platform', 'accounts'],
  clicks: ['platform', 'webhooks'],
  links: ['platform', 'decision', 'accounts', 'webhooks'],
  analytics: ['platform', 'decision', 'accounts', 'clicks', 'links'],
  conversions: ['platform', 'accounts', 'webhooks', 'clicks', 'links', 'analytics'],
  redirect: ['platform', 'decision', 'clicks'],
  domains: ['platform', 'accounts', 'webhooks', 'links', 'redirect'],
  pages: ['platform', 'accounts', 'links', 'redirect', 'domains'],
  operator: [
    ...['platform', 'decision', 'accounts', 'webhooks', 'clicks', 'links', 'analytics'],
    ...['conversions', 'domains', 'pages', 'redirect'],
  ],
  api: ['platform'],
  compat: ['platform', 'api'],
}
/** Answers of `/v1` that it translates. */
const MAY_IMPORT_TYPES: Record<string, readonly string[]> = {
  compat: ['links', 'analytics', 'conversions', 'domains'],
}
/** The list of resources imports declarations alone, so every room may import it. */
const RESOURCES = 'src/resources.ts'

type Import = { from: string; to: string; isTypeOnly: boolean; isLazy: boolean }

function sources(): string[] {
  return globSync('src/**/*.ts', { cwd: ROOT })
}

/** Files of the dashboard, which run in a browser. */
function dashboardSources(): string[] {
  return globSync('dashboard/src/**/*.{ts,tsx}', { cwd: ROOT })
}

/** Generated files have the size of what they are made from. */
function writtenFiles(): string[] {
  const ofDemo = globSync('demo/**/*.ts', { cwd: ROOT })
  return [...sources(), ...dashboardSources(), ...ofDemo].filter((file) => !file.includes('.gen.'))
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Relative imports of a file, lazy ones included; both ends relative to the checkout. */
function importsOf(file: string, text = textOf(file)): Import[] {
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+['"](\.[^'"]+)['"]/gm)
  const lazy = text.matchAll(/\bimport\(\s*['"](\.[^'"]+)['"]/g)
  const toImport = (path: string, isTypeOnly: boolean, isLazy = false) => ({
    from: file,
    to: relative(ROOT, normalize(join(ROOT, dirname(file), path))),
    isTypeOnly,
    isLazy,
  })
  return [
    ...Array.from(found, ([, type, path]) => toImport(path!, type !== undefined)),
    ...Array.from(lazy, ([, path]) => toImport(path!, false, true)),
  ]
}

/** `src/redirect/links/resolve.ts` is in the room `redirect`; files right under `src/` are in none. */
function roomOf(file: string): string | null {
  const [, room, rest] = file.split('/')
  return rest === undefined ? null : room!
}

function crossingsOf(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to, isTypeOnly }) => {
      if (from === RESOURCES) return !to.endsWith('resource.ts')
      const [fromRoom, toRoom] = [roomOf(from), roomOf(to)]
      if (to === RESOURCES || fromRoom === null || fromRoom === 'app') return false
      if (isTypeOnly && MAY_IMPORT_TYPES[fromRoom]?.includes(toRoom ?? '')) return false
      return toRoom === null || (fromRoom !== toRoom && !MAY_IMPORT[fromRoom]?.includes(toRoom))
    })
    .map(({ from, to }) => `${from} must not import ${to}`)
}

test('rooms import only along the arrows', () => {
  assert.deepEqual(crossingsOf(sources().flatMap((file) => importsOf(file))), [])
})

test('the arrow check finds planted crossings', () => {
  const planted = importsOf(
    'src/links/link/links.ts',
    "import { openGateway } from '../../api/gateway.ts'\nimport type { a } from '../../analytics/answers/analytics.ts'\nimport { b } from '../../decision/link.ts'\nimport { main } from '../../main.ts'\n",
  )
  assert.equal(crossingsOf(planted).length, 3)
})

/**
 * Allowed imports between the folders of the dashboard. Every other folder is a feature, which may
 * import these and no other feature. The shell has the routes, so it may import every feature; nothing
 * imports the shell but the entry.
 */
const DASHBOARD_MAY_IMPORT: Record<string, readonly string[]> = {
  text: ['kit'],
  api: ['text'],
  kit: ['text', 'api'],
  charts: ['kit', 'text'],
  figures: ['kit', 'charts', 'api', 'text'],
}
const FEATURE_MAY_IMPORT = ['kit', 'charts', 'figures', 'api', 'text']

/** `dashboard/src/links/links-page.tsx` is in the folder `links`; the entry and its styles are in none. */
function dashboardFolderOf(file: string): string | null {
  const [, folder, rest] = /^dashboard\/src\/([^/]+)(\/.+)?$/.exec(file) ?? []
  return folder !== undefined && rest !== undefined ? folder : null
}

function dashboardCrossingsOf(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => {
      if (!to.startsWith('dashboard/src/')) return true
      const [fromFolder, toFolder] = [dashboardFolderOf(from), dashboardFolderOf(to)]
      if (fromFolder === null || fromFolder === 'shell') return false
      if (fromFolder === toFolder) return false
      const allowed = DASHBOARD_MAY_IMPORT[fromFolder] ?? FEATURE_MAY_IMPORT
      return toFolder === null || !allowed.includes(toFolder)
    })
    .map(({ from, to }) => `${from} must not import ${to}`)
}

test('features of the dashboard import no other feature, and nothing of the server', () => {
  const imports = dashboardSources().flatMap((file) => importsOf(file))
  assert.deepEqual(dashboardCrossingsOf(imports), [])
})

test('the arrow check of the dashboard finds planted crossings, lazy ones included', () => {
  const planted = importsOf(
    'dashboard/src/links/links-page.tsx',
    `import { Button } from '../kit/button.tsx'
import { figures } from '../figures/figures.tsx'
import type { Endpoint } from '../webhooks/queries.ts'
import { router } from '../shell/router.tsx'
import { slugKey } from '../../../src/platform/facts/slug.ts'
const Popup = lazy(() => import('../webhooks/popup.tsx'))
`,
  )
  assert.equal(planted.length, 6)
  assert.equal(dashboardCrossingsOf(planted).length, 4)
})

test('only api/ of the dashboard talks to the server', () => {
  const CALL =
    /(?<![\w.])fetch\(|globalThis\.fetch|window\.fetch|new (XMLHttpRequest|EventSource|WebSocket)\b|sendBeacon/
  const calling = dashboardSources().filter((file) => CALL.test(textOf(file)))
  assert.deepEqual(
    calling.filter((file) => dashboardFolderOf(file) !== 'api'),
    [],
  )
})

test('lists of the dashboard that are read page by page show no row twice', () => {
  const JOINS = /\buseInfiniteQuery\b|\bpages\b\)?\??\.flatMap\(/
  assert.deepEqual(
    dashboardSources().filter((file) => JOINS.test(textOf(file))),
    ['dashboard/src/api/pages.ts'],
    'usePages of api/site/pages.ts has the rows of all pages, each once',
  )
})

test('the dashboard writes no HTML, which its policy would refuse', () => {
  const WRITES = /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write/
  assert.deepEqual(
    dashboardSources().filter((file) => WRITES.test(textOf(file))),
    [],
  )
})

/** The rooms of the files that a program loads, now or later; imports of types load nothing. */
function roomsLoadedBy(program: string): Set<string | null> {
  const [loaded, next] = [new Set<string>(), [program]]
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    next.push(...importsOf(file).flatMap(({ to, isTypeOnly }) => (isTypeOnly ? [] : [to])))
  }
  return new Set([...loaded].map(roomOf))
}

test('the supervisor and redirect processes load no code of the features', () => {
  const ofSupervisor = [...roomsLoadedBy('src/main.ts')].filter((room) => room !== null)
  assert.deepEqual(ofSupervisor.toSorted(), ['app', 'clicks', 'platform'])
  const ofRedirects = [...roomsLoadedBy('src/redirect-process.ts')].filter((room) => room !== null)
  assert.deepEqual(ofRedirects.toSorted(), [
    'app',
    'clicks',
    'decision',
    'domains',
    'platform',
    'redirect',
  ])
})

test('every room in src has its arrows', () => {
  const rooms = new Set(
    sources()
      .map(roomOf)
      .filter((room) => room !== null),
  )
  assert.deepEqual(
    [...rooms].filter((room) => room !== 'app' && !(room in MAY_IMPORT)),
    [],
  )
})

test('only config.ts reads the environment', () => {
  const readers = sources().filter((file) => textOf(file).includes('process.env'))
  assert.deepEqual(readers, ['src/platform/config/config.ts'])
})

test('only forwarded-identity.ts knows the identity headers', () => {
  const knowing = sources().filter((file) =>
    /['"]x-(user-id|workspace-id|role|signpost-identity)['"]/.test(textOf(file)),
  )
  assert.deepEqual(knowing, ['src/api/border/forwarded-identity.ts'])
})

test('no source file is longer than 500 lines, and none has a default export', () => {
  const long = writtenFiles().filter((file) => textOf(file).split('\n').length > MAX_FILE_LINES)
  const defaults = writtenFiles().filter((file) => /^export default/m.test(textOf(file)))
  assert.deepEqual([...long, ...defaults], [])
})

test('nothing leaves the process but its entry points', () => {
  const leaving = sources().filter((file) => /process\.exit\(/.test(textOf(file)))
  assert.deepEqual(
    leaving.filter(
      (file) =>
        !['src/main.ts', 'src/cli.ts', 'src/platform/processes/supervised.ts'].includes(file),
    ),
    [],
  )
})

test('no file or folder has a name that says nothing', () => {
  const banned = /(^|\/)(utils?|helpers?|common|misc|managers?|info)(\.tsx?|\/|-)/
  const files = globSync(['src/**/*', 'demo/**/*', 'test/**/*', 'bench/**/*', 'dashboard/**/*'], {
    cwd: ROOT,
  })
  assert.deepEqual(
    files.filter((file) => banned.test(file)),
    [],
  )
})

test('no import leads back to its own file, imports of types included', () => {
  const imports = Map.groupBy(
    writtenFiles().flatMap((file) => importsOf(file).filter(({ isLazy }) => !isLazy)),
    ({ from }) => from,
  )
  const [finished, cycles] = [new Set<string>(), [] as string[]]
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || finished.has(file)) return
    for (const { to } of imports.get(file) ?? []) visit(to, [...path, file])
    finished.add(file)
  }
  for (const file of writtenFiles()) visit(file, [])
  assert.deepEqual(cycles, [])
})

function kindOf(file: string): ts.ScriptKind {
  return file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true, kindOf(file))
}

function visitNodes(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => visitNodes(child, visit))
}

test('every rate and every number of places is a row of src/platform/limits/', () => {
  const own = sources().filter((file) => {
    if (file.startsWith('src/platform/limits/') || file === 'src/platform/work/fair-queue.ts')
      return false
    return /new FairQueue\(\{\s*max|maxWaitingPerKey: \d|new RateLimiter\w+\((?!counterOptions|\{ \.\.\.counterOptions)/.test(
      textOf(file),
    )
  })
  assert.deepEqual(own, [])
})

test('no function is longer than 80 lines, functions within it included', () => {
  const long: string[] = []
  for (const file of writtenFiles()) {
    // A file of messages is one function, and a list.
    if (file.startsWith('dashboard/src/text/')) continue
    const source = parse(file)
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
    visitNodes(source, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return
      const [first, last] = [lineOf(node.getStart()), lineOf(node.end)]
      if (last - first + 1 > MAX_FUNCTION_LINES) long.push(`${file}:${first}`)
    })
  }
  assert.deepEqual(long, [])
})

/** Templates that hold a whole statement, with the templates nested in them. */
function statementsIn(file: string): string[] {
  const statements: string[] = []
  visitNodes(parse(file), (node) => {
    if (!ts.isTaggedTemplateExpression(node)) return
    const text = node.template.getText().slice(1).replace(/\s+/g, ' ').trim()
    if (/^(select|insert|update|delete|with)\b/.test(text)) statements.push(text)
  })
  return statements
}

/** Rooms and folders whose statements serve all workspaces. */
const SERVES_ALL =
  /^src\/(api|app|clicks|decision|redirect|platform\/(?!jobs|resources)|webhooks\/delivery|domains\/tls|operator\/(backup|doctor))\b/

test('every statement of a feature on a table with a workspace_id names its workspace', async (t) => {
  const { sql } = await freshPostgres(t)
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
  const touches = new RegExp(
    `\\b(from|join|update|into) (${rows.map(({ name }) => name).join('|')})\\b`,
  )
  const isScoped = (statement: string) =>
    /\bworkspace_id (=|in|is not distinct)|\bworkspace_id\)? *= any|\$\{where\}/.test(statement) ||
    /^insert .*\b(workspace_id|workspaceId)\b/.test(statement)
  const used = new Set<string>()
  const unscoped = sources()
    .filter((file) => !SERVES_ALL.test(file))
    .flatMap((file) =>
      statementsIn(file)
        .filter((statement) => touches.test(statement) && !isScoped(statement))
        .map((statement) => `${file}: ${statement}`),
    )
    .filter((statement) => {
      const exception = UNSCOPED.find(([pattern]) => pattern.test(statement))
      if (exception) used.add(exception[1])
      return !exception
    })
  assert.deepEqual(unscoped, [])
  assert.deepEqual(
    UNSCOPED.filter(([, reason]) => !used.has(reason)),
    [],
    'an exception without its statement',
  )
})

/** Statements that may leave out the workspace, by their folder and text, and the reason. */
const UNSCOPED: readonly [statement: RegExp, reason: string][] = [
  [
    /^src\/platform\/jobs\/.*update jobs set lease_until = /,
    'a worker extends the leases of all of its jobs',
  ],
  [
    /^src\/platform\/jobs\/.*delete from jobs where id in .*completed_at < /,
    'finished jobs of all workspaces are deleted by age',
  ],
  [
    /^src\/accounts\/oauth\/.*from api_keys where (id = \(select key_id from oauth_grants|app is not null and)/,
    'a secret of an app finds its key, whose workspace is not known before',
  ],
  [
    /^src\/accounts\/oauth\/.*from oauth_grants g join api_keys k/,
    'apps of all workspaces that stayed away are ended',
  ],
  [
    /^src\/domains\/domains\/.*update domains set next_check_at = .*skip locked/,
    'a worker takes the domains of all workspaces whose check is due',
  ],
  [
    /^src\/domains\/domains\/fields.*\bfrom domains where id /,
    'a worker applies the blocks of the operator to the domains of all workspaces',
  ],
  [
    /^src\/conversions\/conversions\/copy.*\bconversions\b.*\b(batch is null|batch = |id = any|c\.batch)/,
    'the conversions of all workspaces are copied to ClickHouse, and compared with it',
  ],
  [
    /^src\/analytics\/reports\/.*\b(next_run_at <= |mail_to is not null|expires_at <= ).*skip locked/,
    'workers run, mail and expire the reports of all workspaces',
  ],
  [
    /^src\/webhooks\/endpoints\/.*endpoint_id = endpoint\.id /,
    'a part of a statement on endpoints, which names the workspace',
  ],
  [/^src\/accounts\/accounts\/.*\b(user_id|email_key) = /, 'an account spans workspaces'],
  [/^src\/accounts\/workspaces\/.*\bmembers\b.*\buser_id = /, 'a user sees every own workspace'],
  [
    /^src\/accounts\/api-keys\/.*distinct workspace_id from api_keys where user_id = /,
    'all keys of a user',
  ],
  [
    /^src\/accounts\/api-keys\/authentication\.ts: (select|update) /,
    'a key, by its hash or its id, names its workspace',
  ],
  [
    /^src\/accounts\/invitations\/.*\btoken_hash = /,
    'the token of an invitation names its workspace',
  ],
  [
    /^src\/accounts\/invitations\/.*\bemail_key = /,
    'an address may be invited to several workspaces',
  ],
  [
    /^src\/operator\/billing\/.*\bsubscription_id = /,
    'the provider names a subscription, not a workspace',
  ],
  [/^src\/operator\/billing\/.*\busage_batches\b/, 'a batch holds the counts of many workspaces'],
  [/^src\/webhooks\/endpoints\/.*from \$\{matches\}/, 'the fragment names the workspace'],
  [
    /^src\/links\/history\/expiry\.ts: delete from link_addresses /,
    'reservations of all workspaces expire alike',
  ],
  [
    /^src\/operator\/users\/.*\bmembers\b.*\buser_id = /,
    'an operator sees every workspace of a user',
  ],
  [/^src\/operator\/abuse\/reports\.ts: update abuse_reports /, 'the operator names a report'],
  [/^src\/operator\/abuse\/open\.ts: select /, 'a host names its domain'],
  [/^src\/operator\/abuse\/blocks\.ts: select /, 'the operator names a link or a block'],
  [
    /^src\/operator\/abuse\/passes\.ts: select /,
    'a block covers links and pages of all workspaces',
  ],
  [
    /^src\/operator\/abuse\/reports\.ts: delete from abuse_reports /,
    'reports of all workspaces expire alike',
  ],
  [
    /^src\/links\/link\/addresses\.ts: select .* from link_addresses /,
    'an address names its workspace',
  ],
  [
    /^src\/conversions\/deferred\/found\.ts: delete from deep_link_/,
    'keys, clicks and matches of all workspaces expire alike',
  ],
  [
    /^src\/links\/history\/expiry\.ts: (delete from|update) link_versions /,
    'versions of all workspaces expire alike',
  ],
  [
    /^src\/links\/campaigns\/campaigns\.ts: select .* for update skip locked/,
    'campaigns of all workspaces end alike',
  ],
  [
    /^src\/analytics\/retention\/recount\.ts: (select l\.id|insert into link_clicks|with repaired)/,
    'the counters of all workspaces are compared',
  ],
  [
    /^src\/platform\/resources\/idempotent-responses\.ts: select answer_sealed from idempotency_keys /,
    'the fragment names the workspace, or the id is a digest of the user',
  ],
  [
    /^src\/platform\/resources\/idempotent-responses\.ts: delete from idempotency_keys /,
    'answers of all workspaces expire alike',
  ],
]

test('no two migrations of an engine, and no two decisions, have one number', () => {
  for (const folder of ['migrations/postgres', 'migrations/clickhouse', 'docs/decisions']) {
    const numbers = readdirSync(join(ROOT, folder)).map((file) => file.slice(0, 4))
    assert.deepEqual(
      numbers.filter((number, at) => numbers.indexOf(number) !== at),
      [],
      folder,
    )
  }
})
