import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpiredReservations } from '../../src/links/history/expiry.ts'
import { asSystem } from '../support/privileges.ts'
import { addDomain } from '../support/fixtures.ts'
import { eventually, openWorld } from '../support/world.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

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

test('the addresses of a deleted workspace on the shared host are reserved for nobody, for 30 days', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const url = { destinationUrl: 'https://example.com/docs' }
  const create = async (slug: string, rest: object = {}) =>
    (await owner.post('/links', { name: 'Docs', slug, ...url, ...rest })).body.data
  const domainId = await addDomain(world.sql, {
    workspaceId: owner.workspaceId,
    hostname: 'go.example.org',
  })
  await create('Printed', { aliases: ['poster'] })
  await create('branded', { domainId })
  const page = await owner.post('/bio-pages', { title: 'Page', slug: 'page' })
  assert.equal(page.status, 201)
  const early = await create('early')
  await owner.delete(`/links/${early.id}`)
  world.clock.advance(10 * DAY_MS)
  const session = await world.session(owner)
  const { name } = (await owner.get(`/workspaces/${owner.workspaceId}`)).body.data
  const removed = await session.send('DELETE', `/workspaces/${owner.workspaceId}`, {
    confirm: name,
  })
  assert.equal(removed.status, 204)
  const rows = () =>
    world.sql`
      select domain_id, slug_key, workspace_id, link_id, slug, is_alias, held_for from link_addresses
      where workspace_id is null or workspace_id = ${owner.workspaceId} order by slug_key`
  const none = { domainId: '', workspaceId: null, linkId: null, isAlias: false, heldFor: null }
  const expected = ['early', 'p/page', 'poster', 'printed'].map((slug) => {
    return { ...none, slugKey: slug, slug }
  })
  await eventually(async () => assert.deepEqual([...(await rows())], expected))
  const other = await world.member()
  const take = async (slug: string) =>
    (await other.post('/links', { name: 'Other', slug, ...url })).status
  for (const slug of ['printed', 'poster', 'early']) assert.equal(await take(slug), 409, slug)
  assert.equal((await other.post('/bio-pages', { title: 'Page', slug: 'page' })).status, 409)
  assert.equal((await fetch(`${world.origin}/printed`, { redirect: 'manual' })).status, 404)
  world.clock.advance(20 * DAY_MS)
  assert.deepEqual([await take('early'), await take('poster')], [201, 409])
  world.clock.advance(10 * DAY_MS)
  assert.deepEqual([await take('printed'), await take('poster')], [201, 201])
})
