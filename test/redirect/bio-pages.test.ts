import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { callServer } from '../../src/operator/socket.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
import { openWorld, type Member, type World } from '../support/world.ts'
import { addDomain } from '../support/bio-pages-world.ts'

const PERSON = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1.15'
const LINK = { type: 'link', title: 'Shop', url: 'https://example.com/shop' }
let serial = 0

type Seen = { status: number; headers: IncomingMessage['headers']; text: string }

/** A visit of a host of the program, which need not resolve. */
async function visit(
  world: World,
  host: string | null,
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Seen> {
  const { hostname, port } = new URL(world.origin)
  const headers = { 'user-agent': PERSON, ...(host && { host }), ...options.headers }
  const sent = request({ hostname, port, path, method: options.method ?? 'GET', headers }).end()
  const [res] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: res.statusCode!, headers: res.headers, text: await readText(res) }
}

async function publish(member: Member, input: object = {}) {
  const body = { slug: `ana-${++serial}`, title: 'Ana Lima', status: 'published', ...input }
  const answer = await member.post('/bio-pages', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

test('published pages', { concurrency: false }, async (t) => {
  const world = await openWorld(t, { isClockReal: true })

  await t.test('a page answers under /p/ on the shared host, without script', async () => {
    const owner = await world.member()
    const mediaId = (await owner.post('/media', freshImage(), { 'content-type': 'image/png' })).body
      .data.id
    const page = await publish(owner, {
      avatarMediaId: mediaId,
      description: 'Tom & "Jerry" <3',
      blocks: [LINK],
      socials: [{ platform: 'instagram', url: 'https://instagram.com/ana' }],
    })
    const { status, headers, text } = await visit(world, null, `/p/${page.slug}`)
    assert.equal(status, 200)
    assert.match(text, /<h1>Ana Lima<\/h1>/)
    assert.match(text, /Tom &amp; &quot;Jerry&quot; &lt;3/)
    assert.ok(text.includes(`<link rel="canonical" href="${page.url}">`))
    assert.ok(
      text.includes(
        `href="/${page.blocks[0].shortUrl.split('/').at(-1)}" target="_blank" rel="noopener nofollow"`,
      ),
      text,
    )
    assert.ok(text.includes(`content="${world.origin}/media-public/${mediaId}?size=card"`))
    assert.ok(text.includes(`src="/media-public/${mediaId}?size=small"`))
    assert.doesNotMatch(text, /<script|<iframe|onload|javascript:/i)
    const policy = String(headers['content-security-policy'])
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' http:\S+; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'none'; base-uri 'none'$/,
    )
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['x-robots-tag'], undefined)
    assert.equal(headers['x-frame-options'] ?? 'none', 'none')
    const etag = String(headers['etag'])
    const again = await visit(world, null, `/p/${page.slug}/`, {
      headers: { 'if-none-match': etag },
    })
    assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag])
    const head = await visit(world, null, `/p/${page.slug}`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.text, head.headers['etag']], [200, '', etag])
    assert.equal((await visit(world, null, `/p/${page.slug}`, { method: 'POST' })).status, 405)
    assert.equal((await visit(world, null, `/p/${page.slug}+`)).status, 404)
    assert.equal((await visit(world, null, `/${page.slug}`)).status, 404)
  })

  await t.test('on a branded host it answers under its slug and at the root', async () => {
    const owner = await world.member()
    const domain = await addDomain(world, owner)
    const mediaId = (await owner.post('/media', freshImage(), { 'content-type': 'image/png' })).body
      .data.id
    const page = await publish(owner, {
      domainId: domain.id,
      slug: 'Ana',
      blocks: [LINK],
      avatarMediaId: mediaId,
    })
    const at = (path: string) => visit(world, domain.hostname, path)
    await eventually(async () => assert.equal((await at('/ana')).status, 200))
    const { text, headers } = await at('/Ana')
    assert.equal((await at('/p/ana')).text, text)
    assert.equal((await at('/')).status, 404)
    assert.ok(text.includes(`src="${world.origin}/media-public/${mediaId}?size=small"`), text)
    const image = await fetch(`${world.origin}/media-public/${mediaId}?size=small`)
    assert.equal(image.headers.get('cross-origin-resource-policy'), 'cross-origin')
    // An ordinary slug here.
    assert.equal((await at(`/media-public/${mediaId}`)).status, 404)
    const link = { name: 'L', destinationUrl: LINK.url, domainId: domain.id, slug: 'media-public' }
    assert.equal((await owner.post('/links', link)).status, 201)
    await eventually(async () => assert.equal((await at('/media-public')).status, 302))
    assert.match(String(headers['content-security-policy']), new RegExp(`img-src ${world.origin};`))
    assert.ok(text.includes(`<link rel="canonical" href="http://${domain.hostname}/Ana">`))
    await owner.patch(`/bio-pages/${page.id}`, { isRoot: true })
    await eventually(async () => assert.equal((await at('/')).status, 200))
    assert.ok(
      (await at('/')).text.includes(`<link rel="canonical" href="http://${domain.hostname}/">`),
    )
    await owner.patch(`/bio-pages/${page.id}`, { isRoot: false, slug: 'lima' })
    await eventually(async () => assert.equal((await at('/')).status, 404))
    await eventually(async () => assert.equal((await at('/ana')).status, 404))
    assert.equal((await at('/lima')).status, 200)
  })

  await t.test('drafts, withdrawn and deleted pages are missing', async () => {
    const owner = await world.member()
    const page = await publish(owner, { status: 'draft' })
    const at = () => visit(world, null, `/p/${page.slug}`)
    assert.equal((await at()).status, 404)
    for (const [body, status] of [
      [{ status: 'published' }, 200],
      [{ status: 'draft' }, 404],
      [{ status: 'published' }, 200],
    ] as const) {
      await owner.patch(`/bio-pages/${page.id}`, body)
      await eventually(async () => assert.equal((await at()).status, status))
    }
    await owner.delete(`/bio-pages/${page.id}`)
    await eventually(async () => assert.equal((await at()).status, 404))
    assert.equal((await visit(world, null, '/p/never-there')).status, 404)
  })

  await t.test(
    'pages of a suspended workspace are gone, those of a blocked one blocked',
    async () => {
      const owner = await world.member()
      const page = await publish(owner)
      const { workspaceId: workspace } = owner
      const answers = (status: number) =>
        eventually(async () =>
          assert.equal((await visit(world, null, `/p/${page.slug}`)).status, status),
        )
      const operate = (name: string, input: object) => callServer(world.dataDir, name, input)
      await answers(200)
      await operate('suspend', { workspace })
      await answers(410)
      await operate('block', { kind: 'workspace', value: workspace })
      await answers(451)
      await operate('unblock', { kind: 'workspace', value: workspace })
      await answers(410)
      await operate('resume', { workspace })
      await answers(200)
      await operate('block', { kind: 'link', value: page.url })
      await answers(451)
      await operate('unblock', { kind: 'link', value: page.id })
      await answers(200)
      const unknown = { kind: 'link', value: 'bio_unknown' }
      await assert.rejects(operate('block', unknown), /bio_unknown does not exist/)
    },
  )

  await t.test('a page leaves out what leads to a blocked host', async () => {
    const owner = await world.member()
    const mediaId = (await owner.post('/media', freshImage(), { 'content-type': 'image/png' })).body
      .data.id
    const page = await publish(owner, {
      blocks: [
        { type: 'embed', url: 'https://evil.example/embed' },
        { type: 'image', mediaId, url: 'https://www.evil.example./image' },
        { type: 'social', icon: 'website', url: 'https://EVIL.example:8443/social' },
        { type: 'embed', url: 'https://notevil.example/embed' },
      ],
      socials: [
        { platform: 'website', url: 'https://sub.evil.example/profile' },
        { platform: 'email', url: 'mailto:ana@evil.example' },
      ],
    })
    const block = { kind: 'host', value: 'evil.example' }
    const operate = (name: string) => callServer(world.dataDir, name, block)
    const shows = (expected: readonly string[]) =>
      eventually(async () => {
        const { text } = await visit(world, null, `/p/${page.slug}`)
        const hrefs = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)
        assert.deepEqual(hrefs, expected)
      })
    const all = [
      ...['https://sub.evil.example/profile', 'mailto:ana@evil.example'],
      ...['https://evil.example/embed', 'https://www.evil.example./image'],
      ...['https://EVIL.example:8443/social', 'https://notevil.example/embed'],
    ]
    await shows(all)
    await operate('block')
    await shows(['mailto:ana@evil.example', 'https://notevil.example/embed'])
    await operate('unblock')
    await shows(all)
  })

  await t.test('a page leaves out links that do not redirect, and only as long', async () => {
    const owner = await world.member()
    const link = async (name: string, input: object = {}) => {
      const body = { name, destinationUrl: 'https://example.com/shop', ...input }
      const answer = await owner.post('/links', body)
      assert.equal(answer.status, 201, answer.text)
      return answer.body.data
    }
    const iso = (ms: number) => new Date(Date.now() + ms).toISOString()
    const links = {
      open: await link('open'),
      archived: await link('archived'),
      later: await link('later', { startsAt: iso(2_500) }),
      soonOver: await link('soonOver', { expiresAt: iso(2_500) }),
      over: await link('over', { expiresAt: iso(-1_000), expiredUrl: 'https://example.com/sold' }),
      once: await link('once', { maxClicks: 1 }),
    }
    await owner.patch(`/links/${links.archived.id}`, { status: 'archived' })
    const blocks = Object.entries(links).map(([title, { id: linkId }]) => {
      return { type: 'link', title, linkId }
    })
    const page = await publish(owner, { blocks })
    const titles = async () => {
      const { text } = await visit(world, null, `/p/${page.slug}`)
      return [...text.matchAll(/class="link"[^>]*><span[^>]*><\/span><span>(\w+)/g)].map(
        ([, title]) => title,
      )
    }
    const shows = (...expected: string[]) =>
      eventually(async () => assert.deepEqual(await titles(), expected))
    assert.deepEqual((await titles()).slice(0, 2), ['open', 'archived'])
    await shows('open', 'archived', 'later', 'once')
    const previewed = await owner.post(`/bio-pages/${page.id}/preview`, {})
    const texts = previewed.body.data.nodes.flatMap(
      ({ text }: { text: string | null }) => text ?? [],
    )
    assert.ok(texts.includes('later') && !texts.includes('over'), previewed.text)
    assert.equal((await visit(world, null, `/${links.once.slug}`)).status, 302)
    await shows('open', 'archived', 'later')
    await owner.patch(`/links/${links.once.id}`, { maxClicks: 2 })
    await shows('open', 'archived', 'later', 'once')
    await owner.patch(`/links/${links.open.id}`, { status: 'paused' })
    await shows('archived', 'later', 'once')
    await owner.patch(`/links/${links.open.id}`, { status: 'active' })
    await owner.patch(`/links/${links.later.id}`, { startsAt: iso(3_600_000) })
    await shows('open', 'archived', 'once')
    await owner.patch(`/links/${links.over.id}`, { expiresAt: null })
    await shows('open', 'archived', 'over', 'once')
    const block = { kind: 'link', value: links.over.id }
    await callServer(world.dataDir, 'block', block)
    await shows('open', 'archived', 'once')
    await callServer(world.dataDir, 'unblock', block)
    await shows('open', 'archived', 'over', 'once')
  })

  await t.test('an image is public while something shows it that is not blocked', async () => {
    const owner = await world.member()
    const upload = async (by: Member, bytes: Buffer) =>
      (await by.post('/media', bytes, { 'content-type': 'image/png' })).body.data.id
    const file = freshImage()
    const [ofPage, ofCard] = [await upload(owner, file), await upload(owner, freshImage())]
    const page = await publish(owner, {
      blocks: [{ type: 'image', mediaId: ofPage, title: 'Bowl' }],
    })
    const input = { name: 'C', destinationUrl: 'https://cards.example/', card: { image: ofCard } }
    const link = (await owner.post('/links', input)).body.data
    const at = (id: string) => `${world.origin}/media-public/${id}`
    const status = async (id: string) => {
      const answer = await fetch(at(id))
      await answer.body?.cancel()
      return answer.status
    }
    const operate = (name: string, kind: string, value: string) =>
      callServer(world.dataDir, name, { kind, value })
    assert.deepEqual([await status(ofPage), await status(ofCard)], [200, 200])
    await operate('block', 'link', page.id)
    await operate('block', 'link', link.id)
    assert.deepEqual([await status(ofPage), await status(ofCard)], [404, 404])
    // A change does not bring it back.
    await owner.patch(`/bio-pages/${page.id}`, { title: 'Other' })
    assert.equal(await status(ofPage), 404)
    const other = await publish(owner, { avatarMediaId: ofPage })
    assert.equal(await status(ofPage), 200, 'another page shows it')
    await owner.delete(`/bio-pages/${other.id}`)
    await operate('unblock', 'link', page.id)
    await operate('unblock', 'link', link.id)
    assert.deepEqual([await status(ofPage), await status(ofCard)], [200, 200])
    await operate('block', 'host', 'cards.example')
    await eventually(async () => assert.equal(await status(ofCard), 404))

    const { value } = (await operate('block', 'image', at(ofPage))) as { value: string }
    assert.match(value, /^[0-9a-f]{64}$/)
    assert.equal(await status(ofPage), 404)
    const text = async () => (await visit(world, null, `/p/${page.slug}`)).text
    await eventually(async () => assert.doesNotMatch(await text(), /<img/))
    // The same file stays blocked after it was deleted, and for others.
    await owner.delete(`/media/${ofPage}?force=true`)
    const stranger = await world.member()
    const again = await upload(stranger, file)
    await publish(stranger, { avatarMediaId: again })
    assert.equal(await status(again), 404)
    await operate('unblock', 'image', again)
    assert.equal(await status(again), 200)
    await assert.rejects(
      operate('block', 'image', 'med_unknown'),
      /There is no image "med_unknown"/,
    )
  })

  await t.test('a scheduled block appears and disappears by itself', async () => {
    const owner = await world.member()
    const now = Date.now()
    const iso = (ms: number) => new Date(now + ms).toISOString()
    const page = await publish(owner, {
      blocks: [
        { type: 'header', title: 'Ends', endsAt: iso(1_500) },
        { type: 'header', title: 'Begins', startsAt: iso(1_500) },
        { type: 'header', title: 'Hidden', enabled: false },
        { type: 'header', title: 'Later', startsAt: iso(3_600_000) },
      ],
    })
    const titles = async () =>
      [...(await visit(world, null, `/p/${page.slug}`)).text.matchAll(/<h2>(\w+)/g)].map(
        ([, title]) => title,
      )
    assert.deepEqual(await titles(), ['Ends'])
    await eventually(async () => assert.deepEqual(await titles(), ['Begins']))
  })

  await t.test('a page follows its links and images when they change', async () => {
    const owner = await world.member()
    const mediaId = (await owner.post('/media', freshImage(), { 'content-type': 'image/png' })).body
      .data.id
    const page = await publish(owner, { blocks: [LINK, { type: 'image', mediaId, title: 'Bowl' }] })
    const text = async () => (await visit(world, null, `/p/${page.slug}`)).text
    const { linkId } = page.blocks[0]
    assert.match(await text(), /class="link"[\s\S]+alt="Bowl"/)
    const slug = `renamed-${++serial}`
    await owner.patch(`/links/${linkId}`, { slug })
    await eventually(async () => assert.ok((await text()).includes(`href="/${slug}"`)))
    await owner.delete(`/links/${linkId}`)
    await eventually(async () => assert.doesNotMatch(await text(), /class="link"/))
    await owner.delete(`/media/${mediaId}?force=true`)
    await eventually(async () => assert.doesNotMatch(await text(), /alt="Bowl"/))
  })

  await t.test(
    'views by people are counted, those of programs are not, and none is a click',
    async () => {
      const owner = await world.member()
      const page = await publish(owner, { blocks: [LINK] })
      const path = `/p/${page.slug}`
      const { headers } = await visit(world, null, path)
      await visit(world, null, path, { headers: { 'if-none-match': String(headers['etag']) } })
      await visit(world, null, `${path}?utm_source=mail`, {
        headers: { 'user-agent': `${PERSON} other` },
      })
      await visit(world, null, path, { method: 'HEAD' })
      await visit(world, null, path, { headers: { 'user-agent': 'Googlebot/2.1' } })
      await visit(world, null, path, { headers: { 'sec-purpose': 'prefetch' } })
      await visit(world, null, `/${page.blocks[0].shortUrl.split('/').at(-1)}`)
      await eventually(async () => {
        const { data } = (await owner.get(`/bio-pages/${page.id}`)).body
        assert.deepEqual([data.views, data.clicks], [3, 1])
      })
      const overview = (await owner.get('/analytics/overview')).body.data
      assert.deepEqual(
        [overview.totalClicks, overview.periodClicks],
        [1, 1],
        JSON.stringify(overview),
      )
      const all = (await owner.get('/analytics/overview?includeBots=true')).body.data
      assert.deepEqual([all.totalClicks, all.botClicks ?? 0], [1, 0])
      assert.equal((await owner.get('/analytics/events?kind=all')).body.data.length, 1)
      const counted = await world.sql`select 1 from link_clicks where link_id = ${page.id}`
      assert.equal(counted.length, 0)
    },
  )

  await t.test('the analytics of a page have its views and the clicks of its blocks', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const [domain, foreign] = [await addDomain(world, owner), await addDomain(world, other)]
    const page = await publish(owner, { blocks: [LINK, { ...LINK, title: 'Blog' }] })
    const [shop, blog] = page.blocks
    const click = (block: { shortUrl: string }, agent = PERSON) =>
      visit(world, null, new URL(block.shortUrl).pathname, { headers: { 'user-agent': agent } })
    for (const agent of [PERSON, PERSON, `${PERSON} other`, 'Googlebot/2.1'])
      await visit(world, null, `/p/${page.slug}`, { headers: { 'user-agent': agent } })
    await click(shop)
    await click(shop, 'Googlebot/2.1')
    await click(blog)
    const ask = async (query = '') => {
      const { status, body } = await owner.get(`/analytics/bio-pages/${page.id}?days=7${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    }
    const { data, meta } = await eventually(async () => {
      const answer = await ask()
      assert.deepEqual([answer.data.periodViews, answer.data.periodClicks], [3, 2])
      return answer
    })
    assert.deepEqual([data.totalViews, data.uniqueVisitors, data.clickRate], [3, 2, 0.6667])
    const rows = (clicks: [number, number]) =>
      page.blocks.map(({ id, linkId, title }: typeof shop, i: number) => {
        const rate = Number((clicks[i]! / 3).toFixed(4))
        return { id, title, linkId, clicks: clicks[i], uniqueVisitors: 1, clickRate: rate }
      })
    assert.deepEqual(data.blocks, rows([1, 1]))
    assert.deepEqual([meta.granularity, data.timeseries.length], ['day', 7])
    const { views, clicks } = data.timeseries.at(-1)
    assert.deepEqual([views, clicks], [3, 2])
    assert.deepEqual(data.breakdowns.device, { mobile: 3 })
    assert.equal(data.breakdowns.destination, undefined)
    const hourly = await ask('&granularity=hour')
    assert.deepEqual([hourly.meta.granularity, hourly.data.periodViews], ['hour', 3])
    const withBots = (await ask('&includeBots=true')).data
    assert.deepEqual([withBots.periodViews, withBots.periodClicks], [3, 3])
    assert.deepEqual(
      withBots.blocks.map((block: { clicks: number }) => block.clicks),
      [2, 1],
    )
    for (const [filter, seen] of [
      [`domainId=${domain.id}`, [0, 0]],
      [`domainId=-${domain.id}`, [3, 2]],
      ['device=desktop', [0, 0]],
      ['utmSource=unknown', [0, 0]],
    ] as const) {
      const filtered = (await ask(`&${filter}`)).data
      assert.deepEqual([filtered.periodViews, filtered.periodClicks], seen, filter)
    }
    const path = `/analytics/bio-pages/${page.id}`
    assert.equal((await owner.get(`${path}?domainId=${foreign.id}`)).status, 403)
    assert.equal((await other.get(path)).status, 403)
  })
})
