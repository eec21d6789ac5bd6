import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../support/receiver.ts'
import { answer, hang } from '../../support/receiver-scripts.ts'
import { eventually } from '../../support/world.ts'
import {
  checkTallies,
  fillEndpoints,
  fillQueue,
  openDeliveryWorld,
} from '../../support/delivery-world.ts'

test('silent receivers, a backlog and a thousand endpoints of one workspace delay no other', async (t) => {
  const world = await openDeliveryWorld(t)
  const [silent, slow, crowd, healthy] = await Promise.all(
    Array.from({ length: 4 }, () => openReceiver(t)),
  )
  silent!.on('/', hang())
  slow!.on('/', answer(200, { delayMs: 1_000 }))
  healthy!.on('/', answer(200))
  const fill = async (url: string, endpoints: number, each: number) => {
    const { workspaceId } = await world.workspace()
    const ids = await fillEndpoints(world, workspaceId, url, endpoints)
    await fillQueue(world.sql, workspaceId, ids, each)
    return { workspaceId, ids }
  }
  await fill(silent!.url('/'), 100, 20)
  const backlog = await fill(slow!.url('/'), 1, 8_000)
  await fill(crowd!.url('/'), 1_000, 2)
  world.startEngine()
  // Everything is on its way when the others begin.
  await eventually(async () => {
    assert.ok(silent!.requests.length >= 50)
    assert.ok(crowd!.requests.length >= 50)
    assert.ok(slow!.requests.length >= 1)
  }, 120_000)
  const quick: { workspaceId: string }[] = []
  for (let i = 0; i < 5; i++) quick.push(await fill(healthy!.url('/'), 1, 100))
  await eventually(async () => assert.equal(healthy!.requests.length, 500), 120_000)
  const [left] = await world.sql<{ backlog: number; silent: number }[]>`
    select count(*) filter (where endpoint_id = any(${backlog.ids}::text[])) as backlog,
      count(*) as silent from webhook_queue`
  assert.ok(left!.backlog > 6_000, `${left!.backlog} of the backlog wait`)
  assert.ok(silent!.openConnections() <= 384, 'a quarter of the places is never theirs')
  // The thousand endpoints of one workspace go on as well.
  await eventually(async () => assert.equal(crowd!.requests.length, 2_000), 120_000)
  await eventually(async () => {
    const rows = await world.sql`
      select from webhook_log where workspace_id = any(${quick.map((each) => each.workspaceId)}::text[])`
    assert.equal(rows.length, 500)
  })
  await checkTallies(world.sql)
})
