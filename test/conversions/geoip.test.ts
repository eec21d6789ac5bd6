import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mmdb } from '../support/mmdb.ts'
import { callsWith, eventually, openWorld } from '../support/world.ts'

const DB_IP = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' }

test('GET /geoip', { concurrency: false }, async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'signpost-geo-'))
  t.after(() => rm(dir, { recursive: true }))
  const file = join(dir, 'city.mmdb')
  const builtAt = new Date('2026-06-01T00:00:00.000Z')
  const write = (city: string) =>
    writeFile(
      file,
      mmdb({ '8.0.0.0/8': { country_code: 'US', city } }, { type: 'DBIP-City-Lite', builtAt }),
    )
  await write('Oakland')
  const config = { geoipDb: file, trustedProxies: ['127.0.0.1', '::1'] }
  const world = await openWorld(t, { config })
  const owner = await world.member()

  await t.test('locates the client of the request, with the source of the data', async () => {
    const headers = { authorization: `Bearer ${owner.apiKey}`, 'x-forwarded-for': '8.8.8.8' }
    const { status, body } = await world.call('GET', '/v1/geoip', { headers })
    assert.equal(status, 200)
    assert.deepEqual(body.data, {
      ip: '8.8.8.8',
      country: 'US',
      countryName: 'United States',
      region: null,
      regionName: null,
      city: 'Oakland',
      continent: 'NA',
      latitude: null,
      longitude: null,
      timezone: null,
      isEu: false,
    })
    assert.deepEqual(body.meta.attribution, DB_IP)
    assert.equal(body.meta.dataBuiltAt, builtAt.toISOString())
  })

  await t.test('knows nothing about loopback and private addresses', async () => {
    for (const path of ['/geoip', '/geoip?ip=192.168.1.1', '/geoip?ip=::1', '/geoip?ip=fe80::1']) {
      const { status, body } = await owner.get(path)
      assert.equal(status, 200, path)
      const { ip, ...rest } = body.data
      assert.equal(typeof ip, 'string')
      for (const [name, value] of Object.entries(rest)) assert.equal(value, null, name)
    }
  })

  await t.test('another address is for owners and admins, with a key of any scopes', async () => {
    const { workspaceId } = owner
    const statuses: Record<string, number> = {}
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const member = await world.member({ workspaceId, role })
      assert.equal((await member.get('/geoip')).status, 200)
      statuses[role] = (await member.get('/geoip?ip=8.8.8.8')).status
      // The role is refused before the value.
      if (role !== 'admin') assert.equal((await member.get('/geoip?ip=x')).status, 403)
    }
    assert.deepEqual(statuses, { viewer: 403, member: 403, admin: 200 })
    const session = await world.session(owner)
    assert.equal((await session.get('/geoip?ip=8.8.8.8')).body.data.city, 'Oakland')
    const { body } = await session.post('/api-keys', { name: 'App', scopes: ['deferred:write'] })
    const app = callsWith(body.data.key, world.origin)
    assert.equal((await app.get('/geoip')).status, 200)
    assert.equal((await world.call('GET', '/v1/geoip')).status, 401)
  })

  await t.test('an address in another notation is answered in its canonical one', async () => {
    const { data } = (await owner.get('/geoip?ip=::ffff:8.8.4.4')).body
    assert.deepEqual([data.ip, data.country], ['8.8.4.4', 'US'])
  })

  await t.test('what is no address is a 400 with its path', async () => {
    for (const ip of ['x', '8.8.8', '8.8.8.8:80', '[::1]', '2a00::/16', '1'.repeat(65)]) {
      const { status, body } = await owner.get(`/geoip?ip=${encodeURIComponent(ip)}`)
      assert.equal(status, 400, ip)
      assert.equal(body.error.details[0].path, 'ip', ip)
    }
  })

  await t.test('a file that is replaced is in use within a minute', async () => {
    await write('San Francisco')
    assert.equal((await owner.get('/geoip?ip=8.8.8.8')).body.data.city, 'Oakland')
    world.clock.advance(60_000)
    await eventually(async () => {
      const { data } = (await owner.get('/geoip?ip=8.8.8.8')).body
      assert.equal(data.city, 'San Francisco')
    })
  })
})
