import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, openWorld } from '../support/world.ts'

test('a link with a start redirects from then on, and not before', async (t) => {
  const world = await openWorld(t)
  const user = await world.member()
  const startsAt = new Date(world.clock.now + 60_000).toISOString()
  const fields = { name: 'Launch', destinationUrl: 'https://example.com/launch', startsAt }
  const { status, body } = await user.post('/links', fields)
  assert.equal(status, 201)
  assert.equal(body.data.startsAt, startsAt)
  const visit = async () => (await world.call('GET', `/${body.data.slug}`)).status
  assert.equal(await visit(), 404)
  world.clock.advance(60_000)
  assert.equal(await visit(), 302)
})

test('an option that an update changes takes effect, and null gives it its default', async (t) => {
  const world = await openWorld(t)
  const user = await world.member()
  const fields = { name: 'Docs', destinationUrl: 'https://example.com/docs', forwardQuery: false }
  const { data } = (await user.post('/links', fields)).body
  assert.equal(data.forwardQuery, false)
  const visit = async () => {
    const { headers } = await world.call('GET', `/${data.slug}?a=1`)
    return [headers.get('location'), headers.get('x-robots-tag')]
  }
  assert.deepEqual(await visit(), ['https://example.com/docs', null])
  const change = { forwardQuery: null, noindex: true }
  assert.partialDeepStrictEqual((await user.patch(`/links/${data.id}`, change)).body.data, {
    forwardQuery: true,
    noindex: true,
  })
  await eventually(async () =>
    assert.deepEqual(await visit(), ['https://example.com/docs?a=1', 'noindex']),
  )
})
