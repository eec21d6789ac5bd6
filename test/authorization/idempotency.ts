import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Route } from '../../src/platform/routes/route.ts'
import type { Asked } from './requests.ts'
import { pathOf } from './asking.ts'
import { goodRequest, nameOf } from './routes.ts'
import { createStateReader } from './state.ts'
import { addActor, openStage, type Actor, type Stage } from '../support/stage.ts'
import { fetchAnswer, type Answer } from '../support/calls.ts'
import type { World } from '../support/world.ts'

/** POST routes with a credential that ignore the header, and why. */
const WITHOUT: Record<string, string> = {
  'POST /workspaces/:id/activate': 'the second request has the effect of the first',
  'POST /links/explain': 'it changes nothing',
  'POST /links/import/shlink': 'it needs another server: test/links/imports/shlink.slow.test.ts',
  'POST /links/import/columns': 'it changes nothing',
  'POST /bio-pages/:id/preview': 'it draws a page, and changes nothing',
  'POST /links/:id/qr': 'it draws an image, and changes nothing',
  'POST /links/qr': 'it draws images, and changes nothing',
  'POST /operator/workspaces/:id/suspend': 'the second request is refused as done',
  'POST /operator/workspaces/:id/resume': 'the second request is refused as done',
  'POST /operator/abuse-reports/:id/resolve': 'the second request is refused as done',
  'POST /operator/blocks': 'the second request is refused as done',
  'POST /billing/checkout': 'sold nowhere here: test/operator/billing.test.ts',
  'POST /billing/portal': 'sold nowhere here: test/operator/billing.test.ts',
}
const isSession = ({ path }: Route) => path.startsWith('/auth/')

/** Each POST route takes an Idempotency-Key, with one effect. */
export async function checkIdempotency(t: TestContext, world: World) {
  const at = await openStage(world)
  const readState = await createStateReader(world.sql)
  const rows = world.app.routes.filter(
    (row) => row.method === 'POST' && row.requires.credential !== 'none' && !isSession(row),
  )

  await t.test('each route takes the header, but for those with a reason', () => {
    const without = rows.filter(({ idempotent }) => !idempotent).map(nameOf)
    assert.deepEqual(
      without.filter((name) => !(name in WITHOUT)),
      [],
    )
  })

  for (const row of rows.filter((each) => each.idempotent && !(nameOf(each) in WITHOUT)))
    await t.test(nameOf(row), async () => {
      const caller = row.requires.role ? at.cast.owner : await addActor(world)
      const request = await goodRequest(row, at, caller)
      const send = () => post(at, row, request, caller)
      const answers = await Promise.all([send(), send(), send()])
      const fresh = answers.filter((answer) => isSuccess(answer) && !isReplay(answer))
      assert.equal(
        fresh.length,
        1,
        JSON.stringify(answers.map(({ status, body }) => [status, body])),
      )
      for (const { status, body } of answers.filter((answer) => !isSuccess(answer)))
        assert.deepEqual([status, body.error.details.reason], [409, 'request_under_way'])
      const before = await readState()
      const replayed = await send()
      assert.ok(isReplay(replayed), JSON.stringify(replayed.body))
      assert.equal(replayed.status, fresh[0]!.status)
      assert.deepEqual(replayed.body.data, fresh[0]!.body.data)
      const after = await readState()
      assert.deepEqual(after.tables, before.tables)
      assert.equal(after.audited, before.audited)
    })
}

function post({ world }: Stage, row: Route, request: Asked, { session }: Actor) {
  const { body, upload } = request
  return fetchAnswer(`${world.origin}${pathOf(row, request)}`, {
    method: 'POST',
    headers: {
      'idempotency-key': `once ${nameOf(row)}`,
      cookie: session.cookie,
      origin: world.origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(upload && { 'content-type': upload.contentType }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(upload && { body: upload.bytes }),
  })
}

function isSuccess({ status }: Answer): boolean {
  return status < 300
}

function isReplay({ headers }: Answer): boolean {
  return headers.get('idempotency-replayed') === 'true'
}
