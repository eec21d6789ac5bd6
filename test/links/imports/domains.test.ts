import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import { addDomain } from '../../support/fixtures.ts'
import { openImportWorld, toCsv } from '../../support/import-world.ts'

const HEADER = ['name', 'destinationUrl', 'slug', 'domain']
const URL = 'https://example.com/'

test('the domains of an import', { concurrency: false }, async (t) => {
  const world = await openImportWorld(t)
  world.work()
  let serial = 0
  const add = async (workspaceId: string, fields: object = {}) => {
    const hostname = `go-${++serial}.example.com`
    return { id: await addDomain(world.owner, { workspaceId, hostname, ...fields }), hostname }
  }

  await t.test('that the workspace does not have are named once, with their rows', async () => {
    const principal = await world.member()
    const { hostname } = await add(principal.workspaceId)
    const rows = Array.from({ length: 250 }, (_, i) => [
      ...[`Old ${i}`, URL, `old-${i}`],
      i % 5 === 0 ? 'Go.Second.Example' : 'go.old.example',
    ])
    const file = toCsv([HEADER, ...rows, ['Known', URL, 'known', hostname.toUpperCase()]])
    for (const dryRun of [true, false]) {
      const done = await world.run(principal, file, { dryRun })
      assert.deepEqual([done.created, done.failed], [1, 250])
      assert.deepEqual(done.unknownDomains, [
        { domain: 'Go.Second.Example', rows: 50 },
        { domain: 'go.old.example', rows: 200 },
      ])
      assert.deepEqual(
        done.errors.map(({ row, column }) => [row, column]),
        [
          [2, 'domain'],
          [3, 'domain'],
        ],
      )
      assert.match(done.errors[1]!.message, /^go\.old\.example is not a domain .* option domain/)
    }
    const [link] = await world.linksOf(principal)
    assert.equal(link!.domain, hostname)
  })

  await t.test('of another workspace are unknown, by their host and by their id', async () => {
    const [principal, stranger] = [await world.member(), await world.member()]
    const foreign = await add(stranger.workspaceId)
    const file = toCsv([
      [...HEADER, 'domainId'],
      ['A', URL, 'a', foreign.hostname, ''],
      ['B', URL, 'b', '', foreign.id],
    ])
    const done = await world.run(principal, file)
    assert.deepEqual(done.unknownDomains, [
      { domain: foreign.hostname, rows: 1 },
      { domain: foreign.id, rows: 1 },
    ])
    assert.equal(done.failed, 2)
  })

  await t.test('give way to the one that is chosen for all rows', async () => {
    const principal = await world.member()
    const chosen = await add(principal.workspaceId)
    const byDefault = await add(principal.workspaceId, { isDefault: true })
    const file = (slug: string) => toCsv([HEADER, ['A', URL, slug, 'go.old.example']])
    for (const [option, domain] of [
      [chosen.hostname, chosen.hostname],
      ['default', byDefault.hostname],
      ['localhost:3000', 'localhost:3000'],
    ] as const) {
      const slug = `slug-${++serial}`
      const done = await world.run(principal, file(slug), { domain: option })
      assert.deepEqual([done.created, done.domain, done.unknownDomains], [1, option, []])
      const link = (await world.linksOf(principal)).find((each) => each.slug === slug)
      assert.equal(link!.domain, domain)
      // The link is found again on that domain.
      assert.equal((await world.run(principal, file(slug), { domain: option })).skipped, 1)
    }
    await assert.rejects(
      world.start(principal, file('none'), { domain: 'go.old.example' }),
      (error: unknown) => error instanceof ApiError && error.code === 'VALIDATION_ERROR',
    )
  })

  await t.test('decide whether two slugs are the same', async () => {
    const principal = await world.member()
    const cased = await add(principal.workspaceId, { caseSensitive: true })
    const plain = await add(principal.workspaceId, { isDefault: true })
    const done = await world.run(
      principal,
      toCsv([
        HEADER,
        ['A', URL, 'Docs', cased.hostname],
        ['B', URL, 'docs', cased.hostname],
        ['C', URL, 'Docs', plain.hostname],
        ['D', URL, 'docs', ''],
        ['E', URL, 'docs', 'localhost:3000'],
      ]),
    )
    assert.equal(done.created, 4)
    assert.deepEqual(
      done.errors.map(({ row, code }) => [row, code]),
      [[5, 'CONFLICT']],
    )
  })
})
