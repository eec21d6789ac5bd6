import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugKeyOf } from '../../src/platform/facts/slug.ts'
import { addLink } from '../support/fixtures.ts'
import type { Member } from '../support/world.ts'
import { openDomainsWorld } from '../support/domains-world.ts'

type Row = Record<string, unknown>

test('the links of a domain', { concurrency: false }, async (t) => {
  const world = await openDomainsWorld(t)
  const { sql, claim, freshHost } = world

  /** A link on a domain. */
  const put = async ({ workspaceId }: Member, domainId: string, slug: string, isCased = false) => {
    const id = await addLink(sql, { workspaceId, slug: `${domainId}-${slug}` })
    const key = slugKeyOf(slug, isCased)
    await sql`update links set domain_id = ${domainId}, slug = ${slug}, slug_key = ${key} where id = ${id}`
    await sql`
      update link_addresses set domain_id = ${domainId}, slug = ${slug}, slug_key = ${key}
      where link_id = ${id}`
    return id
  }
  /** An alias of a link, or a slug that a link has left. */
  const reserve = (
    { workspaceId }: Member,
    domainId: string,
    slug: string,
    key: string,
    linkId: string | null,
  ) => sql`
    insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug, is_alias, free_at)
    values (${domainId}, ${key}, ${workspaceId}, ${linkId}, ${slug}, ${linkId !== null},
      ${linkId === null ? new Date(world.clock.now + 86_400_000) : null})`
  const keysOf = async (domainId: string) => {
    const rows = await sql<{ key: string }[]>`
      select slug_key || case when link_id is null then ' freed' else '' end as key
      from link_addresses where domain_id = ${domainId} order by slug_key`
    const links = await sql<{ slugKey: string }[]>`
      select slug_key from links where domain_id = ${domainId} order by slug_key`
    return [rows.map(({ key }) => key), links.map(({ slugKey }) => slugKey)]
  }
  const collisionsOf = (body: { error: { details: Row[] } }) =>
    body.error.details.map(({ slug }) => slug).toSorted()

  await t.test('get other keys with another case rule, and the former ones back', async () => {
    const owner = await world.member()
    const { id } = await claim(owner, freshHost())
    const linkId = await put(owner, id, 'Docs')
    await put(owner, id, 'Straße')
    await put(owner, id, 'plain')
    await reserve(owner, id, 'Handbook', 'handbook', linkId)
    await reserve(owner, id, 'Old', 'old', null)
    assert.equal((await owner.patch(`/domains/${id}`, { caseSensitive: true })).status, 200)
    assert.deepEqual(await keysOf(id), [
      ['Docs', 'Handbook', 'Old freed', 'Straße', 'plain'],
      ['Docs', 'Straße', 'plain'],
    ])
    assert.equal((await owner.patch(`/domains/${id}`, { caseSensitive: false })).status, 200)
    assert.deepEqual(await keysOf(id), [
      ['docs', 'handbook', 'old freed', 'plain', 'strasse'],
      ['docs', 'plain', 'strasse'],
    ])
  })

  await t.test('keep their rule when two of them would be the same', async () => {
    const owner = await world.member()
    const { id } = await claim(owner, freshHost(), { caseSensitive: true })
    for (const slug of ['Docs', 'docs', 'Other']) await put(owner, id, slug, true)
    await reserve(owner, id, 'OTHER', 'OTHER', null)
    const before = await keysOf(id)
    const refused = await owner.patch(`/domains/${id}`, { caseSensitive: false })
    assert.equal(refused.status, 409)
    assert.deepEqual(collisionsOf(refused.body), ['Docs', 'docs'])
    assert.deepEqual(await keysOf(id), before)
    assert.equal((await owner.get(`/domains/${id}`)).body.data.caseSensitive, true)
    await sql`delete from links where domain_id = ${id} and slug = 'docs'`
    await sql`delete from link_addresses where domain_id = ${id} and slug = 'docs'`
    // A slug that a link has left gives way to the one of a link.
    assert.equal((await owner.patch(`/domains/${id}`, { caseSensitive: false })).status, 200)
    assert.deepEqual((await keysOf(id))[0], ['docs', 'other'])
  })

  await t.test('move to the shared host when the domain is deleted with force', async () => {
    const owner = await world.member()
    const { id } = await claim(owner, freshHost(), { caseSensitive: true })
    const linkId = await put(owner, id, 'Sale-of-May', true)
    await reserve(owner, id, 'Alias-of-May', 'Alias-of-May', linkId)
    await reserve(owner, id, 'Left', 'Left', null)
    const refused = await owner.delete(`/domains/${id}`)
    assert.deepEqual([refused.status, refused.body.error.details[0].code], [409, 'in_use'])
    assert.equal((await owner.delete(`/domains/${id}?force=true`)).status, 204)
    const link = (await owner.get(`/links/${linkId}`)).body.data
    assert.partialDeepStrictEqual(link, {
      ...{ domainId: null, slug: 'Sale-of-May', domain: 's.signpost.test' },
      aliases: ['Alias-of-May'],
    })
    assert.deepEqual(await keysOf(id), [[], []])
    const [address] = await sql`
      select link_id from link_addresses where domain_id = '' and slug_key = 'sale-of-may'`
    assert.equal(address!['linkId'], linkId)
    const rows = await sql<{ data: string }[]>`
      select data from events where workspace_id = ${owner.workspaceId} and type = 'link.updated'`
    const [event] = rows.map(({ data }) => JSON.parse(data))
    assert.equal(event.previous.domainId, id)
  })

  await t.test('stay, all of them, when one cannot be on the shared host', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    await addLink(sql, { workspaceId: other.workspaceId, slug: 'taken-by-another' })
    const { id } = await claim(owner, freshHost())
    for (const slug of ['free-there', 'Taken-By-Another', 'login']) await put(owner, id, slug)
    const before = await keysOf(id)
    const refused = await owner.delete(`/domains/${id}?force=true`)
    assert.equal(refused.status, 409)
    assert.deepEqual(collisionsOf(refused.body), ['Taken-By-Another', 'login'])
    assert.deepEqual(await keysOf(id), before)
    assert.equal((await owner.get(`/domains/${id}`)).status, 200)
  })

  await t.test('are not moved when they are too many for one request', async () => {
    const owner = await world.member()
    const { id } = await claim(owner, freshHost())
    await sql`
      insert into links (id, workspace_id, name, slug, slug_key, domain_id, destination_url, created_by,
        created_at, updated_at)
      select ${id} || i, ${owner.workspaceId}, 'Many', 'many' || i, 'many' || i, ${id},
        'https://example.com/', 'usr_1', now(), now()
      from generate_series(1, 1001) as i`
    const refused = await owner.delete(`/domains/${id}?force=true`)
    assert.deepEqual([refused.status, refused.body.error.details[0].code], [409, 'in_use'])
    assert.match(refused.body.error.message, /1000 links/)
  })
})
