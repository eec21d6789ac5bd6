import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { contrastOf, labelOn, MIN_CONTRAST } from '../../src/platform/facts/page-theme.ts'
import { styleHashes } from '../../src/platform/http/html.ts'
import { addDomain } from '../support/bio-pages-world.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
import { openWorld, type Member, type World } from '../support/world.ts'

const NAME = 'Tom & "Ümit" <b>'

/** The page that a person gets at a host of the program, which need not resolve. */
async function visit(world: World, host: string | null, path: string) {
  const { hostname, port } = new URL(world.origin)
  const headers = { accept: 'text/html', ...(host && { host }) }
  const sent = request({ hostname, port, path, headers }).end()
  const [res] = (await once(sent, 'response')) as [IncomingMessage]
  const policy = String(res.headers['content-security-policy'])
  return { status: res.statusCode, policy, text: await readText(res) }
}

async function upload(member: Member): Promise<string> {
  const answer = await member.post('/media', freshImage(), { 'content-type': 'image/png' })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}

test('the brand of a workspace', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const path = `/workspaces/${owner.workspaceId}`
  const change = async (input: object, member = owner) => {
    const answer = await member.patch(`/workspaces/${member.workspaceId}`, input)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }
  const { id: domainId, hostname } = await addDomain(world, owner)
  const logoMediaId = await upload(owner)
  const logoUrl = `${world.origin}/media-public/${logoMediaId}`
  const link = { name: 'Secret', destinationUrl: 'https://example.com/', password: 'open sesame' }
  const locked = async (fields: object) =>
    (await owner.post('/links', { ...link, ...fields })).body.data.slug
  const slugs = { own: await locked({ domainId }), shared: await locked({ domainId: null }) }

  await t.test('is set by its admins, with an image of its own and a color', async () => {
    const { body } = await owner.get(path)
    assert.deepEqual([body.data.brandColor, body.data.logoMediaId], [null, null])
    const other = await world.member()
    const foreign = await upload(other)
    for (const [input, status, field] of [
      [{ brandColor: 'red' }, 400, 'brandColor'],
      [{ brandColor: '#12345' }, 400, 'brandColor'],
      [{ brandColor: '#123456;}' }, 400, 'brandColor'],
      [{ brandColor: 7 }, 400, 'brandColor'],
      [{ logoMediaId: foreign }, 403, 'logoMediaId'],
      [{ logoMediaId: 'med_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 400, 'logoMediaId'],
      [{ logoMediaId: '' }, 400, 'logoMediaId'],
    ] as const) {
      const answer = await owner.patch(path, input)
      assert.deepEqual([answer.status, answer.body.error.details[0].path], [status, field])
    }
    const changed = await change({ brandColor: '#0B5E82', logoMediaId, name: NAME })
    assert.deepEqual([changed.brandColor, changed.logoMediaId], ['#0b5e82', logoMediaId])
    const { data } = (await owner.get('/audit-log?action=workspace.updated')).body
    assert.deepEqual(data[0].changes.brandColor, { old: null, new: '#0b5e82' })
    assert.deepEqual(data[0].changes.logoMediaId, { old: null, new: logoMediaId })
    const use = { type: 'workspace', id: owner.workspaceId, name: NAME }
    assert.deepEqual((await owner.get(`/media/${logoMediaId}`)).body.data.usedBy, [use])
    assert.equal((await fetch(logoUrl)).status, 200)
  })

  await t.test('is on the pages of its own domain, with a policy for its image alone', async () => {
    for (const [page, status] of [
      ['/missing', 404],
      [`/${slugs.own}`, 401],
    ] as const)
      await eventually(async () => {
        const { status: seen, text, policy } = await visit(world, hostname, page)
        assert.equal(seen, status)
        const image = `<img class="brand" src="${logoUrl}?size=wide" alt="Tom &amp; &quot;Ümit&quot; &lt;b&gt;">`
        assert.ok(text.includes(image), text)
        assert.match(text, /button,\.button:not\(\.quiet\)\{color:#ffffff;background:#0b5e82\}/)
        assert.ok(!text.includes('<svg'))
        assert.ok(
          policy.includes(`style-src ${styleHashes(text)}; img-src 'self' ${logoUrl};`),
          policy,
        )
        assert.match(policy, /^default-src 'none'; .*sandbox/)
      })
  })

  await t.test('is not on the shared host, nor on the domain of another workspace', async () => {
    const other = await world.member()
    const { id, hostname: foreign } = await addDomain(world, other)
    const { destinationUrl } = link
    const { slug } = (await other.post('/links', { name: 'Open', destinationUrl, domainId: id }))
      .body.data
    await eventually(async () => {
      assert.equal((await visit(world, foreign, `/${slug}`)).status, 302)
    })
    for (const [host, page] of [
      [null, '/missing'],
      [null, `/${slugs.shared}`],
      [foreign, '/missing'],
    ] as const) {
      const { text, policy } = await visit(world, host, page)
      assert.doesNotMatch(text, /class="brand"|background:#0b5e82|mit&quot;/)
      assert.match(policy, /img-src 'self';/)
    }
  })

  await t.test('changes on pages as domains do, and is gone while it is suspended', async () => {
    const seen = async () => (await visit(world, hostname, '/missing')).text
    await change({ name: 'Acme', brandColor: '#ffd400' })
    await eventually(async () => {
      const text = await seen()
      assert.match(text, /alt="Acme"/)
      assert.match(text, /\{color:#000000;background:#ffd400\}/)
      assert.match(text, /light\)\{button,\.button\{border-color/)
      assert.match(text, /dark\)\{:root\{--accent:#ffd400\}/)
    })
    const suspend = (at: Date | null) =>
      world.sql`update workspaces set suspended_at = ${at} where id = ${owner.workspaceId}`
    await suspend(new Date())
    await eventually(async () => assert.doesNotMatch(await seen(), /Acme|ffd400/))
    await suspend(null)
    await eventually(async () => assert.match(await seen(), /Acme/))
  })

  await t.test('loses its logo with the image', async () => {
    assert.equal((await owner.delete(`/media/${logoMediaId}`)).status, 409)
    assert.equal((await owner.delete(`/media/${logoMediaId}?force=true`)).status, 204)
    await eventually(async () => {
      const { text, policy } = await visit(world, hostname, '/missing')
      assert.doesNotMatch(text, /<img|<svg/)
      assert.match(text, /background:#ffd400/)
      assert.match(policy, /img-src 'self';/)
    })
    assert.equal((await owner.get(path)).body.data.logoMediaId, null)
    const { data } = (await owner.get('/audit-log?action=workspace.updated')).body
    assert.deepEqual(data[0].changes, { logoMediaId: { old: logoMediaId, new: null } })
    await change({ brandColor: null })
    await eventually(async () => {
      assert.match((await visit(world, hostname, '/missing')).text, /<svg class="logo"/)
    })
  })
})

test('text is readable on every color', () => {
  for (let gray = 0; gray < 256; gray++)
    for (const rest of ['0000', '8080', 'ffff']) {
      const color = `#${gray.toString(16).padStart(2, '0')}${rest}`
      assert.ok(contrastOf(labelOn(color), color) >= MIN_CONTRAST, color)
    }
})
