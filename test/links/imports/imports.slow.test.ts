import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import type { LinkImport } from '../../../src/links/imports/schema.ts'
import { eventually } from '../../support/eventually.ts'
import { openImportWorld, toCsv, type ImportWorld } from '../../support/import-world.ts'
import { IS_LONG } from '../../support/long.ts'

const CHILD = join(import.meta.dirname, '../../support/import-child.ts')
const FILES = join(import.meta.dirname, 'files')
const HEADER = ['name', 'destinationUrl', 'slug']

const countsOf = ({ total, processed, created, updated, skipped, failed }: LinkImport) => ({
  ...{ total, processed, created, updated, skipped, failed },
})

const toRows = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => [
    `${prefix} ${i}`,
    `https://example.com/${i}`,
    `${prefix}-${i}`,
  ])

const conflict = (error: unknown) => error instanceof ApiError && error.code === 'CONFLICT'

/** A digest of all rows that are not of jobs, so that a dry run can be seen to write nothing. */
async function contentsOf({ owner }: ImportWorld): Promise<Record<string, string>> {
  const tables = await owner<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('jobs', 'job_chunks', 'import_rows') order by 1`
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await owner<{ rows: string }[]>`
      select coalesce(string_agg(r::text, ' ' order by r::text), '') as rows from ${owner(name)} r`
    contents[name] = row!.rows
  }
  return contents
}

test('imports', async (t) => {
  const world = await openImportWorld(t)
  world.work()

  await t.test('each row becomes a link, with audit rows and events as for a request', async () => {
    const principal = await world.member()
    const file = toCsv([
      [...HEADER, 'tags', 'expiresAt', 'metadata'],
      ['A', 'https://example.com/a', 'first-a', 'x,y', '2090-01-01', '{"n":1}'],
      ['B', 'https://example.com/b', '', '', '', ''],
    ])
    const started = await world.start(principal, file)
    assert.match(started.id, /^imp_/)
    assert.equal(started.total, 2)
    const done = await world.finished(principal, started.id)
    assert.equal(done.status, 'completed')
    assert.ok(done.completedAt)
    assert.deepEqual(countsOf(done), {
      ...{ total: 2, processed: 2, created: 2, updated: 0, skipped: 0, failed: 0 },
    })
    const [a, b] = await world.linksOf(principal)
    assert.equal(a!.slug, 'first-a')
    assert.deepEqual(a!.tags, ['x', 'y'])
    assert.equal(a!.expiresAt, '2090-01-01T00:00:00.000Z')
    assert.deepEqual(a!.metadata, { n: 1 })
    assert.equal(b!.slug.length, 7)
    const audited = await world.owner`
      select 1 from audit_log where workspace_id = ${principal.workspaceId} and action = 'link.created'
        and actor_id = ${principal.actor.id} and request_id = ${principal.requestId}`
    assert.equal(audited.length, 2)
    assert.equal((await world.owner`select 1 from job_chunks`).length, 0)
  })

  await t.test(
    'plain slugs in a column of short URLs are kept, and each row tells its short URL',
    async () => {
      const principal = await world.member()
      const other = await world.member()
      await world.links.create(other, {
        ...{
          name: 'Theirs',
          destinationUrl: 'https://example.com/theirs',
          slug: 'taken-by-others',
        },
      })
      await world.links.create(principal, {
        ...{ name: 'Ours', destinationUrl: 'https://example.com/ours', slug: 'ours' },
      })
      const cells = [
        ...['summer', 'https://bit.ly/winter', '', 'https://bit.ly/', 'taken-by-others'],
        ...[
          'v1',
          'ours',
          'two words',
          'sale/spring',
          'bit.ly/a, https://bit.ly/b',
          'bit.ly/Straße',
        ],
      ]
      const file = toCsv([
        ['Link', 'Long URL', 'Title', 'Notes'],
        ...cells.map((cell, i) => [cell, `https://example.com/${i}`, `Row ${i}`, 'x']),
      ])
      for (const dryRun of [true, false]) {
        const done = await world.run(principal, file, { dryRun })
        assert.equal(done.source, 'bitly')
        assert.deepEqual(done.columns, [
          { column: 'Link', field: 'shortUrl' },
          { column: 'Long URL', field: 'destinationUrl' },
          { column: 'Title', field: 'name' },
          { column: 'Notes', field: null },
        ])
        const slice = { limit: 100, offset: 0 }
        const { data: rows, meta } = await world.imports.rows(principal, done.id, slice)
        assert.equal(meta.total, cells.length)
        const shown = rows.map(({ row, status, shortUrl, note }) => {
          const path = shortUrl && shortUrl.slice('http://localhost:3000/'.length)
          return [row, status, path, note] as const
        })
        const random = 'The file has no slug for it, so it gets a random one.'
        const atBitly = 'The file has it at bit.ly.'
        const path = shown[2]![2]
        if (dryRun) assert.equal(path, null)
        else assert.match(path!, /^[2-9a-z]{7}$/)
        assert.deepEqual(shown.slice(0, 3), [
          [2, 'created', 'summer', null],
          [3, 'created', 'winter', atBitly],
          [4, 'created', path, random],
        ])
        assert.deepEqual(shown.slice(6), [
          [8, 'skipped', 'ours', 'A link with this slug exists and is left alone.'],
          [9, 'failed', null, shown[7]![3]],
          [10, 'created', 'sale/spring', null],
          [
            11,
            'created',
            'a',
            `${atBitly} The file has 2 short URLs for it; the first one is kept.`,
          ],
          [12, 'created', 'Stra%C3%9Fe', atBitly],
        ])
        for (const [at, why] of [
          [3, /^Link has a host but no path/],
          [4, /taken/],
          [5, /"v1" is reserved/],
          [7, /letters, digits, emoji/],
        ] as const) {
          assert.deepEqual(shown[at]!.slice(1, 3), ['failed', null])
          assert.match(shown[at]![3]!, why)
        }
        assert.equal(rows[0]!.destinationUrl, 'https://example.com/0')
        const failed = await world.imports.rows(principal, done.id, {
          ...slice,
          status: 'failed',
          limit: 2,
        })
        assert.deepEqual([failed.data.length, failed.meta.total], [2, 4])
        const foreign = await world.imports.rows(other, done.id, slice)
        assert.equal(foreign.meta.total, 0)
        if (dryRun) continue
        const slugs = (await world.linksOf(principal)).map(({ slug }) => slug)
        for (const kept of ['summer', 'winter', 'sale/spring', 'a', 'Straße'])
          assert.ok(slugs.includes(kept))
      }
      const kept = await world.owner<{ jobs: number }[]>`
      select count(distinct job_id) as jobs from import_rows where workspace_id = ${principal.workspaceId}`
      assert.equal(kept[0]!.jobs, 1, 'only the rows of the newest import are kept')
    },
  )

  await t.test('many rows are told, a page at a time', async () => {
    const principal = await world.member()
    const done = await world.run(principal, toCsv([HEADER, ...toRows(1_500, 'many')]), {
      dryRun: true,
    })
    const page = await world.imports.rows(principal, done.id, { limit: 1_000, offset: 1_450 })
    assert.deepEqual([page.data.length, page.meta.total], [50, 1_500])
    assert.equal(page.data.at(-1)!.shortUrl, 'http://localhost:3000/many-1499')
    const first = await world.imports.rows(principal, done.id, { limit: 1_000, offset: 0 })
    assert.equal(first.data.length, 100)
  })

  await t.test('columns are recognized before a file is sent', () => {
    const { recognizeColumns } = world.imports
    assert.deepEqual(recognizeColumns({ columns: [' Link ', 'Long URL', 'Notes'] }), {
      source: 'bitly',
      columns: [
        { column: 'Link', field: 'shortUrl' },
        { column: 'Long URL', field: 'destinationUrl' },
        { column: 'Notes', field: null },
      ],
      missing: [],
    })
    const mapped = recognizeColumns({
      columns: ['Link', 'Long URL', 'Target', 'name'],
      source: 'csv',
      mapping: '{"Target":"destinationUrl","name":null}',
    })
    assert.deepEqual(mapped.missing, ['name'])
    assert.deepEqual(
      mapped.columns.map(({ field }) => field),
      [null, null, 'destinationUrl', null],
    )
    assert.throws(
      () => recognizeColumns({ columns: ['a'], mapping: '{"b":"slug"}' }),
      /which the file does not have/,
    )
  })

  await t.test('a refused row says what to change, and the others are imported', async () => {
    const principal = await world.member()
    const other = await world.member()
    await world.links.create(other, {
      name: 'Taken',
      destinationUrl: 'https://example.com/',
      slug: 'taken-by-another',
    })
    const file = toCsv([
      ['Name', 'Destination URL', 'slug', 'Redirect type', 'folderId', 'password', 'campaign'],
      ['A', 'ftp://example.com', '', '', '', '', ''],
      ['B', 'https://example.com', 'bad//slug', '', '', '', ''],
      ['C', 'https://example.com', 'taken-by-another', '', '', '', ''],
      ['D', 'https://example.com', '', '305', '', '', ''],
      ['E', 'https://example.com', '', '', 'fld_01ARZ3NDEKTSV4RRFFQ69G5FAV', '', ''],
      ['F', 'https://example.com', '', '', '', '********', ''],
      ['G', 'https://example.com', 'twice', '', '', '', ''],
      ['H', 'https://example.com', 'Twice', '', '', '', ''],
      ['I', 'https://example.com', '', '', '', '', 'No such campaign'],
      ['J', 'https://example.com', '', '', '', '', '', 'shifted'],
      ['', 'https://example.com', '', '', '', '', ''],
    ])
    const done = await world.run(principal, file)
    assert.equal(done.status, 'completed')
    assert.deepEqual(
      done.errors.map(({ row, column, code }) => [row, column, code]),
      [
        [2, 'Destination URL', 'VALIDATION_ERROR'],
        [3, 'slug', 'VALIDATION_ERROR'],
        [4, 'slug', 'CONFLICT'],
        [5, 'Redirect type', 'VALIDATION_ERROR'],
        [6, 'folderId', 'VALIDATION_ERROR'],
        [7, 'password', 'VALIDATION_ERROR'],
        [9, 'slug', 'CONFLICT'],
        [10, 'campaign', 'VALIDATION_ERROR'],
        [11, null, 'VALIDATION_ERROR'],
        [12, 'Name', 'VALIDATION_ERROR'],
      ],
    )
    assert.match(done.errors[6]!.message, /Row 8/)
    assert.deepEqual(countsOf(done), {
      ...{ total: 11, processed: 11, created: 1, updated: 0, skipped: 0, failed: 10 },
    })
    assert.equal((await world.linksOf(principal))[0]!.name, 'G')
  })

  await t.test('an existing link is left alone or updated, by externalId, slug or id', async () => {
    const principal = await world.member()
    const make = (name: string, rest: object) =>
      world.links.create(principal, { name, destinationUrl: 'https://example.com/old', ...rest })
    await make('one', { externalId: 'crm-1', slug: 'c-one' })
    await make('two', { slug: 'c-two' })
    const third = await make('three', {})
    const file = toCsv([
      ['id', 'externalId', 'name', 'destinationUrl', 'slug'],
      ['', 'crm-1', 'one', 'https://example.com/new', 'c-one-renamed'],
      ['', '', 'two', 'https://example.com/new', 'C-TWO'],
      [third.id, '', 'three', 'https://example.com/new', ''],
      ['', '', 'two and a half', 'https://example.com/new', 'c-four'],
    ])
    const skipped = await world.run(principal, file)
    assert.deepEqual(countsOf(skipped), {
      ...{ total: 4, processed: 4, created: 1, updated: 0, skipped: 3, failed: 0 },
    })
    const updated = await world.run(principal, file, { onConflict: 'update' })
    assert.deepEqual(countsOf(updated), {
      ...{ total: 4, processed: 4, created: 0, updated: 3, skipped: 1, failed: 0 },
    })
    const links = await world.linksOf(principal)
    assert.deepEqual(
      links.map(({ destinationUrl }) => destinationUrl),
      Array.from({ length: 4 }, () => 'https://example.com/new'),
    )
    const again = await world.run(principal, file, { onConflict: 'update' })
    assert.equal(again.skipped, 4)
    assert.equal(again.updated, 0)
  })

  await t.test(
    'a dry run writes nothing and gives the counts and errors of the import',
    async () => {
      const principal = await world.member('free')
      await world.links.create(principal, {
        name: 'x',
        destinationUrl: 'https://example.com',
        slug: 'dry-exists',
      })
      // The plan has 24 links left; the rows are in two pieces.
      const rows = toRows(230, 'dry')
      const broken = rows.map((row, i) =>
        i % 10 === 9 || i > 30 ? [row[0]!, 'nowhere', row[2]!] : row,
      )
      const good = broken.slice(0, 200)
      const file = toCsv([
        [...HEADER, 'folder'],
        ...good.map((row, i) => [...row, i < 3 ? 'New folder' : '']),
        ['x', 'https://example.com/other', 'dry-exists', ''],
        ...toRows(6, 'dry-late').map((row) => [...row, '']),
      ])
      const before = await contentsOf(world)
      const dry = await world.run(principal, file, { dryRun: true })
      assert.deepEqual(await contentsOf(world), before)
      const real = await world.run(principal, file)
      assert.deepEqual(countsOf(dry), countsOf(real))
      assert.deepEqual(dry.errors, real.errors)
      assert.equal(real.created, 24)
      assert.equal(real.skipped, 1)
      assert.ok(real.failed > 100)
    },
  )

  await t.test('rows beyond the limit of the plan fail, and those before are created', async () => {
    const principal = await world.member('free')
    const done = await world.run(principal, toCsv([HEADER, ...toRows(30, 'plan')]))
    assert.equal(done.created, 25)
    assert.deepEqual(
      done.errors.map(({ row, column, code }) => [row, column, code]),
      [27, 28, 29, 30, 31].map((row) => [row, null, 'PLAN_LIMIT_REACHED']),
    )
  })

  await t.test('a password is hashed, and waits sealed for the worker', async () => {
    const principal = await world.member()
    const { stop } = { stop: () => world.owner`update workspaces set suspended_at = now()` }
    await stop()
    const secret = 'quiet harbour lamp 4711'
    const file = toCsv([
      [...HEADER, 'password'],
      ['P', 'https://example.com', 'with-password', secret],
    ])
    const { id } = await world.start(principal, file)
    const [chunk] = await world.owner<{ text: string }[]>`
      select content::text as text from job_chunks where job_id = ${id}`
    assert.doesNotMatch(chunk!.text, /harbour/)
    await world.owner`update workspaces set suspended_at = null`
    assert.equal((await world.finished(principal, id)).created, 1)
    const [link] = await world.linksOf(principal)
    assert.equal(link!.password, '********')
    const update = toCsv([
      [...HEADER, 'password'],
      ['P2', 'https://example.com', 'with-password', '********'],
    ])
    const [before] = await world.owner`select password_hash from links where id = ${link!.id}`
    const done = await world.run(principal, update, { onConflict: 'update' })
    assert.equal(done.updated, 1)
    const [after] = await world.owner`select password_hash from links where id = ${link!.id}`
    assert.deepEqual(after, before)
  })

  await t.test('folders are found or created by their names', async () => {
    const principal = await world.member()
    const file = (name: string, slug: string) =>
      toCsv([
        [...HEADER, 'folderId'],
        ['F', 'https://example.com', slug, name],
      ])
    await world.run(principal, file('Printed', 'folder-one'))
    await world.run(principal, file('PRINTED', 'folder-two'))
    const folders =
      await world.owner`select id from folders where workspace_id = ${principal.workspaceId}`
    assert.equal(folders.length, 1)
    for (const { folderId } of await world.linksOf(principal))
      assert.equal(folderId, folders[0]!['id'])
  })

  await t.test(
    'clicks of another service are stored once, however often a file comes',
    async () => {
      const principal = await world.member()
      const file = readFileSync(join(FILES, 'rebrandly.csv'))
      const rows = () => world.owner`
      select l.slug, c.source, c.day::text, c.clicks, c.dimension, c.label
      from imported_clicks c join links l on l.id = c.link_id
      where c.workspace_id = ${principal.workspaceId} and replaced_by is null order by 1`
      assert.equal((await world.run(principal, file)).created, 2)
      const first = await rows()
      assert.deepEqual(
        first.map((row) => ({ ...row })),
        [
          {
            ...{ slug: 'contact', source: 'rebrandly', day: null, clicks: 7 },
            ...{ dimension: null, label: null },
          },
          {
            ...{ slug: 'prices', source: 'rebrandly', day: null, clicks: 42 },
            ...{ dimension: null, label: null },
          },
        ],
      )
      await world.run(principal, file, { onConflict: 'update' })
      await world.run(principal, file)
      assert.deepEqual(await rows(), first)
    },
  )

  await t.test('a second import waits for none: it is refused, also in parallel', async () => {
    const principal = await world.member()
    const file = toCsv([HEADER, ...toRows(400, 'one-at-a-time')])
    const results = await Promise.allSettled([1, 2, 3].map(() => world.start(principal, file)))
    const started = results.filter((result) => result.status === 'fulfilled')
    assert.equal(started.length, 1)
    for (const result of results)
      if (result.status === 'rejected') assert.ok(conflict(result.reason))
    await world.finished(principal, started[0]!.value.id)
    assert.equal((await world.run(principal, file)).skipped, 400)
  })

  await t.test('an import can be canceled, and not twice', async () => {
    const principal = await world.member()
    const { id } = await world.start(principal, toCsv([HEADER, ...toRows(5_000, 'cancel')]))
    await eventually(async () => {
      assert.ok((await world.imports.get(principal, id)).processed > 0)
    })
    const canceled = await world.imports.cancel(principal, id)
    assert.equal(canceled.status, 'canceled')
    await assert.rejects(world.imports.cancel(principal, id), conflict)
    await world.run(principal, toCsv([HEADER, ...toRows(1, 'after-cancel')]))
    const { processed, created } = await world.imports.get(principal, id)
    const links = await world.owner`
      select 1 from links where workspace_id = ${principal.workspaceId} and slug like 'cancel-%'`
    assert.deepEqual([created, links.length], [processed, processed])
  })

  await t.test('an import says whether there is something to undo', async () => {
    const principal = await world.member()
    const file = toCsv([HEADER, ...toRows(2, 'undone')])
    assert.equal((await world.run(principal, file, { dryRun: true })).canUndo, false)
    const started = await world.start(principal, file)
    assert.equal(started.canUndo, false)
    assert.equal((await world.finished(principal, started.id)).canUndo, true)
    const listed = async () =>
      (await world.imports.list(principal, { limit: 5, offset: 0 })).data.map(
        ({ canUndo }) => canUndo,
      )
    assert.deepEqual(await listed(), [true, false])
    await world.imports.undo(principal, started.id)
    assert.equal((await world.imports.get(principal, started.id)).canUndo, false)
    assert.deepEqual(await listed(), [false, false])
    const { id } = await world.run(principal, toCsv([HEADER, ...toRows(1, 'old')]))
    await world.owner`
      update link_versions set changed_at = now() - interval '2 hours' where operation_id = ${id}`
    assert.equal((await world.imports.get(principal, id)).canUndo, false)
  })

  await t.test('a workspace sees its own imports alone', async () => {
    const [principal, stranger] = [await world.member(), await world.member()]
    const { id } = await world.run(principal, toCsv([HEADER, ...toRows(1, 'own')]))
    const { data } = await world.imports.list(principal, { limit: 50, offset: 0 })
    assert.deepEqual(
      data.map((each) => each.id),
      [id],
    )
    assert.deepEqual((await world.imports.list(stranger, { limit: 50, offset: 0 })).data, [])
    await assert.rejects(world.imports.find(stranger, { id }), { code: 'FORBIDDEN' })
  })

  await t.test('a large import of one workspace leaves that of another running', async () => {
    const large = await Promise.all([world.member(), world.member(), world.member()])
    const principal = await world.member()
    const files = large.map((_, n) => toCsv([HEADER, ...toRows(10_000, `large-${n}`)]))
    const started = await Promise.all(large.map((each, n) => world.start(each, files[n]!)))
    const done = await world.run(principal, toCsv([HEADER, ...toRows(20, 'small')]))
    assert.equal(done.created, 20)
    for (const [n, { id }] of started.entries()) {
      const { status } = await world.imports.get(large[n]!, id)
      assert.ok(status === 'processing' || status === 'pending', status)
      await world.imports.cancel(large[n]!, id)
    }
  })
})

test('killed workers repeat no row of an import and miss none', async (t) => {
  const world = await openImportWorld(t)
  const principal = await world.member()
  const rows = IS_LONG ? 10_000 : 3_000
  const { id } = await world.start(principal, toCsv([HEADER, ...toRows(rows, 'killed')]))
  const processed = async () => (await world.imports.get(principal, id)).processed
  for (let kills = 0; kills < 3; kills++) {
    const child = spawn(process.execPath, [CHILD, world.postgresUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const before = await processed()
    await eventually(async () => assert.ok((await processed()) > before), 60_000, 2)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await world.owner`update jobs set lease_until = now() where owner is not null`
  }
  assert.ok((await processed()) < rows, 'the import ended before the last kill')
  world.work()
  const done = await world.finished(principal, id)
  assert.deepEqual(countsOf(done), {
    ...{ total: rows, processed: rows, created: rows, updated: 0, skipped: 0, failed: 0 },
  })
  const [found] = await world.owner<{ links: number; names: number; audited: number }[]>`
    select count(*) as links, count(distinct name) as names, (
      select count(*) from audit_log where action = 'link.created'
    ) as audited from links`
  assert.deepEqual({ ...found }, { links: rows, names: rows, audited: rows })
})
