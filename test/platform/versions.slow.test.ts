import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVersioned } from '../../src/platform/routes/route.ts'
import { openWorld, type Member } from '../support/world.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
const HOOK = { url: 'https://192.0.43.8/hook', events: ['*'], status: 'paused' }

let serial = 0

/** The resources that a key can make, and two changes of each. */
const RESOURCES = [
  { path: '/links', input: LINK, changes: [{ name: 'A' }, { tags: ['b'] }] },
  { path: '/folders', input: { name: 'Flyers' }, changes: [{ name: 'A' }, { name: 'B' }] },
  { path: '/campaigns', input: { name: 'Autumn' }, changes: [{ name: 'A' }, { utmTerm: 'b' }] },
  { path: '/utm-templates', input: { name: 'Mail' }, changes: [{ name: 'A' }, { utmTerm: 'b' }] },
  {
    path: '/bio-pages',
    get input() {
      return { slug: `page-${++serial}`, title: 'Ana' }
    },
    changes: [{ description: 'A' }, { title: 'B' }],
  },
  {
    path: '/webhooks/endpoints',
    input: HOOK,
    changes: [{ description: 'A' }, { events: ['link.created'] }],
  },
] as const

function patch(caller: Pick<Member, 'send'>, path: string, body: unknown, ifMatch?: string) {
  return caller.send('PATCH', path, body, ifMatch === undefined ? {} : { 'if-match': ifMatch })
}

const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!

test('versions of resources', { concurrency: false }, async (t) => {
  const world = await openWorld(t)

  await t.test('each PATCH of a resource with a version takes If-Match', () => {
    const patches = world.app.routes.filter(
      (row) => row.method === 'PATCH' && row.requires.role !== undefined && isVersioned(row),
    )
    assert.ok(patches.length >= 7)
    assert.deepEqual(
      patches.filter(({ supportsIfMatch }) => !supportsIfMatch).map(({ path }) => path),
      [],
    )
  })

  for (const { path, input, changes } of RESOURCES)
    await t.test(
      `a change of ${path} is made to the version that its client has seen`,
      async () => {
        const owner = await world.member()
        const made = await owner.post(path, input)
        assert.equal(made.status, 201, made.text)
        const one = `${path}/${made.body.data.id}`
        assert.match(tagOf(made), /^"[0-9a-z]+"$/)
        assert.equal(tagOf(await owner.get(one)), tagOf(made))

        const first = await patch(owner, one, changes[0], tagOf(made))
        assert.equal(first.status, 200, first.text)
        assert.notEqual(tagOf(first), tagOf(made))
        assert.equal(tagOf(await owner.get(one)), tagOf(first))

        const stale = await patch(owner, one, changes[1], tagOf(made))
        assert.equal(stale.status, 412, stale.text)
        assert.equal(stale.body.error.code, 'PRECONDITION_FAILED')
        const present = await owner.get(one)
        assert.deepEqual(stale.body.error.details, {
          etag: tagOf(first),
          current: present.body.data,
          present: present.body.data,
        })
        assert.deepEqual(present.body.data, first.body.data)

        const second = await patch(owner, one, changes[1], stale.body.error.details.etag)
        assert.equal(second.status, 200)
        const same = await patch(owner, one, changes[1], tagOf(second))
        assert.deepEqual([same.status, tagOf(same)], [200, tagOf(second)])
      },
    )

  await t.test('of two changes with one ETag exactly one is made', async () => {
    const owner = await world.member()
    for (const { path, input, changes } of RESOURCES) {
      const made = await owner.post(path, input)
      const one = `${path}/${made.body.data.id}`
      let tag = tagOf(made)
      for (let round = 0; round < 3; round++) {
        const field = 'description' in changes[0] ? 'description' : 'name'
        const answers = await Promise.all(
          [1, 2, 3, 4].map((n) => patch(owner, one, { [field]: `${round} by ${n}` }, tag)),
        )
        const statuses = answers.map(({ status }) => status).toSorted()
        assert.deepEqual(statuses, [200, 412, 412, 412], path)
        const winner = answers.find(({ status }) => status === 200)!
        assert.deepEqual((await owner.get(one)).body.data[field], winner.body.data[field])
        tag = tagOf(winner)
      }
    }
  })

  await t.test('a new password, which takes long, is bound to the version too', async () => {
    const owner = await world.member()
    const made = await owner.post('/links', LINK)
    const one = `/links/${made.body.data.id}`
    const answers = await Promise.all(
      ['first', 'second'].map((password) => patch(owner, one, { password }, tagOf(made))),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412])
    assert.doesNotMatch(JSON.stringify(answers.map(({ body }) => body)), /argon2|first|second/)
  })

  await t.test('clicks do not change the version of a link, other settings do', async () => {
    const owner = await world.member()
    const { body, ...made } = await owner.post('/links', LINK)
    const { id } = body.data
    await world.sql`
      insert into link_clicks (link_id, workspace_id, clicks, last_clicked_at)
      values (${id}, ${owner.workspaceId}, 7, now())`
    const read = await owner.get(`/links/${id}`)
    assert.deepEqual([read.body.data.clicks, tagOf(read)], [7, tagOf(made)])
    const tags: string[] = [tagOf(read)]
    const hasChanged = async () => {
      const tag = tagOf(await owner.get(`/links/${id}`))
      assert.ok(!tags.includes(tag))
      tags.push(tag)
    }
    await owner.patch('/links/bulk', { ids: [id], data: { tags: ['old'] } })
    await hasChanged()
    await owner.patch('/tags/old', { name: 'new' })
    await hasChanged()
    await owner.send('PUT', '/links/upsert', { ...LINK, noindex: true })
    await hasChanged()
    const [, entry] = (await owner.get(`/links/${id}/history`)).body.data
    await owner.post(`/links/${id}/rollback`, { historyId: entry.id })
    await hasChanged()
  })

  await t.test('If-Match is a list of tags or a star; anything else is refused', async () => {
    const owner = await world.member()
    const made = await owner.post('/links', LINK)
    const one = `/links/${made.body.data.id}`
    const tag = tagOf(made)
    const good = ['*', tag, `W/${tag}`, `"x", ${tag}`, ` ${tag} ,"y"`, `"",${tag}`]
    for (const value of good)
      assert.equal((await patch(owner, one, { name: 'Docs' }, value)).status, 200, value)
    for (const value of ['"x"', 'W/"x","y"', '""', `"${tag.slice(1, -2)}"`])
      assert.equal((await patch(owner, one, { name: 'Docs' }, value)).status, 412, value)
    const bad = [tag.slice(1, -1), `${tag},`, `w/${tag}`, '"', `${tag} ${tag}`, `*,${tag}`, ',']
    for (const value of [...bad, '"a",'.repeat(1_000)]) {
      const { status, body } = await patch(owner, one, { name: 'X' }, value)
      assert.deepEqual([status, body.error.details[0].path], [400, 'if-match'], value)
    }
    const gone = await patch(owner, '/links/lnk_0', { name: 'X' }, '*')
    assert.equal(gone.status, 404)
    const [viewer, stranger] = [
      await world.member({ workspaceId: owner.workspaceId, role: 'viewer' }),
      await world.member(),
    ]
    assert.equal((await patch(viewer, one, { name: 'X' }, '"x"')).status, 403)
    assert.equal((await patch(stranger, one, { name: 'X' }, '"x"')).status, 403)
  })

  await t.test('pages of other sites may read the ETag and send it', async () => {
    const owner = await world.member()
    const { body } = await owner.post('/links', LINK)
    const url = `/v1/links/${body.data.id}`
    const origin = 'https://app.example'
    const { headers } = await world.call('GET', url, {
      headers: { origin, authorization: `Bearer ${owner.apiKey}` },
    })
    assert.match(headers.get('access-control-expose-headers')!, /\betag\b/)
    const preflight = await world.call('OPTIONS', url, {
      headers: { origin, 'access-control-request-method': 'PATCH' },
    })
    assert.match(preflight.headers.get('access-control-allow-headers')!, /\bif-match\b/)
  })
})

test('a gateway in front of services passes If-Match and ETag on', async (t) => {
  const world = await openWorld(t, { isPair: true })
  const owner = await world.member()
  const made = await owner.post('/links', LINK)
  const one = `/links/${made.body.data.id}`
  assert.equal((await patch(owner, one, { name: 'A' }, tagOf(made))).status, 200)
  assert.equal((await patch(owner, one, { name: 'B' }, tagOf(made))).status, 412)
})
