import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callServer } from '../../src/operator/socket.ts'
import { eventually, openWorld, type Answer, type Member, type World } from '../support/world.ts'

const EVIL = 'https://evil.example.com/page'
const GOOD = 'https://good.example.com/page'
let serial = 0

/** Runs an operation as the command line does. */
// oxlint-disable-next-line typescript/no-explicit-any
function operate(world: World, name: string, input: object): Promise<any> {
  return callServer(world.dataDir, name, input)
}

async function create(owner: Member, fields: object = {}) {
  const slug = `blocked-${++serial}`
  const input = { name: 'A', slug, destinationUrl: EVIL, ...fields }
  const { status, body } = await owner.post('/links', input)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const statusOf = async (owner: Member, id: string) =>
  (await owner.get(`/links/${id}`)).body.data.status

async function visit(world: World, slug: string): Promise<number> {
  return (await world.call('GET', `/${slug}`)).status
}

test('what the operator blocks', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { isClockReal: true })
  const owner = await world.member()

  await t.test('no link can lead to a blocked host or a host below it, by any field', async () => {
    await operate(world, 'block', { kind: 'host', value: 'Bad.Example.NET.' })
    const good = await create(owner, { destinationUrl: GOOD })
    const bad = 'https://bad.example.net/a'
    const rule = { conditions: { country: ['DE'] }, destinationUrl: bad }
    const variants = [
      { destinationUrl: GOOD, weight: 50 },
      { destinationUrl: bad, weight: 50 },
    ]
    const rows: [fields: object, path: string][] = [
      [{ destinationUrl: bad }, 'destinationUrl'],
      [{ destinationUrl: 'https://deep.BAD.example.net./x' }, 'destinationUrl'],
      [{ destinationUrl: 'http://%62ad.example.net:8080' }, 'destinationUrl'],
      // Space that the URL parser refuses, and that is not stored.
      [{ destinationUrl: `\u00a0${bad}` }, 'destinationUrl'],
      [{ expiredUrl: bad }, 'expiredUrl'],
      [{ iosDeepLink: bad }, 'iosDeepLink'],
      [{ androidDeepLink: bad }, 'androidDeepLink'],
      [{ rules: [rule] }, 'rules.0.destinationUrl'],
      [{ variants }, 'variants.1.destinationUrl'],
    ]
    for (const [fields, path] of rows) {
      const input = { name: 'A', destinationUrl: GOOD, ...fields }
      const answers = [
        await owner.post('/links', input),
        await owner.patch(`/links/${good.id}`, fields),
        await owner.send('PUT', '/links/upsert', { ...input, externalId: path }),
      ]
      for (const { status, body } of answers) {
        assert.equal(status, 400, JSON.stringify(body))
        const { path: shown, code } = body.error.details[0]
        assert.deepEqual([shown, code], [path, 'blocked'])
      }
      const many = await owner.post('/links/bulk', { links: [input, { ...input, ...ALLOWED }] })
      assert.deepEqual(statusesOf(many), ['failed', 'created'], JSON.stringify(many.body))
      assert.equal(many.body.data[0].error.details[0].path, `links.0.${path}`)
      const changed = await owner.patch('/links/bulk', { ids: [good.id], data: fields })
      assert.deepEqual(statusesOf(changed), ['failed'])
    }
    await create(owner, { destinationUrl: 'https://notbad.example.net/' })
    await create(owner, {
      destinationUrl: GOOD,
      card: { title: null, description: null, image: bad },
    })
  })

  await t.test(
    'links that lead to a host are blocked, and restored with their status',
    async () => {
      const rule = {
        conditions: { country: ['DE'] },
        destinationUrl: 'https://a.evil.example.com/',
      }
      const active = await create(owner)
      const paused = await create(owner, { status: 'paused' })
      const byRule = await create(owner, { destinationUrl: GOOD, rules: [rule] })
      const other = await create(owner, { destinationUrl: 'https://example.com/evil.example.com' })
      assert.equal(await visit(world, active.slug), 302)
      await operate(world, 'block', { kind: 'host', value: 'evil.example.com', reason: 'phishing' })
      for (const { id, slug } of [active, paused, byRule]) {
        await eventually(async () => assert.equal(await statusOf(owner, id), 'blocked'))
        await eventually(async () => assert.equal(await visit(world, slug), 451))
      }
      assert.equal(await statusOf(owner, other.id), 'active')
      const { data } = (await owner.get(`/links/${active.id}`)).body
      assert.equal(data.blockedReason, 'phishing')
      const listed = await operate(world, 'blocks', {})
      const row = listed.blocks.find(({ value }: { value: string }) => value === 'evil.example.com')
      assert.deepEqual([row.kind, row.reason, row.links], ['host', 'phishing', 3])
      const audit = await owner.get(`/audit-log?targetId=${active.id}`)
      const [entry] = audit.body.data
      assert.deepEqual(
        [entry.action, entry.actor.type, entry.actor.id],
        ['link.blocked', 'system', 'operator'],
      )
      assert.deepEqual(entry.changes.status, { old: 'active', new: 'blocked' })

      await operate(world, 'unblock', { kind: 'host', value: 'evil.example.com' })
      await eventually(async () => assert.equal(await statusOf(owner, active.id), 'active'))
      await eventually(async () => assert.equal(await statusOf(owner, paused.id), 'paused'))
      await eventually(async () => assert.equal(await visit(world, active.slug), 302))
      const [latest] = (await owner.get(`/audit-log?targetId=${active.id}`)).body.data
      assert.equal(latest.action, 'link.unblocked')
      await eventually(async () => {
        const { blocks } = await operate(world, 'blocks', {})
        assert.ok(!blocks.some(({ value }: { value: string }) => value === 'evil.example.com'))
      })
    },
  )

  await t.test('a link is blocked at once, by its id or its short URL', async () => {
    const [byId, byUrl] = [await create(owner), await create(owner)]
    await operate(world, 'block', { kind: 'link', value: byId.id })
    await operate(world, 'block', { kind: 'link', value: byUrl.shortUrl, reason: 'spam' })
    for (const { id } of [byId, byUrl]) assert.equal(await statusOf(owner, id), 'blocked')
    await eventually(async () => assert.equal(await visit(world, byId.slug), 451))
    await operate(world, 'unblock', { kind: 'link', value: byUrl.shortUrl })
    assert.equal(await statusOf(owner, byUrl.id), 'active')
  })

  await t.test('a link that two blocks cover is restored with the last of them', async () => {
    const link = await create(owner, { destinationUrl: 'https://twice.example.com/' })
    await operate(world, 'block', { kind: 'link', value: link.id, reason: 'first' })
    await operate(world, 'block', { kind: 'host', value: 'twice.example.com', reason: 'second' })
    await operate(world, 'unblock', { kind: 'link', value: link.id })
    const { data } = (await owner.get(`/links/${link.id}`)).body
    assert.deepEqual([data.status, data.blockedReason], ['blocked', 'second'])
    await operate(world, 'unblock', { kind: 'host', value: 'twice.example.com' })
    await eventually(async () => assert.equal(await statusOf(owner, link.id), 'active'))
  })

  await t.test(
    'its owner can neither change a blocked link, nor give its address away',
    async () => {
      const link = await create(owner, { aliases: [`alias-${++serial}`] })
      const [alias] = link.aliases
      const before = (await owner.patch(`/links/${link.id}`, { name: 'B' })).body.data
      await operate(world, 'block', { kind: 'link', value: link.id })
      for (const fields of [{ status: 'active' }, { name: 'C' }, { destinationUrl: GOOD }]) {
        const { status, body } = await owner.patch(`/links/${link.id}`, fields)
        assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN'])
        assert.equal(body.error.details[0].code, 'blocked')
        const many = await owner.patch('/links/bulk', { ids: [link.id], data: fields })
        assert.deepEqual(statusesOf(many), ['failed'])
      }
      const history = (await owner.get(`/links/${link.id}/history`)).body.data
      const { id: historyId } = history.at(-1)
      const rolled = await owner.post(`/links/${link.id}/rollback`, { historyId })
      assert.equal(rolled.status, 403)
      assert.equal((await owner.patch(`/links/${link.id}`, { name: before.name })).status, 200)

      assert.equal((await owner.delete(`/links/${link.id}`)).status, 204)
      for (const slug of [link.slug, alias]) {
        const again = await owner.post('/links', { name: 'A', slug, destinationUrl: GOOD })
        assert.equal(again.status, 409, slug)
        const many = await owner.post('/links/bulk', {
          links: [{ name: 'A', slug, destinationUrl: GOOD }],
        })
        assert.deepEqual(statusesOf(many), ['failed'])
        assert.equal((await owner.get(`/links/check?slug=${slug}`)).body.data.reason, 'taken')
      }
      const restored = await owner.post(`/links/${link.id}/restore`)
      assert.deepEqual([restored.status, restored.body.data.status], [200, 'blocked'])
      assert.deepEqual(restored.body.data.aliases, link.aliases)

      await owner.delete('/links/bulk', { ids: [link.id] })
      await operate(world, 'unblock', { kind: 'link', value: link.id })
      const free = await owner.post('/links', { name: 'A', slug: alias, destinationUrl: GOOD })
      assert.equal(free.status, 201)
      await owner.delete(`/links/${free.body.data.id}`)
      const active = await owner.post(`/links/${link.id}/restore`)
      assert.deepEqual([active.status, active.body.data.status], [200, 'active'])
    },
  )

  await t.test(
    'a link that was deleted is blocked as well, and stays so when restored',
    async () => {
      const link = await create(owner, { aliases: [`alias-${++serial}`], status: 'paused' })
      await owner.delete(`/links/${link.id}`)
      await operate(world, 'block', { kind: 'link', value: link.id, reason: 'phishing' })
      for (const slug of [link.slug, ...link.aliases]) {
        const again = await owner.post('/links', { name: 'A', slug, destinationUrl: GOOD })
        assert.equal(again.status, 409, slug)
      }
      const [entry] = (await owner.get(`/audit-log?targetId=${link.id}`)).body.data
      assert.deepEqual(entry.changes.status, { old: 'paused', new: 'blocked' })
      await assert.rejects(
        operate(world, 'block', { kind: 'link', value: link.id }),
        /already blocked/,
      )
      const restored = await owner.post(`/links/${link.id}/restore`)
      assert.deepEqual([restored.status, restored.body.data.status], [200, 'blocked'])
      assert.deepEqual(
        [restored.body.data.blockedReason, restored.body.data.aliases],
        ['phishing', link.aliases],
      )
      await eventually(async () => assert.equal(await visit(world, link.slug), 451))
      await operate(world, 'unblock', { kind: 'link', value: link.id })
      assert.equal(await statusOf(owner, link.id), 'paused')
      // A block that is lifted before the restore leaves nothing.
      await owner.delete(`/links/${link.id}`)
      await operate(world, 'block', { kind: 'link', value: link.id })
      await operate(world, 'unblock', { kind: 'link', value: link.id })
      const active = await owner.post(`/links/${link.id}/restore`)
      assert.deepEqual([active.status, active.body.data.status], [200, 'paused'])
    },
  )

  await t.test('a deleted link does not return to a host that was blocked since', async () => {
    const link = await create(owner, { destinationUrl: 'https://later.example.com/' })
    const removed = await owner.delete('/links/bulk', { ids: [link.id] })
    await operate(world, 'block', { kind: 'host', value: 'later.example.com' })
    const single = await owner.post(`/links/${link.id}/restore`)
    assert.deepEqual([single.status, single.body.error.details[0].code], [400, 'blocked'])
    const undone = await owner.post('/links/bulk/undo', { undoId: removed.body.meta.undoId })
    assert.deepEqual(statusesOf(undone), ['skipped'])
  })

  await t.test('a blocked workspace is suspended until the block is lifted', async () => {
    const other = await world.member()
    const link = await create(other, { destinationUrl: GOOD })
    const value = other.workspaceId
    await operate(world, 'block', { kind: 'workspace', value, reason: 'spam' })
    await eventually(async () => assert.equal((await other.get('/links')).status, 403))
    await eventually(async () => assert.equal(await visit(world, link.slug), 410))
    await assert.rejects(operate(world, 'resume', { workspace: value }), /Unblock the workspace/)
    await operate(world, 'unblock', { kind: 'workspace', value })
    await eventually(async () => assert.equal((await other.get('/links')).status, 200))
  })

  await t.test('a workspace that was suspended before its block stays so after it', async () => {
    const other = await world.member()
    const value = other.workspaceId
    await operate(world, 'suspend', { workspace: value })
    await operate(world, 'block', { kind: 'workspace', value })
    await operate(world, 'unblock', { kind: 'workspace', value })
    assert.equal((await other.get('/links')).status, 403)
    await operate(world, 'resume', { workspace: value })
    await eventually(async () => assert.equal((await other.get('/links')).status, 200))
  })

  await t.test('what cannot be blocked is refused with a sentence', async () => {
    const rows: [kind: string, value: string, message: RegExp][] = [
      ...['com', 'co.uk', 'localhost', 'host'].map(
        (value) => ['host', value, /public suffix/] as [string, string, RegExp],
      ),
      ...['https://a.example', 'a.example/x', 'a.example:80', '', 'a b', 'u@a.example'].map(
        (value) => ['host', value, /is not a host/] as [string, string, RegExp],
      ),
      ['link', 'lnk_none', /does not exist/],
      ['link', `${world.origin}/none`, /no link/],
      ['workspace', 'wsp_none', /does not exist/],
      ['user', 'usr_1', /cannot be blocked/],
      ['host', 'bad.example.net', /already blocked/],
    ]
    for (const [kind, value, message] of rows)
      await assert.rejects(operate(world, 'block', { kind, value }), message, `${kind} ${value}`)
    await assert.rejects(
      operate(world, 'unblock', { kind: 'host', value: 'a.example.com' }),
      /not blocked/,
    )
    await operate(world, 'block', { kind: 'host', value: '0x7f.1' })
    const refused = await owner.post('/links', { name: 'A', destinationUrl: 'http://127.0.0.1:9/' })
    assert.equal(refused.status, 400)
    await operate(world, 'unblock', { kind: 'host', value: '127.0.0.1' })
  })
})

/** Replaces what leads to a blocked host. */
const ALLOWED = {
  destinationUrl: GOOD,
  expiredUrl: null,
  iosDeepLink: null,
  androidDeepLink: null,
  rules: [],
  variants: [],
}

function statusesOf({ body }: Answer): string[] {
  return body.data.map(({ status }: { status: string }) => status)
}
