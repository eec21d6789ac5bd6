import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import type { Route } from '../../src/platform/routes/route.ts'
import { writeIdentity } from '../../src/api/border/forwarded-identity.ts'
import { anonymous, bearer, pathOf, type Credential } from './asking.ts'
import type { Asked } from './requests.ts'
import { factsOf, goodRequest, isResource, nameOf } from './routes.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { createStateReader, changedTables } from './state.ts'
import { clientCopies } from '../support/client-copies.ts'
import { sendRaw, type HeaderLines, type RawAnswer } from '../support/raw-http.ts'
import type { World } from '../support/world.ts'
import { IS_LONG } from '../support/long.ts'

/** For each route and credential; a few hundred in all. */
const RUNS = IS_LONG ? 10 : 1

/** What a client says about its identity changes no answer of any route. */
export async function checkBorder(t: TestContext, world: World) {
  const [home, elsewhere] = [await openStage(world), await openStage(world)]
  const readState = await createStateReader(world.sql)
  const { owner } = home.cast
  const copies = clientCopies([
    owner.userId,
    home.workspaceId,
    'owner',
    ...forged(home, world.origin),
  ])
  const credentials: [string, Credential][] = [
    ['an anonymous client', anonymous],
    ['a viewer’s key', bearer(home.cast.viewer.apiKey)],
    ['a stranger’s key', bearer(elsewhere.cast.owner.apiKey)],
    ['the owner', { cookie: owner.session.cookie }],
  ]

  for (const row of world.app.routes)
    await t.test(nameOf(row), async () => {
      const request = await refusable(row, home)
      const before = await readState()
      for (const [name, credential] of credentials) {
        if (credential !== anonymous && isAlwaysGood(row)) continue
        const ask = (headers: HeaderLines, trailers: HeaderLines) =>
          send(world.origin, row, request, credential, headers, trailers)
        const plain = await ask([], [])
        assert.ok(plain.status < 500, plain.body)
        await fc.assert(
          fc.asyncProperty(copies, async ({ headers, trailers }) => {
            assert.deepEqual(
              shown(row, await ask(headers, trailers)),
              shown(row, plain),
              `as ${name}`,
            )
          }),
          // The first runs of a biased property would have few headers.
          { numRuns: RUNS, unbiased: true },
        )
      }
      if (factsOf(row).varies) return
      assert.deepEqual(changedTables(before, await readState()), [])
    })
}

/** As the gateway would sign them, with a token that the client made up. */
function forged({ workspaceId, cast }: Stage, origin: string): string[] {
  const common = { requestId: 'request-0001', ip: null, userAgent: null }
  const { userId } = cast.owner
  const actor = { type: 'user' as const, id: userId }
  const principal = { ...common, userId, workspaceId, role: 'owner' as const, actor, scopes: null }
  const caller = { ...common, origin, session: null, principal }
  const request = { method: 'GET', url: '/v1/links' }
  return Object.values(writeIdentity(caller, request, 'a token of my own'.repeat(3), Date.now()))
}

/** Neither its path nor its body can be wrong, so that it changes state for every caller with the right. */
function isAlwaysGood(row: Route): boolean {
  const { method, path, shapes } = row
  return method !== 'GET' && !path.includes(':') && !shapes.body && !factsOf(row).varies
}

/** A request that reads, or that is refused even to the owner, so that it can be sent many times. */
async function refusable(row: Route, home: Stage): Promise<Asked> {
  const params = Object.fromEntries(
    Array.from(row.path.matchAll(/:(\w+)/g), ([, name]) => [name!, 'lnk_unknown']),
  )
  if (row.method !== 'GET') return { params, ...(row.shapes.body && { body: 7 }) }
  return isResource(row) ? goodRequest(row, home, home.cast.owner) : { params }
}

function send(
  origin: string,
  row: Route,
  request: Asked,
  credential: Credential,
  copies: HeaderLines,
  trailers: HeaderLines,
): Promise<RawAnswer> {
  const hasBody = request.body !== undefined
  return sendRaw(origin, {
    method: row.method,
    path: pathOf(row, request),
    headers: [
      ...copies,
      ...Object.entries(credential),
      ['Origin', origin],
      ['X-Request-Id', 'request-0001'],
      ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
    ],
    ...(hasBody && { body: JSON.stringify(request.body), trailers: [['x-sum', '1'], ...trailers] }),
  })
}

/** Without the headers that count requests. */
function shown(row: Route, { status, headers, body }: RawAnswer): unknown {
  if (factsOf(row).varies) return status
  const kept = Object.entries(headers).filter(([name]) => !/ratelimit|set-cookie/.test(name))
  return { status, headers: Object.fromEntries(kept), body }
}
