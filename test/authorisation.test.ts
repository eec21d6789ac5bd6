import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '../src/base/route.ts'
import { openLog } from '../src/base/log.ts'
import { ROLES, roleAtLeast, type Role } from '../src/base/who.ts'
import { ACCOUNT_ROWS, openProvider } from './authorisation/account-rows.ts'
import {
  bearer,
  createAsking,
  isResource,
  nameOf,
  nobody,
  type Asking,
  type Credential,
} from './authorisation/asking.ts'
import { NO_FOREIGN_IDS, ROWS, type Asked } from './authorisation/rows.ts'
import { addPerson, openStage, type Actor, type Player, type Stage } from './authorisation/stage.ts'
import { changedTables, createStateReader, type State } from './authorisation/state.ts'
import { openWorld, type World } from './support/world.ts'

/** Cells that do not follow from the row of the route table, and why. */
const EXCEPTIONS: Record<string, { why: string; status: (role: Role) => number | null }> = {
  'PATCH /workspaces/:id': {
    why: 'the path may name any workspace of the person, whose role there is looked up',
    status: (role) => (roleAtLeast(role, 'admin') ? null : 403),
  },
  'DELETE /workspaces/:id': {
    why: 'as above',
    status: (role) => (role === 'owner' ? null : 403),
  },
  'DELETE /members/:userId': {
    why: 'everybody may leave; somebody else is removed by an admin',
    status: (role) => (roleAtLeast(role, 'admin') ? null : 403),
  },
  'POST /billing/checkout': {
    why: 'this world sells nothing, and says so after all other checks',
    status: (role) => (role === 'owner' ? 409 : null),
  },
  'POST /billing/portal': {
    why: 'as above',
    status: (role) => (role === 'owner' ? 409 : null),
  },
}

/** Successful requests whose change and whose log rows do not go together, and why. */
const UNEVEN: Record<string, string> = {
  'DELETE /workspaces/:id': 'its own log goes with it; the person’s security log says so',
  'GET /webhooks/endpoints/:id/secret': 'reading a secret is audited, and changes nothing',
  'PATCH /auth/user': 'a name protects nothing',
  'PATCH /auth/passkeys/:id': 'a name protects nothing',
  'POST /auth/two-factor/enable': 'on only with the first code, which is noted',
  'POST /auth/passkeys/register/options': 'a challenge, which is void in five minutes',
  'POST /auth/passkeys/sign-in/options': 'a challenge, which is void in five minutes',
  'POST /auth/change-email': 'changed only when both addresses agree, which is noted',
  'POST /auth/change-email/confirm': 'one of two',
  'POST /workspaces/:id/activate': 'where a session looks, not what there is',
}

const foundUneven = new Set<string>()
/** Granted requests around which all that is stored is read; it takes a while. */
const MEASURED = new Set(['owner, session', 'a key with the scope', 'a session', 'no credential'])

/** The routes that need no credential (contract, Envelope): of the auth service, and nothing else. */
const OPEN_ROUTES = [
  'GET /auth/callback/:provider',
  'GET /auth/change-email',
  'GET /auth/invitation',
  'GET /auth/ok',
  'GET /auth/providers',
  'GET /auth/reset-password',
  'GET /auth/sign-in/:provider',
  'GET /auth/two-factor/verify',
  'GET /auth/verify-email',
  'POST /auth/change-email/confirm',
  'POST /auth/passkeys/sign-in/options',
  'POST /auth/passkeys/sign-in/verify',
  'POST /auth/request-password-reset',
  'POST /auth/reset-password',
  'POST /auth/send-verification-email',
  'POST /auth/sign-in/email',
  'POST /auth/sign-out',
  'POST /auth/sign-up/email',
  'POST /auth/two-factor/verify',
  'POST /auth/verify-email',
]

type Cell = {
  name: string
  /** Makes what the request is about, and gives the request. */
  prepare: () => Promise<{ credential: Credential; request: Asked }>
  status: number
  /** Of an error that is not the usual one of its status. */
  details?: Record<string, string>
}

test('who may do what, through a gateway and services', { concurrency: false }, async (t) => {
  const provider = await openProvider()
  t.after(() => provider.close())
  let logged = ''
  const log = openLog('trace', { write: (line) => void (logged += line) })
  const config = {
    ...provider.config,
    egressAllowedCidrs: ['127.0.0.0/8'],
    // One workspace asks for all of it.
    webhookMaxEndpoints: 10_000,
    webhookCallsPerMinute: 1_000_000,
  }
  const world = await openWorld(t, { isPair: true, config, log })
  const asking = createAsking(world)
  const readState = await createStateReader(world.sql)
  const [home, elsewhere] = [await openStage(world), await openStage(world)]
  const { routes } = world.app
  const resources = routes.filter(isResource)
  const accounts = routes.filter((row) => !isResource(row))

  await t.test('every route has its row here, and every row its route', () => {
    assert.deepEqual(resources.map(nameOf).toSorted(), Object.keys(ROWS).toSorted())
    assert.deepEqual(accounts.map(nameOf).toSorted(), Object.keys(ACCOUNT_ROWS).toSorted())
    const named = [...resources, ...accounts].map(nameOf)
    for (const name of [...Object.keys(EXCEPTIONS), ...Object.keys(UNEVEN)])
      assert.ok(named.includes(name), name)
  })

  await t.test('exactly these routes need no credential', () => {
    const open = accounts.filter(({ requires }) => requires.credential === 'none').map(nameOf)
    assert.deepEqual(open.toSorted(), OPEN_ROUTES)
    for (const name of open) assert.match(name, / \/auth\//)
  })

  await t.test('every id in a query or a body is one that the matrix knows', () => {
    for (const row of routes) {
      const { foreign = {} } = ROWS[nameOf(row)] ?? {}
      const { query, body } = row.shapes
      const places = [
        ...Object.keys(query?.properties ?? {}).map((name) => `query.${name}`),
        ...Object.keys((body as { properties?: object })?.properties ?? {}).map(
          (name) => `body.${name}`,
        ),
      ].filter((place) => /Ids?$/.test(place))
      for (const place of places)
        assert.ok(place in foreign || isNeverForeign(place), `${nameOf(row)}: ${place}`)
    }
  })

  for (const row of resources)
    await t.test(nameOf(row), async () => {
      await checkCells(row, resourceCells(row, home, elsewhere), asking, readState)
    })

  for (const row of accounts)
    await t.test(nameOf(row), async () => {
      await checkCells(row, accountCells(row, home, elsewhere), asking, readState)
    })

  await t.test('every exception is one', () => {
    assert.deepEqual([...foundUneven].toSorted(), Object.keys(UNEVEN).toSorted())
  })

  await t.test('no secret of any request or answer is in a log, an event or a table', async () => {
    await checkSecrets(world, asking, logged)
  })

  t.diagnostic(`${asking.count()} requests`)
})

type Prepared = Awaited<ReturnType<Cell['prepare']>>

/** What every credential gets for a good request of a resource route. */
function resourceCells(row: Route, home: Stage, elsewhere: Stage): Cell[] {
  const { ask, foreign = {}, endsWorkspace = false } = ROWS[nameOf(row)]!
  const { world } = home
  const cells: Cell[] = []
  const cell = (
    name: string,
    [credentialOf, caller]: [(at: Stage) => Credential | Promise<Credential>, Role],
    status: number,
    details?: Record<string, string>,
  ) => {
    const prepare = async () => {
      const at = endsWorkspace ? await openStage(world) : home
      return { request: await ask(at, at.cast[caller]), credential: await credentialOf(at) }
    }
    cells.push({ name, prepare, status, ...(details && { details }) })
  }

  cell('no credential', [() => nobody, 'owner'], 401)
  cell('an unknown key', [() => bearer(`sp_${'x'.repeat(40)}`), 'owner'], 401)
  cell('an unknown session', [() => ({ cookie: 'signpost_session=unknown' }), 'owner'], 401)
  for (const role of ROLES) {
    const player = (at: Stage): Player => at.cast[role]
    const asSession = expectedOf(row, role)
    cell(`${role}, session`, [(at) => sessionOf(player(at)), role], asSession)
    const asKey = row.requires.credential === 'session' ? 403 : asSession
    cell(`${role}, key`, [(at) => bearer(player(at).apiKey), role], asKey)
  }
  const { scope } = row.requires
  const best = row.requires.credential === 'session' ? 403 : expectedOf(row, 'owner')
  if (scope !== undefined && row.requires.credential !== 'session') {
    const details = { requiredScope: scope }
    const keyWith = (each: string) => async (at: Stage) => bearer(await at.keyWith(each))
    cell('a key with the scope', [keyWith(scope), 'owner'], best)
    cell('a key with another scope', [keyWith('media:write'), 'owner'], 403, details)
    if (scope.endsWith(':write')) {
      const reading = [scope.replace(':write', ':read'), '*:read'] as const
      for (const each of reading) cell(each, [keyWith(each), 'owner'], 403, details)
    } else cell('*:read', [keyWith('*:read'), 'owner'], best)
  } else
    cell(
      'a key with a scope',
      [async (at) => bearer(await at.keyWith('media:read')), 'owner'],
      best,
    )

  const strangers: [string, Credential][] = [
    ['session', sessionOf(elsewhere.cast.owner)],
    ['key', bearer(elsewhere.cast.owner.apiKey)],
  ]
  for (const [kind, credential] of strangers) {
    if (row.find)
      cell(`another workspace’s ${kind}, id in the path`, [() => credential, 'owner'], 403)
    for (const [place, idOf] of Object.entries(foreign)) {
      const prepare = async () => {
        const own = await ask(elsewhere, elsewhere.cast.owner)
        const [part, field] = place.split('.') as ['query' | 'body', string]
        const request = { ...own, [part]: { ...(own[part] as object), [field]: await idOf(home) } }
        return { credential, request }
      }
      cells.push({ name: `a foreign ${place}, ${kind}`, prepare, status: 403 })
    }
  }
  const header = { 'x-signpost-workspace': home.workspaceId }
  cell(
    'a session that names a foreign workspace',
    [() => ({ ...sessionOf(elsewhere.cast.owner), ...header }), 'owner'],
    403,
  )
  if (row.path.includes(':'))
    for (const role of ['viewer', 'owner'] as const)
      cells.push({
        name: `an unknown id, ${role}`,
        prepare: async () => ({
          credential: sessionOf(home.cast[role]),
          request: { ...(await ask(home, home.cast.owner)), params: unknownParams(row) },
        }),
        status: 404,
      })
  return cells
}

/** By the table of routes, and the exceptions above. */
function expectedOf(row: Route, role: Role): number {
  const exception = EXCEPTIONS[nameOf(row)]?.status(role) ?? null
  if (exception !== null) return exception
  return roleAtLeast(role, row.requires.role!) ? row.status : 403
}

/** What every credential gets for a good request of an account's route. */
function accountCells(row: Route, home: Stage, elsewhere: Stage): Cell[] {
  const { ask, status = row.status, forAnother } = ACCOUNT_ROWS[nameOf(row)]!
  const { world } = home
  const cells: Cell[] = []
  const cell = (name: string, credentialOf: (caller: Actor) => Credential, expected: number) => {
    const prepare = async () => {
      const caller = await addPerson(world)
      return { request: await ask(home, caller), credential: credentialOf(caller) }
    }
    cells.push({ name, prepare, status: expected })
  }
  const isOpen = row.requires.credential === 'none'
  const withoutSession = isOpen ? status : 401
  const withKey = row.requires.credential === 'session' ? 403 : status
  cell('no credential', () => nobody, withoutSession)
  cell('an unknown session', () => ({ cookie: 'signpost_session=unknown' }), withoutSession)
  cell('an unknown key', () => bearer('sp_unknown'), withoutSession)
  cell('a key', () => bearer(home.cast.owner.apiKey), withKey)
  cell('a session', sessionOf, status)
  if (forAnother) cell('another’s session', () => sessionOf(elsewhere.cast.owner), forAnother)
  return cells
}

/** Sends the cells that are refused, all at once, and then the others one by one. */
async function checkCells(
  row: Route,
  cells: readonly Cell[],
  asking: Asking,
  readState: () => Promise<State>,
): Promise<void> {
  const wrong: string[] = []
  const check = async ({ name, status, details }: Cell, prepared: Prepared) => {
    const answer = await asking.send(row, prepared.request, prepared.credential)
    const { error } = answer.body ?? {}
    const told = `${name}: ${answer.status} ${JSON.stringify(answer.body)}`
    if (answer.status !== status) wrong.push(`${told}, not ${status}`)
    else if (status === 403 && error.code !== 'FORBIDDEN') wrong.push(told)
    else if (details && !equal(error.details, details)) wrong.push(told)
  }
  const refused = cells.filter(({ status }) => status >= 400)
  const prepared: Prepared[] = []
  for (const { prepare } of refused) prepared.push(await prepare())
  const before = await readState()
  await Promise.all(refused.map((cell, i) => check(cell, prepared[i]!)))
  const after = await readState()
  const changed = changedTables(before, after)
  if (changed.length > 0) wrong.push(`a refused request changed ${changed.join(', ')}`)
  if (after.audited !== before.audited) wrong.push('a refused request is in the audit log')
  assert.equal(wrong.join('\n'), '')

  for (const cell of cells.filter(({ status }) => status < 400)) {
    const request = await cell.prepare()
    const isMeasured = isMeasuredIn(row, cell)
    const then = isMeasured ? await readState() : null
    await check(cell, request)
    if (then) {
      const now = await readState()
      wrong.push(...unevenness(row, cell, then, now))
      if (row.method === 'PATCH') {
        await check(cell, request)
        const again = await readState()
        if (changedTables(now, again).length + again.audited - now.audited > 0)
          wrong.push(`${cell.name}: what changes nothing is written`)
      }
    }
    assert.equal(wrong.join('\n'), '')
  }
}

/** Of several reads, one says it all. */
function isMeasuredIn({ method }: Route, { name }: Cell): boolean {
  return MEASURED.has(name) && (method !== 'GET' || name.endsWith('session'))
}

/** What was changed is in a log, and what is in the audit log was changed. */
function unevenness(row: Route, { name }: Cell, before: State, after: State) {
  const changed = changedTables(before, after)
  const isAudited = after.audited > before.audited
  const isLogged = isAudited || (!isResource(row) && after.noted > before.noted)
  const isEven = changed.length > 0 ? isLogged : !isAudited
  if (isEven) return []
  if (nameOf(row) in UNEVEN) {
    foundUneven.add(nameOf(row))
    return []
  }
  const told = `${name}: changed ${changed.join(', ') || 'nothing'}`
  return [`${told}, audited ${after.audited - before.audited}, noted ${after.noted - before.noted}`]
}

async function checkSecrets(world: World, { secrets }: Asking, logged: string): Promise<void> {
  const [texts] = await world.sql<{ text: string }[]>`
    select concat(
      (select string_agg(to_jsonb(a)::text, ' ') from audit_log a),
      (select string_agg(to_jsonb(s)::text, ' ') from security_log s),
      (select string_agg(to_jsonb(e)::text, ' ') from events e)
    ) as text`
  assert.ok(secrets.size > 100, `${secrets.size} secrets`)
  const places = { tables: texts!.text, log: logged }
  for (const [place, text] of Object.entries(places)) {
    assert.ok(text.length > 10_000)
    const found = [...secrets].filter((secret) => text.includes(secret))
    assert.deepEqual(found, [], place)
  }
}

function sessionOf({ session }: Actor): Credential {
  return { cookie: session.cookie }
}

function unknownParams({ path }: Route): Record<string, string> {
  const names = path.matchAll(/:(\w+)/g)
  return Object.fromEntries(
    Array.from(names, ([, name]) => [name!, 'lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV']),
  )
}

function isNeverForeign(place: string): boolean {
  return place.slice(place.indexOf('.') + 1) in NO_FOREIGN_IDS
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
