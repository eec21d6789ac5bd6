import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'

const LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
/** More links than one piece has. */
const MANY = 2_300

type Row = Record<string, unknown>

test('changes of many links by a job', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const make = async (member: Member, fields: object) => {
    const { status, body } = await member.post('/links', { ...LINK, ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const pathOf = (tag: string) => `/tags/${encodeURIComponent(tag)}`
  const tagsOf = async (member: Member, query = '') => {
    const { status, body } = await member.get(`/tags?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return [
      body.meta.total,
      ...body.data.map(({ name, links }: Row) => `${String(name)}: ${String(links)}`),
    ]
  }
  const totalOf = async (member: Member, query: string) =>
    (await member.get(`/links?${query}`)).body.meta.total
  const readLink = async (member: Member, id: string) =>
    (await member.get(`/links/${id}`)).body.data
  const addMany = async ({ workspaceId }: Member, fields: object) => {
    const { tags = null, folderId = null, campaignId = null } = fields as Record<string, never>
    await sql`
      insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by,
        created_at, updated_at, tags, folder_id, campaign_id)
      select ${workspaceId} || i, ${workspaceId}, i, ${workspaceId} || i, lower(${workspaceId} || i),
        'https://example.com/', 'usr_1', now() - interval '1 hour', now(), ${tags}::text[],
        ${folderId}::text, ${campaignId}::text
      from generate_series(1, ${MANY}::integer) as i`
  }
  /** Locks one of the links, so that a job cannot end, until the returned function is called. */
  const lockOne = async ({ workspaceId }: Member) => {
    const released = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = inTransaction(sql, async (tx) => {
      await tx`select from links where id = ${`${workspaceId}7`} for update`
      locked.resolve()
      await released.promise
    })
    await locked.promise
    return async () => {
      released.resolve()
      await holding
    }
  }

  await t.test('a tag of many links is changed by a job, and each link once', async () => {
    const owner = await world.member()
    await addMany(owner, { tags: ['old', 'kept'] })
    const release = await lockOne(owner)
    // A busy machine takes longer than an answer may; nothing is changed then.
    const { body } = await eventually(async () => {
      const answer = await owner.patch(pathOf('old'), { name: 'new' })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer
    })
    assert.deepEqual(body.data, { name: 'new', links: 1_000, pending: MANY - 1_000 })
    const later = await (world.clock.advance(1_000), make(owner, { tags: ['old'] }))
    await eventually(async () => assert.equal(await totalOf(owner, 'tag=old'), 2))
    const refused = [
      await owner.patch(pathOf('kept'), { name: 'other' }),
      await owner.delete(pathOf('new')),
    ]
    for (const { status: refusal, body: answer } of refused)
      assert.deepEqual([refusal, answer.error.code], [409, 'CONFLICT'])
    await release()
    await eventually(async () => assert.equal(await totalOf(owner, 'tag=old'), 1))
    assert.deepEqual((await readLink(owner, later.id)).tags, ['old'])
    assert.deepEqual(await tagsOf(owner), [3, `kept: ${MANY}`, `new: ${MANY}`, 'old: 1'])
    const wrong = await sql`
      select from links where workspace_id = ${owner.workspaceId}
        and tags is distinct from '{new,kept}' and id <> ${later.id}`
    assert.equal(wrong.length, 0)
    await eventually(async () => assert.equal((await owner.delete(pathOf('kept'))).status, 204))
    await eventually(async () =>
      assert.deepEqual(await tagsOf(owner), [2, `new: ${MANY}`, 'old: 1']),
    )
  })

  for (const [path, field, column] of [
    ['/folders', 'folderId', 'folder_id'],
    ['/campaigns', 'campaignId', 'campaign_id'],
  ] as const)
    await t.test(`a deletion in ${path} clears the field of many links by a job`, async () => {
      const owner = await world.member()
      const [gone, kept] = [
        (await owner.post(path, { name: 'Gone' })).body.data,
        (await owner.post(path, { name: 'Kept' })).body.data,
      ]
      const link = await make(owner, { [field]: kept.id })
      await addMany(owner, { [field]: gone.id })
      const release = await lockOne(owner)
      assert.equal((await owner.delete(`${path}/${gone.id}`)).status, 204)
      assert.equal(await totalOf(owner, `${field}=${gone.id}`), 0)
      assert.equal((await readLink(owner, `${owner.workspaceId}7`))[field], null)
      const left = async () => {
        const [row] = await sql<{ n: number }[]>`
          select count(*) as n from links
          where workspace_id = ${owner.workspaceId} and ${sql(column)} = ${gone.id}`
        return row!.n
      }
      await eventually(async () => assert.equal(await left(), 1))
      await release()
      await eventually(async () => assert.equal(await left(), 0))
      assert.equal((await readLink(owner, link.id))[field], kept.id)
      const { body } = await owner.get(`${path}/${kept.id}`)
      assert.equal(body.data.links ?? body.data.linkCount, 1)
    })
})
