import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announceDomain } from '../../src/links/link/addresses.ts'
import { callServer } from '../../src/operator/socket.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { addDomain } from '../support/fixtures.ts'
import { visitHost } from '../support/visit-host.ts'
import { eventually, openWorld } from '../support/world.ts'

const URLS = ['rootRedirectUrl', 'notFoundUrl', 'expiredUrl'] as const

test('blocked hosts in the URLs of domains', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()
  const operate = (name: string, value: string) =>
    callServer(world.dataDir, name, { kind: 'host', value })
  const read = async (id: string) => (await owner.get(`/domains/${id}`)).body.data
  let serial = 0
  /** A domain that the edge serves. */
  const serve = async (urls: Partial<Record<(typeof URLS)[number], string>> = {}) => {
    const hostname = `go.zone-${++serial}.test`
    const id = await addDomain(world.sql, { workspaceId: owner.workspaceId, hostname, ...urls })
    await inTransaction(world.sql, (tx) => announceDomain(tx, id))
    return { id, hostname }
  }
  const visit = (host: string, path: string) => visitHost(`${world.origin}${path}`, host)

  await t.test('are refused when a domain is added or changed', async () => {
    await operate('block', 'evil.example.com')
    const { id } = await serve({ rootRedirectUrl: 'https://good.example.com/' })
    for (const path of URLS) {
      const fields = { [path]: 'https://www.EVIL.example.com/x' }
      const answers = [
        await owner.post('/domains', { hostname: `new-${path}.zone.test`, ...fields }),
        await owner.patch(`/domains/${id}`, fields),
      ]
      for (const { status, body } of answers) {
        assert.equal(status, 400, JSON.stringify(body))
        const [detail] = body.error.details
        assert.deepEqual([detail.path, detail.code], [path, 'blocked'])
      }
    }
    assert.deepEqual((await read(id)).blockedUrls, [])
  })

  await t.test('are not visited from a block on, until it is lifted', async () => {
    const { id, hostname } = await serve({
      rootRedirectUrl: 'https://a.bad.example.net/root',
      notFoundUrl: 'https://bad.example.net/none',
      expiredUrl: 'https://good.example.com/over',
    })
    const former = await serve({ rootRedirectUrl: 'https://bad.example.org/' })
    await eventually(async () =>
      assert.deepEqual(await visit(hostname, '/'), [302, 'https://a.bad.example.net/root']),
    )
    await eventually(async () =>
      assert.deepEqual(await visit(hostname, '/none'), [302, 'https://bad.example.net/none']),
    )
    await operate('block', 'bad.example.net')
    await eventually(async () => {
      assert.deepEqual(await visit(hostname, '/'), [404, undefined])
      assert.deepEqual(await visit(hostname, '/none'), [404, undefined])
    })
    const blocked = await read(id)
    assert.deepEqual(blocked.blockedUrls, ['rootRedirectUrl', 'notFoundUrl'])
    assert.equal(blocked.notFoundUrl, 'https://bad.example.net/none')
    const [entry] = (await owner.get(`/audit-log?targetId=${id}`)).body.data
    assert.deepEqual([entry.action, entry.actor.id], ['domain.updated', 'operator'])
    assert.deepEqual(Object.keys(entry.changes), ['blockedUrls'])

    // Its other settings can be changed, and another URL frees the field.
    const changed = await owner.patch(`/domains/${id}`, {
      ...{ rootRedirectUrl: blocked.rootRedirectUrl, caseSensitive: true },
      notFoundUrl: 'https://good.example.com/none',
    })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual(changed.body.data.blockedUrls, ['rootRedirectUrl'])
    await eventually(async () =>
      assert.deepEqual(await visit(hostname, '/none'), [302, 'https://good.example.com/none']),
    )
    assert.deepEqual(await visit(hostname, '/'), [404, undefined])
    await operate('unblock', 'bad.example.net')
    await eventually(async () =>
      assert.deepEqual(await visit(hostname, '/'), [302, 'https://a.bad.example.net/root']),
    )
    assert.deepEqual((await read(id)).blockedUrls, [])
    assert.deepEqual((await read(former.id)).blockedUrls, [])
  })
})
