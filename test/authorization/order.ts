import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Route } from '../../src/platform/routes/route.ts'
import { ROLES, roleAtLeast, type Role } from '../../src/platform/routes/principal.ts'
import { listErrorCodes } from '../../src/api/openapi/openapi-errors.ts'
import { anonymous, bearer, createAsking, type Credential } from './asking.ts'
import type { Asked } from './requests.ts'
import { accessOf, answerOf, factsOf, goodRequest, isResource, nameOf } from './routes.ts'
import { openStage, type Stage } from '../support/stage.ts'
import type { World } from '../support/world.ts'

/** A request that is wrong in every way is refused for the first of them (contract, Errors). */
const ORDER = ['credential', 'resource', 'scope', 'role', 'shapes', 'plan'] as const
type Check = (typeof ORDER)[number]

/** A plan that includes nothing: its id is unknown. */
const NO_PLAN = 'none'

/** A request with several faults is refused for the first in the order of steps, at every route. */
export async function checkOrder(t: TestContext, world: World) {
  const asking = createAsking(world)
  const { routes } = world.app
  const [home, elsewhere] = [await openStage(world), await openStage(world)]
  const seen = new Map<Check, number>(ORDER.map((check) => [check, 0]))

  for (const row of routes.filter(isResource))
    await t.test(nameOf(row), async () => {
      const { role: lowest, scope, credential: required } = accessOf(row)
      const otherScope = scope?.startsWith('media:') ? 'campaigns:read' : 'media:read'
      const good = await goodRequest(row, home, home.cast.owner)
      const bad = spoiled(row, good)

      await refused('credential', anonymous, unknown(row, bad), [401, 'UNAUTHORIZED'])
      if (row.path.includes(':') && !factsOf(row).hasOnlyWords) {
        const viewer = sessionOf(home, 'viewer')
        await refused('resource', viewer, unknown(row, bad), [404, 'NOT_FOUND'])
        const stranger = await elsewhere.keyWith(otherScope)
        const foreign: [number, string] = factsOf(row).namesNoRow
          ? [404, 'NOT_FOUND']
          : [403, 'FORBIDDEN']
        await refused('resource', bearer(stranger), bad, foreign, [])
        await refused('resource', sessionOf(elsewhere, 'viewer'), bad, foreign, [])
      }
      if (scope !== undefined) {
        const key = bearer(await home.keyWith(otherScope))
        const details = { requiredScope: scope }
        await refused('scope', key, bad, [403, 'FORBIDDEN'], details)
      }
      if (required === 'session')
        await refused('scope', bearer(home.cast.owner.apiKey), bad, [403, 'FORBIDDEN'], [])
      const requiredRole = lowest!
      for (const role of ROLES.filter((each) => !roleAtLeast(each, requiredRole)))
        await refused('role', sessionOf(home, role), bad, [403, 'FORBIDDEN'], { requiredRole })

      await world.sql`update workspaces set plan = ${NO_PLAN} where id = ${home.workspaceId}`
      const owner = sessionOf(home, 'owner')
      if (bad !== good) await refused('shapes', owner, bad, [400, 'VALIDATION_ERROR'])
      const answer = await asking.send(row, good, owner)
      const code = answer.body?.error?.code
      if (factsOf(row).needsPlan) {
        assert.equal(answer.status, 403, code)
        assert.match(code, /^PLAN_(CAPABILITY_REQUIRED|LIMIT_REACHED)$/)
        seen.set('plan', seen.get('plan')! + 1)
      } else assert.equal(answer.status, answerOf(row, routes).status, JSON.stringify(answer.body))
      // A body may ask for less than a plan refuses.
      const isDocumented = listErrorCodes(row).includes('PLAN_CAPABILITY_REQUIRED')
      if (!row.shapes.body) assert.equal(isDocumented, code === 'PLAN_CAPABILITY_REQUIRED')
      if (code !== undefined) assert.ok(listErrorCodes(row).includes(code), code)
      await restore(row)

      async function refused(
        check: Check,
        credential: Credential,
        request: Asked,
        [status, wanted]: [status: number, code: string],
        details?: unknown,
      ): Promise<void> {
        const { status: got, body } = await asking.send(row, request, credential)
        const told = `${check}: ${JSON.stringify(body)}`
        assert.deepEqual([got, body.error.code], [status, wanted], told)
        if (details) assert.deepEqual(body.error.details, details, told)
        seen.set(check, seen.get(check)! + 1)
      }
    })

  await t.test('every check was met', () => {
    for (const [check, times] of seen) assert.ok(times > 5, `${check}: ${times}`)
  })

  /** A workspace that was deleted is replaced. */
  async function restore(row: Route): Promise<void> {
    if (factsOf(row).endsWorkspace) return void Object.assign(home, await openStage(world))
    await world.sql`update workspaces set plan = 'self_hosted' where id = ${home.workspaceId}`
  }
}

/** The request with a body or a query that no shape allows; itself when it has neither. */
function spoiled({ shapes }: Route, good: Asked): Asked {
  if (shapes.body) return { ...good, body: 7 }
  const names = Object.keys(shapes.query?.properties ?? {})
  const name = ['limit', 'days', 'waitSeconds'].find((each) => names.includes(each))
  return name ? { ...good, query: { ...good.query, [name]: 'many' } } : good
}

function unknown({ path }: Route, request: Asked): Asked {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!)
  return { ...request, params: Object.fromEntries(names.map((name) => [name, 'lnk_unknown'])) }
}

function sessionOf({ cast }: Stage, role: Role): Credential {
  return { cookie: cast[role].session.cookie }
}
