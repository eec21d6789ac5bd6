import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Route } from '../../src/platform/routes/route.ts'
import type { Provider } from './account-requests.ts'
import { pathOf } from './asking.ts'
import type { Asked } from './requests.ts'
import { addCaller, answerOf, factsOf, goodRequest, isResource, nameOf } from './routes.ts'
import { addActor, openStage, type Actor } from '../support/stage.ts'
import { changedTables, createStateReader } from './state.ts'
import { Browser, must } from '../support/calls.ts'
import type { Answer, World } from '../support/world.ts'

const FOREIGN = 'https://elsewhere.example'
const NAVIGATION = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Ways in which other pages write, with the headers that a browser adds for such a page. */
const PAGES: readonly [how: string, headers: Record<string, string>][] = [
  ['a fetch', { origin: FOREIGN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a fetch without an origin', { 'sec-fetch-site': 'cross-site' }],
  ['a page of a sibling host', { 'sec-fetch-site': 'same-site' }],
  ['a browser that sends no fetch metadata', { origin: FOREIGN }],
]

type Sent = { how: string; answer: Answer }

/** No page of another site changes an account. */
export async function checkForeignPages(t: TestContext, world: World, provider: Provider) {
  const stage = await openStage(world)
  const readState = await createStateReader(world.sql)
  const rows = world.app.routes.filter((row) => !isResource(row))

  /** A user who signed in a minute ago, and a request that would succeed in the browser of that user. */
  async function prepare(row: Route) {
    const user = await addCaller(world, row)
    const request = await goodRequest(row, stage, user)
    world.clock.advance(60_000)
    return { user, request }
  }

  for (const row of rows)
    await t.test(nameOf(row), async () => {
      const { user, request } = await prepare(row)
      const before = await readState()
      const isRead = row.method === 'GET'
      const { foreignPage, foreignCookie, foreignTable } = factsOf(row)
      // A GET only reads, or shows the page of a mail, and the other page cannot read the answer.
      const allowed = isRead ? answerOf(row, rows).status : 403
      const { status } = foreignPage ?? { status: allowed }
      const sent = isRead
        ? await navigate(world, row, user, guessed(request))
        : await write(world, row, user, request)
      const after = await readState()
      assert.deepEqual(changedTables(before, after), foreignTable ? [foreignTable] : [])
      for (const { how, answer } of sent) {
        const told = `${how}: ${answer.status} ${JSON.stringify(answer.body)}`
        assert.equal(answer.status, status, told)
        const cookies = answer.headers.getSetCookie().map((line) => line.split('=')[0])
        assert.ok(
          cookies.every((name) => name === foreignCookie),
          `${told} ${cookies.join()}`,
        )
        assert.equal(answer.headers.get('access-control-allow-credentials'), null, told)
      }
      if (isRead) return
      // A link or an image leads to a write as little.
      const isAlsoRead = rows.some(({ method, path }) => method === 'GET' && path === row.path)
      if (isAlsoRead) return
      for (const { how, answer } of await navigate(world, row, user, asQuery(request)))
        assert.ok([404, 405].includes(answer.status), `${how}: ${answer.status}`)
      assert.deepEqual(changedTables(before, await readState()), [])
    })

  await t.test('a way by a provider that another page begins links no account', async () => {
    let followed = 0
    for (const row of rows.filter(({ method }) => method === 'GET')) {
      const { user, request } = await prepare(row)
      const browser = new Browser(world.origin)
      const headers = { ...NAVIGATION, cookie: user.session.cookie }
      const path = pathOf(row, request)
      const away = await world.call('GET', path, { headers })
      const location = away.headers.get('location') ?? ''
      if (!location.startsWith(provider.config.oidcIssuer)) continue
      followed++
      browser.keep(away.headers)
      const there = await fetch(location, { redirect: 'manual' })
      const callback = there.headers.get('location')!.slice(world.origin.length)
      const cookie = `${user.session.cookie}; ${browser.cookie}`
      await must(302, world.call('GET', callback, { headers: { ...NAVIGATION, cookie } }))
      const linked = await world.sql`
        select 1 from linked_accounts where user_id = ${user.userId}`
      assert.equal(linked.length, 0, nameOf(row))
    }
    assert.ok(followed > 0, 'a route leads to the provider')
  })

  await t.test('the provider’s own way back works from its site, once', async () => {
    const row = rows.find((each) => nameOf(each) === 'GET /auth/callback/:provider')!
    const request = await goodRequest(row, stage, await addActor(world))
    const headers = { ...NAVIGATION, cookie: request.cookie! }
    const path = pathOf(row, request)
    const answer = await must(302, world.call('GET', path, { headers }))
    assert.ok(answer.headers.getSetCookie().some((line) => line.startsWith('signpost_session=')))
    await must(400, world.call('GET', path, { headers }))
  })
}

/** As a link, a form with the method GET, an image and a fetch of another page ask. */
async function navigate(world: World, row: Route, user: Actor, request: Asked) {
  const ways: [how: string, headers: Record<string, string>][] = [
    ['a link', NAVIGATION],
    ['an image', { ...NAVIGATION, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a fetch', { origin: FOREIGN, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ]
  const sent: Sent[] = []
  for (const [how, headers] of ways) {
    const cookie = cookiesOf(user, request)
    const answer = await world.call('GET', pathOf(row, request), {
      headers: { ...headers, cookie },
    })
    sent.push({ how, answer })
  }
  return sent
}

async function write(world: World, row: Route, user: Actor, request: Asked) {
  const path = pathOf(row, request)
  const cookie = cookiesOf(user, request)
  const sent: Sent[] = []
  const send = async (how: string, headers: Record<string, string>, body?: string) => {
    const init = { headers: { ...headers, cookie }, ...(body !== undefined && { body }) }
    sent.push({ how, answer: await world.call(row.method, path, init) })
  }
  if (row.method === 'POST')
    for (const origin of [FOREIGN, 'null'])
      await send(`a form of ${origin}`, { ...NAVIGATION, ...FORM, origin }, String(asForm(request)))
  for (const [how, headers] of PAGES)
    await (request.body === undefined
      ? send(how, headers)
      : send(how, { ...headers, ...JSON_TYPE }, JSON.stringify(request.body)))
  return sent
}

/** The cookies of the browser: the other page has them sent without knowing them. */
function cookiesOf({ session }: Actor, { cookie }: Asked): string {
  return [session.cookie, cookie].filter((each) => each).join('; ')
}

function asForm({ body }: Asked): URLSearchParams {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

function asQuery(request: Asked): Asked {
  return { ...request, query: { ...Object.fromEntries(asForm(request)), _method: 'POST' } }
}

/** Parameters that another page can send: possibly the token of a mail, but never the state of an attempt. */
function guessed(request: Asked): Asked {
  const { query } = request
  return query && 'state' in query ? { ...request, query: { ...query, state: 'guessed' } } : request
}
