import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpiredReservations } from '../../src/services/links/freed-addresses.ts'
import { asSystem } from '../support/privileges.ts'
import { openWorld } from '../support/world.ts'

const DAY_MS = 86_400_000

test('the reservation of a freed slug is deleted once every workspace may take it', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const create = async (slug: string) => {
    const fields = { name: 'Docs', slug, destinationUrl: 'https://example.com/docs' }
    return (await owner.post('/links', fields)).body.data
  }
  const [deleted] = [await create('deleted'), await create('kept')]
  await owner.delete(`/links/${deleted.id}`)
  const sweep = async () => {
    const deps = { sql: asSystem(world.sql), clock: () => world.clock.now }
    await deleteExpiredReservations(deps, new AbortController().signal)
    const rows = await world.sql<{ slug: string }[]>`select slug from link_addresses order by slug`
    return rows.map(({ slug }) => slug)
  }
  assert.deepEqual(await sweep(), ['deleted', 'kept'])
  world.clock.advance(30 * DAY_MS)
  assert.deepEqual(await sweep(), ['kept'])
})
