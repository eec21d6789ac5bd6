import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabases } from '../support/engines.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

test('a link with maxClicks redirects that often, expires, and goes on under a higher limit', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const urls = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl }
  const dataDir = freshDataDir(t)
  const settings = { ...urls, TRUSTED_PROXIES: '1', COUNTRY_HEADER: 'CF-IPCountry' }
  const { origin } = await startProgram(t, dataDir, settings)
  const owner = callsWith(
    await bootstrapKey({
      ...urls,
      DATA_DIR: dataDir,
    }),
    origin,
  )
  const link = { name: 'Offer', destinationUrl: 'https://example.com/', slug: 'offer' }
  const created = await owner.post('/links', { ...link, maxClicks: 2 })
  assert.equal(created.status, 201)
  const { id } = created.body.data
  const visit = async (method = 'GET') => {
    const headers = { 'cf-ipcountry': 'JP' }
    return (await fetch(`${origin}/offer`, { method, headers, redirect: 'manual' })).status
  }
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) {
    await visit('HEAD')
    statuses.push(await visit())
  }
  assert.deepEqual(statuses, [302, 302, 410, 410])
  assert.equal((await owner.get(`/links/${id}`)).body.data.status, 'expired')
  const { data: expired } = (await owner.get('/links?status=expired')).body
  assert.deepEqual(
    expired.map((each: { id: string }) => each.id),
    [id],
  )

  assert.equal((await owner.patch(`/links/${id}`, { maxClicks: 3 })).body.data.status, 'active')
  await eventually(async () => assert.equal(await visit(), 302))
  assert.equal(await visit(), 410)
  await eventually(async () => {
    const { body } = await owner.get(`/analytics/links/${id}?days=1`)
    assert.equal(body.data.totalClicks, 3)
    assert.deepEqual(body.data.breakdowns.country, { JP: 3 })
  })
  await owner.patch(`/links/${id}`, { maxClicks: null })
  await eventually(async () => assert.equal(await visit(), 302))
  assert.equal((await owner.delete(`/links/${id}`)).status, 204)
  await eventually(async () => assert.equal(await visit(), 404))
})
