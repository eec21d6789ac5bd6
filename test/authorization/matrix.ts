import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Route } from '../../src/platform/routes/route.ts'
import { ROLES, roleAtLeast, type Role } from '../../src/platform/routes/principal.ts'
import { anonymous, bearer, createAsking, type Asking, type Credential } from './asking.ts'
import { checkAnswer } from './answers.ts'
import { canMake, idsNamedBy, make, type Asked } from './requests.ts'
import {
  accessOf,
  addCaller,
  answerOf,
  factsOf,
  goodRequest,
  isResource,
  nameOf,
  NO_FOREIGN_IDS,
  ROUTES,
  type Answered,
} from './routes.ts'
import { openStage, type Actor, type Player, type Stage } from '../support/stage.ts'
import { changedTables, createStateReader, type State } from './state.ts'
import type { World } from '../support/world.ts'

const foundUneven = new Set<string>()
/** Granted requests around which all that is stored is read; it takes a while. */
const MEASURED = new Set(['owner, session', 'a key with the scope', 'a session', 'no credential'])

type Cell = {
  name: string
  /** Gives the request, and makes what it is about: once for all that change nothing. */
  prepare: () => Promise<{ credential: Credential; request: Asked }>
  status: number
  /** Of an error that is not the usual one of its status. */
  details?: Record<string, string>
}

/** Who may do what: every route with every kind of credential, through a gateway and services. */
export async function checkMatrix(t: TestContext, world: World, logged: () => string) {
  const asking = createAsking(world)
  const readState = await createStateReader(world.sql)
  const [home, elsewhere] = [await openStage(world), await openStage(world)]
  const { routes } = world.app
  const resources = routes.filter(isResource)
  const accounts = routes.filter((row) => !isResource(row))

  await t.test('every expectation is of a route of the program', () => {
    const named = new Set(routes.map(nameOf))
    assert.deepEqual(
      Object.keys(ROUTES).filter((name) => !named.has(name)),
      [],
    )
  })

  await t.test('routes without a credential are below /auth, or read a shared dashboard', () => {
    const open = routes.filter(({ requires }) => requires.credential === 'none').map(nameOf)
    assert.ok(open.length > 10)
    const others = open.filter((name) => !name.includes(' /auth/'))
    assert.deepEqual(others, ['GET /public/dashboards/:token'])
  })

  await t.test('every id in a query or a body is one that the matrix knows', () => {
    for (const row of routes)
      for (const { place, prefix } of idsNamedBy(row))
        assert.notEqual(canMake(home, prefix), isNeverForeign(place), `${nameOf(row)}: ${place}`)
  })

  for (const row of resources)
    await t.test(nameOf(row), async () => {
      const cells = resourceCells(row, routes, home, elsewhere)
      await checkCells(row, answerOf(row, routes), cells, asking, readState)
    })

  for (const row of accounts)
    await t.test(nameOf(row), async () => {
      const cells = accountCells(row, routes, home, elsewhere)
      await checkCells(row, answerOf(row, routes), cells, asking, readState)
    })

  await t.test('every exception is one', () => {
    const uneven = routes.filter((row) => factsOf(row).uneven !== undefined)
    assert.deepEqual([...foundUneven].toSorted(), uneven.map(nameOf).toSorted())
  })

  await t.test('no secret of any request or answer is in a log, an event or a table', async () => {
    await checkSecrets(world, asking, logged())
  })

  t.diagnostic(`${asking.count()} requests`)
}

type Prepared = Awaited<ReturnType<Cell['prepare']>>

/** Expected answers for every credential to a good request of a resource route. */
function resourceCells(
  row: Route,
  routes: readonly Route[],
  home: Stage,
  elsewhere: Stage,
): Cell[] {
  const { endsWorkspace = false, dataScopes = [] } = factsOf(row)
  const { role: lowest, scope, credential: required } = accessOf(row)
  const { status: granted } = answerOf(row, routes)
  const statusFor = (role: Role) => (roleAtLeast(role, lowest!) ? granted : 403)
  const { world } = home
  const cells: Cell[] = []
  const atHome = once(() => goodRequest(row, home, home.cast.owner))
  const atElsewhere = once(() => goodRequest(row, elsewhere, elsewhere.cast.owner))
  const cell = (
    name: string,
    [credentialOf, caller]: [(at: Stage) => Credential | Promise<Credential>, Role],
    status: number,
    details?: Record<string, string>,
  ) => {
    const prepare = async () => {
      if (status >= 400 || row.method === 'GET')
        return { request: await atHome(), credential: await credentialOf(home) }
      const at = endsWorkspace ? await openStage(world) : home
      return {
        request: await goodRequest(row, at, at.cast[caller]),
        credential: await credentialOf(at),
      }
    }
    cells.push({ name, prepare, status, ...(details && { details }) })
  }

  cell('no credential', [() => anonymous, 'owner'], 401)
  cell('an unknown key', [() => bearer(`sp_${'x'.repeat(40)}`), 'owner'], 401)
  cell('an unknown session', [() => ({ cookie: 'signpost_session=unknown' }), 'owner'], 401)
  for (const role of ROLES) {
    const player = (at: Stage): Player => at.cast[role]
    const asSession = statusFor(role)
    cell(`${role}, session`, [(at) => sessionOf(player(at)), role], asSession)
    const asKey = required === 'session' ? 403 : asSession
    cell(`${role}, key`, [(at) => bearer(player(at).apiKey), role], asKey)
  }
  const best = required === 'session' ? 403 : granted
  if (scope !== undefined) {
    const details = { requiredScope: scope }
    const keyWith = (each: string) => async (at: Stage) => bearer(await at.keyWith(each))
    const withData = async (at: Stage) => bearer(await at.keyWith(scope, ...dataScopes))
    cell('a key with the scope', [withData, 'owner'], best)
    const otherScope = scope.startsWith('media:') ? 'campaigns:write' : 'media:write'
    cell('a key with another scope', [keyWith(otherScope), 'owner'], 403, details)
    if (scope.endsWith(':write')) {
      // Conversions are sent, and read as analytics.
      const isOnlyWritten = scope === 'conversions:write'
      const reading = [...(isOnlyWritten ? [] : [scope.replace(':write', ':read')]), '*:read']
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
  const foreign = idsNamedBy(row)
    .filter(({ prefix }) => canMake(home, prefix))
    .map(({ place, prefix }) => ({ place, makeId: once(() => make(home, prefix)) }))
  for (const [kind, credential] of strangers) {
    if (namesARow(row))
      cell(
        `another workspace’s ${kind}, id in the path`,
        [() => credential, 'owner'],
        factsOf(row).namesNoRow ? 404 : 403,
      )
    for (const { place, makeId } of foreign) {
      const prepare = async () => {
        const own = await atElsewhere()
        const [part, field] = place.split('.') as ['query' | 'body', string]
        const request = {
          ...own,
          [part]: { ...(own[part] as object), [field]: await makeId() },
        }
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
  if (row.method === 'GET')
    cells.push(...queryCells([home, atHome], [elsewhere, atElsewhere], { granted, best }))
  if (namesARow(row))
    for (const role of ['viewer', 'owner'] as const)
      cells.push({
        name: `an unknown id, ${role}`,
        prepare: async () => ({
          credential: sessionOf(home.cast[role]),
          request: {
            ...(await atHome()),
            params: unknownParams(row),
          },
        }),
        status: 404,
      })
  return cells
}

type Requester = [at: Stage, request: () => Promise<Asked>]

/** Reads that name a workspace in the query: only that of the caller, and never another one's rows. */
function queryCells(
  atHome: Requester,
  atElsewhere: Requester,
  { granted, best }: { granted: number; best: number },
): Cell[] {
  const [{ workspaceId }] = atHome
  const cellFor = (
    name: string,
    [at, request]: Requester,
    credentialOf: (owner: Player) => Credential,
    status: number,
  ): Cell => ({
    name: `workspaceId of ${name}`,
    prepare: async () => {
      const own = await request()
      const query = { ...own.query, workspaceId }
      return { request: { ...own, query }, credential: credentialOf(at.cast.owner) }
    },
    status,
  })
  const asKey = ({ apiKey }: Player) => bearer(apiKey)
  return [
    cellFor('its own, session', atHome, sessionOf, granted),
    cellFor('its own, key', atHome, asKey, best),
    cellFor('another, session', atElsewhere, sessionOf, 403),
    cellFor('another, key', atElsewhere, asKey, 403),
  ]
}

/** Expected answers for every credential to a good request of an account's route. */
function accountCells(row: Route, routes: readonly Route[], home: Stage, elsewhere: Stage): Cell[] {
  const { status } = answerOf(row, routes)
  const { credential, operator } = accessOf(row)
  const ofPath = row.path.endsWith('/:id') ? 404 : null
  const forAnother = operator ? 403 : (factsOf(row).forAnother ?? ofPath)
  const { world } = home
  const cells: Cell[] = []
  const askedByNew = async () => {
    const caller = await addCaller(world, row)
    return { caller, request: await goodRequest(row, home, caller) }
  }
  const refusable = once(askedByNew)
  const cell = (name: string, credentialOf: (caller: Actor) => Credential, expected: number) => {
    const prepare = async () => {
      const { caller, request } = await (expected >= 400 ? refusable() : askedByNew())
      return { request, credential: credentialOf(caller) }
    }
    cells.push({ name, prepare, status: expected })
  }
  const withoutSession = credential === 'none' ? status : 401
  const withKey = credential === 'session' ? 403 : status
  cell('no credential', () => anonymous, withoutSession)
  cell('an unknown session', () => ({ cookie: 'signpost_session=unknown' }), withoutSession)
  cell('an unknown key', () => bearer('sp_unknown'), withoutSession)
  cell('a key', () => bearer(home.cast.owner.apiKey), withKey)
  cell('a session', sessionOf, status)
  if (operator)
    for (const role of ROLES) cell(`${role}, no operator`, () => sessionOf(home.cast[role]), 403)
  if (forAnother) cell('another’s session', () => sessionOf(elsewhere.cast.owner), forAnother)
  return cells
}

/** Sends the cells that are refused, all at once, and then the others one by one. */
async function checkCells(
  row: Route,
  answered: Answered,
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
    else if (status === answered.status) checkAnswer(row, answered, answer)
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

/** Every change is in a log, and every entry of the audit log is a change. */
function unevenness(row: Route, { name }: Cell, before: State, after: State) {
  const changed = changedTables(before, after)
  const isAudited = after.audited > before.audited
  const isLogged = isAudited || (!isResource(row) && after.noted > before.noted)
  const isEven = changed.length > 0 ? isLogged : !isAudited
  if (isEven) return []
  if (factsOf(row).uneven !== undefined) {
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

function once<T>(makeIt: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= makeIt())
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

function namesARow(row: Route): boolean {
  return row.path.includes(':') && !factsOf(row).hasOnlyWords
}
