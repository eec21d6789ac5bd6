import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
import { openWorld, type Member } from '../support/world.ts'
import { addDomain } from '../support/bio-pages-world.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'

const PNG = { 'content-type': 'image/png' }
const HEADER = { type: 'header', title: 'x' }
const LINK = { type: 'link', title: 'Shop', url: 'https://example.com/shop' }

const copies = (count: number, block: object) => Array.from({ length: count }, () => ({ ...block }))

let serial = 0
const freshSlug = () => `page-${++serial}`

async function create(member: Member, input: object = {}) {
  const body = { slug: freshSlug(), title: 'Ana Lima', ...input }
  const answer = await member.post('/bio-pages', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data
}

async function image(member: Member): Promise<string> {
  return (await member.post('/media', freshImage(), PNG)).body.data.id
}

test('bio pages', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const refused = async (member: Member, input: object, status: number, path: string) => {
    const body = { slug: freshSlug(), title: 'Ana', ...input }
    const answer = await member.post('/bio-pages', body)
    const found = answer.body.error?.details?.[0]?.path
    assert.deepEqual([answer.status, found], [status, path], JSON.stringify(answer.body))
  }

  await t.test('a page is created, read, listed, changed and deleted', async () => {
    const owner = await world.member()
    const slug = freshSlug()
    const made = await create(owner, { slug, title: ' Ana Lima ', blocks: [LINK] })
    const [block] = made.blocks
    assert.deepEqual(made, {
      id: made.id,
      workspaceId: owner.workspaceId,
      slug,
      title: 'Ana Lima',
      description: null,
      avatarMediaId: null,
      theme: { preset: 'plain', background: null, text: null, accent: null, font: null },
      blocks: [
        {
          id: block.id,
          ...LINK,
          linkId: block.linkId,
          mediaId: null,
          icon: null,
          enabled: true,
          startsAt: null,
          endsAt: null,
          shortUrl: block.shortUrl,
          ownsLink: true,
        },
      ],
      socials: [],
      seo: { title: null, description: null, imageMediaId: null, noindex: false },
      status: 'draft',
      domainId: null,
      views: 0,
      clicks: 0,
      url: `${world.origin}/p/${slug}`,
      publishedAt: null,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
      isRoot: false,
    })
    const link = (await owner.get(`/links/${block.linkId}`)).body.data
    assert.deepEqual(
      [link.name, link.destinationUrl, link.shortUrl],
      [LINK.title, LINK.url, block.shortUrl],
    )
    assert.deepEqual((await owner.get(`/bio-pages/${made.id}`)).body.data, made)
    const listed = (await owner.get('/bio-pages?search=ANA')).body
    assert.deepEqual([listed.data, listed.meta.total], [[made], 1])

    world.clock.advance(1_000)
    const answer = await owner.patch(`/bio-pages/${made.id}`, { status: 'published' })
    assert.equal(answer.body.data.publishedAt, new Date(world.clock.now).toISOString())
    assert.equal((await owner.get('/bio-pages?status=draft')).body.meta.total, 0)
    const same = await owner.patch(`/bio-pages/${made.id}`, { status: 'published' })
    assert.deepEqual(same.body.data, answer.body.data)

    assert.equal((await owner.delete(`/bio-pages/${made.id}`)).status, 204)
    assert.equal((await owner.get(`/bio-pages/${made.id}`)).status, 404)
    assert.equal((await owner.get(`/links/${block.linkId}`)).status, 200)
    const log = (await owner.get(`/audit-log?targetId=${made.id}`)).body.data
    assert.deepEqual(
      log.map(({ action }: { action: string }) => action),
      ['bio_page.deleted', 'bio_page.updated', 'bio_page.created'],
    )
  })

  await t.test('a block of the page keeps its link, which follows its title and URL', async () => {
    const owner = await world.member()
    const made = await create(owner, { blocks: [LINK, { ...LINK, title: 'Blog' }] })
    const [shop, blog] = made.blocks
    const changed = await owner.patch(`/bio-pages/${made.id}`, {
      blocks: [
        { ...blog, title: 'Journal' },
        { id: shop.id, ...LINK, url: 'https://example.com/new' },
      ],
    })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual(
      changed.body.data.blocks.map(({ linkId }: { linkId: string }) => linkId),
      [blog.linkId, shop.linkId],
    )
    const [first, second] = [
      (await owner.get(`/links/${blog.linkId}`)).body.data,
      (await owner.get(`/links/${shop.linkId}`)).body.data,
    ]
    assert.deepEqual([first.name, second.destinationUrl], ['Journal', 'https://example.com/new'])
    await owner.patch(`/links/${shop.linkId}`, { name: 'Spring shop' })
    const renamed = await owner.patch(`/bio-pages/${made.id}`, {
      blocks: [{ ...shop, title: 'The shop' }],
    })
    assert.equal(renamed.body.data.blocks[0].title, 'The shop')
    assert.equal((await owner.get(`/links/${shop.linkId}`)).body.data.name, 'Spring shop')
  })

  await t.test('links of removed blocks are kept, or deleted on request', async () => {
    const owner = await world.member()
    const other = (
      await owner.post('/links', { name: 'Own', destinationUrl: 'https://example.com/own' })
    ).body.data
    const blocks = [LINK, LINK, LINK, { type: 'link', title: 'Own', linkId: other.id }]
    const made = await create(owner, { blocks })
    const [one, two, three] = made.blocks
    const statusOf = async (id: string) => (await owner.get(`/links/${id}`)).status
    await owner.patch(`/bio-pages/${made.id}`, { blocks: made.blocks.slice(1) })
    assert.equal(await statusOf(one.linkId), 200)
    await owner.patch(`/bio-pages/${made.id}?links=delete`, { blocks: made.blocks.slice(2) })
    assert.equal(await statusOf(two.linkId), 404)
    // Another page shows it.
    await create(owner, { blocks: [{ type: 'link', title: 'Shared', linkId: three.linkId }] })
    const deleted = await owner.delete(`/bio-pages/${made.id}?links=delete`)
    assert.equal(deleted.status, 204)
    assert.deepEqual([await statusOf(three.linkId), await statusOf(other.id)], [200, 200])
  })

  await t.test('slugs of links and pages exclude each other on a domain', async () => {
    const owner = await world.member()
    const domain = await addDomain(world, owner)
    const link = { name: 'L', destinationUrl: 'https://example.com/', domainId: domain.id }
    assert.equal((await owner.post('/links', { ...link, slug: 'taken' })).status, 201)
    await refused(owner, { slug: 'Taken', domainId: domain.id }, 409, 'slug')
    const page = await create(owner, { slug: 'Ana', domainId: domain.id })
    assert.equal(page.url, `http://${domain.hostname}/Ana`)
    assert.equal((await owner.post('/links', { ...link, slug: 'ana' })).status, 409)
    assert.equal((await owner.post('/links', { ...link, slug: 'p/ana' })).status, 409)
    await refused(owner, { slug: 'ana', domainId: domain.id }, 409, 'slug')
    const moved = await owner.patch(`/bio-pages/${page.id}`, { slug: 'lima' })
    assert.equal(moved.body.data.url, `http://${domain.hostname}/lima`)
    assert.equal((await owner.post('/links', { ...link, slug: 'ana' })).status, 201)
    const shared = await owner.patch(`/bio-pages/${page.id}`, { domainId: null })
    assert.equal(shared.body.data.url, `${world.origin}/p/lima`)
    assert.equal((await owner.post('/links', { ...link, slug: 'lima' })).status, 201)
    await refused(await world.member(), { slug: 'LIMA' }, 409, 'slug')
  })

  await t.test('one page is at the root of a domain without a rootRedirectUrl', async () => {
    const owner = await world.member()
    const { id: domainId, hostname } = await addDomain(world, owner)
    await refused(owner, { isRoot: true }, 400, 'isRoot')
    const page = await create(owner, { domainId, isRoot: true })
    assert.equal(page.url, `http://${hostname}/`)
    await refused(owner, { domainId, isRoot: true }, 409, 'isRoot')
    const rootRedirectUrl = 'https://example.com/'
    const set = await owner.patch(`/domains/${domainId}`, { rootRedirectUrl })
    assert.deepEqual(
      [set.status, set.body.error?.details[0].path],
      [400, 'rootRedirectUrl'],
      JSON.stringify(set.body),
    )
    await owner.patch(`/bio-pages/${page.id}`, { isRoot: false })
    assert.equal((await owner.patch(`/domains/${domainId}`, { rootRedirectUrl })).status, 200)
    await refused(owner, { domainId, isRoot: true }, 400, 'isRoot')
  })

  await t.test('a domain with pages is deleted by force, which moves them', async () => {
    const owner = await world.member()
    const { id: domainId } = await addDomain(world, owner)
    const page = await create(owner, { domainId, isRoot: true })
    assert.equal((await owner.delete(`/domains/${domainId}`)).status, 409)
    const deleted = await owner.delete(`/domains/${domainId}?force=true`)
    assert.equal(deleted.status, 204, JSON.stringify(deleted.body))
    const { data } = (await owner.get(`/bio-pages/${page.id}`)).body
    assert.deepEqual(
      [data.domainId, data.isRoot, data.url],
      [null, false, `${world.origin}/p/${page.slug}`],
    )
  })

  await t.test('bad input is refused with its path', async () => {
    const owner = await world.member()
    const page = (blocks: object[]) => ({ blocks })
    const third = (block: object) => page([LINK, LINK, LINK, block])
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'JaVa\nscript:alert(1)', '//x']) {
      for (const type of ['link', 'embed'] as const)
        await refused(owner, third({ ...LINK, type, url }), 400, 'blocks.3.url')
      await refused(owner, third({ type: 'social', icon: 'x', url }), 400, 'blocks.3.url')
      const mediaId = await image(owner)
      await refused(owner, third({ type: 'image', mediaId, url }), 400, 'blocks.3.url')
      await refused(owner, { socials: [{ platform: 'x', url }] }, 400, 'socials.0.url')
    }
    const times = { startsAt: '2026-05-01T00:00:00Z', endsAt: '2026-04-01T00:00:00Z' }
    await refused(owner, third({ ...LINK, ...times }), 400, 'blocks.3.endsAt')
    await refused(owner, third({ ...LINK, title: ' ' }), 400, 'blocks.3.title')
    await refused(owner, third({ ...LINK, icon: '<b>' }), 400, 'blocks.3.icon')
    await refused(owner, third({ type: 'social', icon: 'q', url: LINK.url }), 400, 'blocks.3.icon')
    await refused(owner, third({ type: 'link', title: 'x' }), 400, 'blocks.3.url')
    await refused(owner, third({ type: 'image' }), 400, 'blocks.3.mediaId')
    await refused(owner, third({ ...LINK, linkId: 'lnk_unknown' }), 400, 'blocks.3.linkId')
    await refused(owner, third({ type: 'image', mediaId: 'med_x' }), 400, 'blocks.3.mediaId')
    await refused(owner, { avatarMediaId: 'med_unknown' }, 400, 'avatarMediaId')
    await refused(owner, { seo: { imageMediaId: 'med_unknown' } }, 400, 'seo.imageMediaId')
    await refused(owner, { domainId: 'dom_unknown' }, 400, 'domainId')
    await refused(owner, page(copies(201, HEADER)), 400, 'blocks')
    const white = { background: '#ffffff', text: '#ffffff' }
    await refused(owner, { theme: white }, 400, 'theme.text')
    await refused(owner, { theme: { background: '#1b2321' } }, 400, 'theme.background')
    await refused(owner, { theme: { accent: 'red' } }, 400, 'theme.accent')
    await refused(owner, { slug: 'a b' }, 400, 'slug')
    await refused(owner, { slug: '../x' }, 400, 'slug')
    const large = { type: 'text', title: 'x'.repeat(2_000) }
    await refused(owner, page(copies(60, large)), 400, 'blocks')
    const { total } = (await owner.get('/links')).body.meta
    assert.deepEqual([(await owner.get('/bio-pages')).body.meta.total, total], [0, 0])
    const most = await create(owner, page(copies(200, HEADER)))
    assert.equal(most.blocks.length, 200)
  })

  await t.test('URLs at a blocked host are refused in every block', async () => {
    const owner = await world.member()
    await world.sql`
      insert into blocks (id, kind, value, created_by, created_at, pass_at)
      values ('blo_host', 'host', 'blocked.example', 'operator', now(), now())`
    const url = 'https://www.blocked.example/x'
    await refused(owner, { socials: [{ platform: 'x', url }] }, 400, 'socials.0.url')
    for (const block of [
      { ...LINK, url },
      { type: 'embed', url },
      { type: 'social', icon: 'x', url },
    ])
      await refused(owner, { blocks: [LINK, block] }, 400, 'blocks.1.url')
  })

  await t.test('ids of another workspace are refused wherever they are', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const mediaId = await image(other)
    const link = (await other.post('/links', { name: 'L', destinationUrl: LINK.url })).body.data
    const { id: domainId } = await addDomain(world, other)
    await refused(owner, { blocks: [{ ...LINK, linkId: link.id }] }, 403, 'blocks.0.linkId')
    await refused(owner, { blocks: [{ type: 'image', mediaId }] }, 403, 'blocks.0.mediaId')
    await refused(owner, { avatarMediaId: mediaId }, 403, 'avatarMediaId')
    await refused(owner, { seo: { imageMediaId: mediaId } }, 403, 'seo.imageMediaId')
    await refused(owner, { domainId }, 403, 'domainId')
    const page = await create(owner)
    const patched = await owner.patch(`/bio-pages/${page.id}`, {
      blocks: [{ type: 'link', title: 'x', linkId: link.id }],
    })
    assert.equal(patched.status, 403)
  })

  await t.test('a preview is the page after an update, which it does not make', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const page = await create(owner, { blocks: [LINK], theme: { preset: 'ocean' } })
    const path = `/bio-pages/${page.id}/preview`
    const body = {
      title: 'Ana <b>',
      avatarMediaId: await image(owner),
      blocks: [page.blocks[0], { ...LINK, title: 'New' }, { ...HEADER, enabled: false }],
    }
    const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
    const answer = await viewer.post(path, body)
    assert.equal(answer.status, 200, answer.text)
    const { nodes, style } = answer.body.data as {
      style: string
      nodes: { parent: number | null; tag: string; attributes: { href?: string }; text: string }[]
    }
    assert.match(style, /^\n:host\{color-scheme:light;--top:#/)
    assert.deepEqual(
      nodes.flatMap(({ text }) => text || []),
      ['Ana <b>', 'Shop', 'New'],
    )
    const links = nodes.filter(({ tag }) => tag === 'a')
    assert.deepEqual(
      links.map(({ attributes }) => attributes.href),
      [new URL(page.blocks[0].shortUrl).pathname, LINK.url],
    )
    assert.ok(nodes.every(({ parent }, place) => (parent ?? -1) < place))
    assert.deepEqual((await owner.get(`/bio-pages/${page.id}`)).body.data, page)
    assert.equal((await owner.get('/links')).body.meta.total, 1)

    const foreign = await other.post('/links', { name: 'L', destinationUrl: LINK.url })
    const blocks = [{ type: 'link', title: 'x', linkId: foreign.body.data.id }]
    const white = { background: '#ffffff', text: '#ffffff' }
    for (const [input, status, at] of [
      [{ blocks }, 403, 'blocks.0.linkId'],
      [{ avatarMediaId: await image(other) }, 403, 'avatarMediaId'],
      [{ blocks: [{ ...LINK, url: 'javascript:alert(1)' }] }, 400, 'blocks.0.url'],
      [{ theme: white }, 400, 'theme.text'],
      [{ isRoot: true }, 400, 'isRoot'],
    ] as const) {
      const { status: given, body: refusal } = await owner.post(path, input)
      assert.deepEqual([given, refusal.error.details[0].path], [status, at])
    }
    assert.equal((await other.post(path, {})).status, 403)
  })

  await t.test('an image is in use while a page shows it', async () => {
    const owner = await world.member()
    const [avatar, picture, card] = [await image(owner), await image(owner), await image(owner)]
    const page = await create(owner, {
      avatarMediaId: avatar,
      blocks: [{ type: 'image', title: 'A bowl', mediaId: picture }],
      seo: { imageMediaId: card },
    })
    for (const id of [avatar, picture, card]) {
      const { data } = (await owner.get(`/media/${id}`)).body
      assert.deepEqual(data.usedBy, [{ type: 'bio_page', id: page.id, name: 'Ana Lima' }])
      assert.equal((await owner.delete(`/media/${id}`)).status, 409)
    }
    const publicStatus = async (id: string) =>
      (await fetch(`${world.origin}/media-public/${id}?size=small`)).status
    assert.equal(await publicStatus(avatar), 404)
    await owner.patch(`/bio-pages/${page.id}`, { status: 'published' })
    assert.equal(await publicStatus(avatar), 200)
    await owner.patch(`/bio-pages/${page.id}`, { avatarMediaId: null })
    assert.equal(await publicStatus(avatar), 404)
    assert.equal(await publicStatus(picture), 200)
    await owner.patch(`/bio-pages/${page.id}`, { status: 'draft' })
    assert.equal(await publicStatus(picture), 404)
    assert.equal((await owner.delete(`/bio-pages/${page.id}`)).status, 204)
    assert.equal((await owner.delete(`/media/${card}`)).status, 204)
  })

  await t.test('a forced deletion takes an image off the pages that show it', async () => {
    const owner = await world.member()
    const [gone, kept] = [await image(owner), await image(owner)]
    const picture = (mediaId: string) => ({ type: 'image', mediaId, title: 'Bowl' })
    const page = await create(owner, {
      avatarMediaId: gone,
      seo: { title: 'Ana', imageMediaId: gone },
      blocks: [picture(gone), LINK, picture(kept), picture(gone)],
    })
    const other = await create(owner, { avatarMediaId: kept, seo: { imageMediaId: gone } })
    const alone = await create(owner, { avatarMediaId: kept })
    assert.equal((await owner.delete(`/media/${gone}?force=true`)).status, 204)
    const get = async ({ id }: { id: string }) => (await owner.get(`/bio-pages/${id}`)).body.data
    const after = await get(page)
    assert.deepEqual(after, {
      ...page,
      ...{ avatarMediaId: null, seo: { ...page.seo, imageMediaId: null } },
      ...{ blocks: [page.blocks[1], page.blocks[2]], updatedAt: after.updatedAt },
    })
    assert.ok(after.updatedAt > page.updatedAt)
    const changedOther = await get(other)
    assert.deepEqual([changedOther.avatarMediaId, changedOther.seo.imageMediaId], [kept, null])
    assert.deepEqual(await get(alone), alone)
    const rows = (await owner.get('/audit-log?action=bio_page.updated')).body.data
    const changesOf = (id: string) =>
      rows
        .filter(({ target }: { target: { id: string } }) => target.id === id)
        .map(({ changes }: { changes: object }) => changes)
    assert.deepEqual(changesOf(page.id), [
      {
        avatarMediaId: { old: gone, new: null },
        seo: { old: page.seo, new: after.seo },
        blocks: { old: 4, new: 2 },
      },
    ])
    assert.deepEqual(changesOf(alone.id), [])
    const { data: used } = (await owner.get(`/media/${kept}`)).body
    assert.equal(used.usedBy.length, 3)
  })

  await t.test('a page cannot begin to show an image that is being deleted', async () => {
    const owner = await world.member()
    const mediaId = await image(owner)
    const page = await create(owner, {})
    const answer = await inTransaction(world.sql, async (tx) => {
      await tx`delete from media where id = ${mediaId}`
      const changing = owner.patch(`/bio-pages/${page.id}`, { avatarMediaId: mediaId })
      await eventually(async () => {
        const waiting = await world.sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%media%'`
        assert.equal(waiting.length, 1)
      })
      return { changing }
    })
    const { status, body } = await answer.changing
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(body.error.details[0].path, 'avatarMediaId')
  })

  await t.test(
    'links of blocks count against the plan, and a refused one leaves nothing',
    async () => {
      const owner = await world.member()
      await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
      const blocks = Array.from({ length: 100 }, () => LINK)
      const answer = await owner.post('/bio-pages', { slug: freshSlug(), title: 'x', blocks })
      assert.deepEqual(
        [answer.status, answer.body.error?.code, answer.body.error?.details?.limit],
        [403, 'PLAN_LIMIT_REACHED', 'links_monthly'],
        JSON.stringify(answer.body),
      )
      assert.equal((await owner.get('/links')).body.meta.total, 0)
      assert.equal((await owner.get('/bio-pages')).body.meta.total, 0)
    },
  )
})
