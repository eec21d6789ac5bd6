import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillEndpoints, openDeliveryWorld } from '../../support/delivery-world.ts'

test('many differences become one row, and what is one row already is not written again', async (t) => {
  const world = await openDeliveryWorld(t)
  const { workspaceId } = await world.workspace()
  const ids = await fillEndpoints(world, workspaceId, 'https://192.0.43.8/hook', 20)
  const [one, two] = ids
  const differences = (endpointId: string, n: number, count: number) => world.sql`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    select ${workspaceId}, ${endpointId}, 0, '-infinity', ${n} from generate_series(1, ${count}::int)`
  const rows = async () =>
    new Map(
      (
        await world.sql<{ key: string; place: string; n: number }[]>`
          select endpoint_id || status || day as key, ctid::text as place, n from webhook_tallies`
      ).map(({ key, place, n }) => [place, { key, n }]),
    )
  const of = async (endpointId: string) =>
    [...(await rows()).values()].filter(({ key }) => key === `${endpointId}0-infinity`)
  await world.sql`
    insert into webhook_tallies (workspace_id, endpoint_id, status, day, n)
    select ${workspaceId}, id, status, current_date - day, 5
    from unnest(${ids}::text[]) as id, unnest('{2,4}'::int[]) as status, generate_series(0, 29) as day`
  const ended = await rows()
  assert.equal(ended.size, 1_200)

  await differences(one!, 2, 600)
  await differences(two!, 3, 300)
  await differences(two!, -3, 300)
  await differences('whe_purged', 1, 1)
  await world.chores.once()
  const folded = await rows()
  assert.deepEqual(await of(one!), [{ key: `${one}0-infinity`, n: 1_200 }])
  assert.deepEqual([await of(two!), await of('whe_purged')], [[], []])
  assert.deepEqual(new Map([...folded].filter(([place]) => ended.has(place))), ended)
  assert.equal(folded.size, 1_201)

  // Nothing is done for a few, however many rows there are.
  await differences(one!, 1, 400)
  await world.chores.once()
  assert.equal((await rows()).size, 1_601)
  await differences(one!, 1, 400)
  await world.chores.once()
  assert.deepEqual(await of(one!), [{ key: `${one}0-infinity`, n: 2_000 }])
  assert.equal((await rows()).size, 1_201)
})
