import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { createLedger } from '../../../src/clicks/shipping/cursor.ts'
import { createMeters } from '../../../src/clicks/shipping/meters.ts'
import { emptyAbout } from '../../../src/clicks/shipping/rows.ts'
import { shipFolder, type ShipperParts } from '../../../src/clicks/shipping/shipper.ts'
import { createClickTable } from '../../../src/clicks/shipping/table.ts'
import { newBootId, JOURNAL_LOCK, type ClickRecord } from '../../../src/clicks/journal/format.ts'
import { holdLock } from '../../../src/platform/storage/installation/lock.ts'
import { addWorkspace } from '../../support/fixtures.ts'
import {
  CHROME,
  GOOGLEBOT,
  JUST_RIGHT,
  journalFiles,
  judge,
  openBench,
  type Bench,
} from '../../support/shipping-world.ts'
import { selectRows } from '../../support/click-rows.ts'

const never = new AbortController().signal
const parts: ShipperParts = { settleMs: 0 }

function toIds(clicks: readonly ClickRecord[]): string[] {
  return clicks.map((click) => click.clickId)
}

async function select<T>(bench: Bench, query: string): Promise<T[]> {
  return selectRows<T>(bench.clickhouse, query)
}

/** Value of a counter: the sum of all labels, or one label. */
async function metric(registry: Registry, name: string, label?: string): Promise<number> {
  const { values } = await registry.getSingleMetric(name)!.get()
  const wanted = values.filter(({ labels }) => !label || Object.values(labels).includes(label))
  return wanted.reduce((sum, { value }) => sum + value, 0)
}

test('a click is stored with all its fields', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const atMs = Date.UTC(2026, 10, 30, 23, 59, 59, 987)
  const click = bench.click({
    atMs,
    host: 'go.example:3000',
    slug: 'Grüße "🎉"\\',
    destination: 'https://example.com/a?b=c#d',
    utm: ['news', 'mail', 'autumn', 'red shoes', '\u2028'],
    trigger: 'qr',
    referrer: 'https://www.example.org/page',
    language: 'fr-CA,fr;q=0.9',
    domainId: 'dom_1',
    route: 'variant:var_"1"',
  })
  bench.segment(journal, 7, [click])
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)
  const [row] = await select<Record<string, unknown>>(
    bench,
    'select * except visitor, visitor > 0 as has_visitor from clicks',
  )
  assert.deepEqual(row, {
    workspace_id: bench.workspaceId,
    link_id: click.linkId,
    click_id: click.clickId,
    at: '2026-11-30 23:59:59.987',
    segment: `${journal}-7`,
    domain_id: 'dom_1',
    route: 'variant:var_"1"',
    kind: 'human',
    has_visitor: 1,
    host: 'go.example:3000',
    slug: 'Grüße "🎉"\\',
    country: 'DE',
    region: 'unknown',
    city: 'unknown',
    continent: 'EU',
    device: 'desktop',
    browser: 'Chrome',
    os: 'Windows',
    referrer: 'example.org',
    language: 'fr',
    trigger: 'qr',
    utm_source: 'news',
    utm_medium: 'mail',
    utm_campaign: 'autumn',
    utm_term: 'red shoes',
    utm_content: '\u2028',
    destination: 'https://example.com/a?b=c#d',
  })
  const [counter] = await bench.sql`select * from link_clicks`
  assert.deepEqual(counter, {
    linkId: click.linkId,
    workspaceId: bench.workspaceId,
    clicks: 1,
    lastClickedAt: new Date(atMs),
  })
})

test('human clicks are counted; bots, previews and prefetches are stored only', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = [
    bench.click(),
    bench.click({ userAgent: '' }),
    bench.click({ userAgent: 'curl/8.5.0' }),
    bench.click({ userAgent: GOOGLEBOT }),
    bench.click({ userAgent: GOOGLEBOT, isPrefetch: true }),
    bench.click({ userAgent: 'facebookexternalhit/1.1' }),
    bench.click({ userAgent: CHROME, isPrefetch: true }),
  ]
  bench.segment(journal, 1, clicks)
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)
  assert.deepEqual(
    await select(bench, 'select kind, count() as n from clicks group by kind order by kind'),
    [
      { kind: 'human', n: 3 },
      { kind: 'bot', n: 2 },
      { kind: 'preview', n: 1 },
      { kind: 'prefetch', n: 1 },
    ],
  )
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
})

test('every journaled click is shipped, dropped with a reason or quarantined, and counted', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const good = Array.from({ length: 20 }, () => bench.click())
  const refused = Array.from({ length: 3 }, () => bench.click({ slug: 'poison' }))
  const bad = [
    bench.click({ clickId: 'not-a-ulid-not-a-ulid-....' }),
    bench.click({ atMs: Date.UTC(2500, 0), clickId: bench.click().clickId }),
    bench.click({ workspaceId: 'ws_"}\n\0' }),
    bench.click({ workspaceId: 'ws_gone' }),
  ]
  const bot = bench.click({ userAgent: GOOGLEBOT })
  bench.segment(journal, 1, [...good, ...bad, ...refused, bot])
  await bench.clickhouse.command({
    query: "alter table clicks add constraint no_poison check slug != 'poison'",
  })
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)

  assert.deepEqual(await judge(bench, toIds([...good, bot])), JUST_RIGHT)
  const count = (name: string, label?: string) =>
    metric(bench.registry, `signpost_clicks_${name}_total`, label)
  assert.equal(await count('shipped', 'human'), good.length)
  assert.equal(await count('shipped', 'bot'), 1)
  assert.equal(await count('discarded', 'malformed'), 3)
  assert.equal(await count('discarded', 'workspace_gone'), 1)
  assert.equal(await count('quarantined'), refused.length)
  assert.equal(
    (await count('shipped')) + (await count('discarded')) + (await count('quarantined')),
    good.length + bad.length + refused.length + 1,
  )
  const lines = readFileSync(join(bench.quarantineDir, `${journal}-1.jsonl`), 'utf8')
  const aside = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { clickId: string; reason: string; row: string })
  assert.deepEqual(aside.map(({ clickId }) => clickId).toSorted(), toIds(refused).toSorted())
  assert.match(aside[0]!.reason, /no_poison/)
  assert.equal(JSON.parse(aside[0]!.row).slug, 'poison')
  assert.doesNotMatch(lines, /203\.0\.113\./)
})

test('a journal that is shipped twice, or at once from two copies, counts once', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 300 }, () => bench.click())
  for (let i = 0; i < 6; i++) bench.segment(journal, i + 1, clicks.slice(i * 50, i * 50 + 50))
  const folder = join(bench.journalDir, journal)
  const copies = ['a', 'b', 'c'].map((name) => join(bench.journalDir, '..', name, journal))
  for (const copy of copies) cpSync(folder, copy, { recursive: true })
  const ship = (from: string) =>
    shipFolder(from, { ...bench.deps, meters: createMeters(new Registry()) }, never, parts)
  await Promise.all([folder, ...copies.slice(0, 2)].map(ship))
  await ship(copies[2]!)
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
  for (const journalFolder of [folder, ...copies]) assert.equal(existsSync(journalFolder), false)
})

test('a batch is committed once, and counts for links of its workspace alone', async (t) => {
  const bench = await openBench(t)
  const [own, foreign] = bench.linkIds
  const tally = { workspaceId: bench.workspaceId, linkId: own!, clicks: 2, lastMs: Date.now() }
  const ofOther = { ...tally, workspaceId: await addWorkspace(bench.sql), linkId: foreign! }
  const frozen = { chunks: [], about: { ...emptyAbout(), tallies: [tally, ofOther] } }
  const batch = { journalId: newBootId(), sequence: 1, after: 0, frozen, nextThrough: null }
  const ledger = createLedger(bench.deps)
  assert.equal(await ledger.commit(batch), 'committed')
  assert.equal(await ledger.commit(batch), 'fenced')
  const counters = await bench.sql`select link_id, clicks from link_clicks`
  assert.deepEqual([...counters], [{ linkId: own, clicks: 2 }])
})

test('rows that are missing although their token is known are sent under another one', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = [bench.click(), bench.click()]
  bench.segment(journal, 1, clicks)
  const table = createClickTable(bench.clickhouse)
  const tokens: string[] = []
  const stop = new AbortController()
  await shipFolder(join(bench.journalDir, journal), bench.deps, stop.signal, {
    ...parts,
    table: {
      ...table,
      // The first answer is lost; from then on the token is accepted, and nothing is stored under it.
      async insert(chunks, token) {
        if (tokens.push(token) > 5) stop.abort()
        if (tokens.length === 1) throw new Error('no answer')
        if (token !== tokens[0]) await table.insert(chunks, token)
      },
    },
  })
  assert.deepEqual(tokens, [`${journal}-1`, `${journal}-1`, `${journal}-1#2`])
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
})

test('frozen rows are sent even if the steps would give other rows later', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 5 }, () => bench.click())
  bench.segment(journal, 1, clicks)
  const folder = join(bench.journalDir, journal)
  const stop = new AbortController()
  await shipFolder(folder, { ...bench.deps, meters: createMeters(new Registry()) }, stop.signal, {
    fault: (point) => {
      if (point === 'frozen') stop.abort()
      if (point === 'cursor-read') throw new Error('stopped')
    },
  }).catch(() => {})
  assert.deepEqual(journalFiles(bench.journalDir).length, 2)
  const rows = readFileSync(join(folder, '000000000001.rows'), 'utf8')
  assert.doesNotMatch(rows, /203\.0\.113\./)

  const later = {
    ...bench.deps,
    locate: () => ({ country: 'FR', region: '', city: '', continent: '' }),
  }
  await shipFolder(folder, later, never, parts)
  assert.deepEqual(await select(bench, 'select distinct kind, country from clicks'), [
    { kind: 'human', country: 'DE' },
  ])
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
})

test('a rows file that a power loss has torn is made again', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 5 }, () => bench.click())
  bench.segment(journal, 1, clicks)
  bench.segment(journal, 2, [bench.click()])
  const folder = join(bench.journalDir, journal)
  writeFileSync(
    join(folder, '000000000001.rows'),
    '{"version":1,"rows":5,"bytes":99,"crc":1}\n{"cl',
  )
  writeFileSync(join(folder, '000000000002.rows'), '')
  await shipFolder(folder, bench.deps, never, parts)
  assert.equal((await select(bench, 'select 1 from clicks')).length, 6)
})

test('rows that a full disk cannot store are sent from memory', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 5 }, () => bench.click())
  bench.segment(journal, 1, clicks)
  bench.segment(journal, 2, [])
  const folder = join(bench.journalDir, journal)
  // A folder in place of the file makes the write fail, also for root.
  mkdirSync(join(folder, '000000000001.rows.tmp', 'x'), { recursive: true })
  const outcome = shipFolder(folder, bench.deps, never, {
    ...parts,
    fault(point, segment) {
      if (point !== 'frozen' || !segment.endsWith('-1')) return
      assert.equal(existsSync(join(folder, '000000000001.rows')), false)
      rmSync(join(folder, '000000000001.rows.tmp'), { recursive: true })
    },
  })
  assert.equal(await outcome, 2)
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
  assert.equal(existsSync(folder), false)
})

test('the temporary file of a process that died while freezing is removed with the segment', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 5 }, () => bench.click())
  bench.segment(journal, 1, clicks)
  const folder = join(bench.journalDir, journal)
  writeFileSync(join(folder, '000000000001.rows.tmp'), '{"version":1,"rows":5')
  await shipFolder(folder, bench.deps, never, parts)
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
  assert.equal(existsSync(folder), false)
})

test('deleted links and workspaces do not block shipping and get no counters', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const [first, second] = bench.linkIds
  const kept = bench.click({ linkId: first! })
  const deleted = bench.click({ linkId: second! })
  const foreign = bench.click({ workspaceId: 'ws_nobody' })
  bench.segment(journal, 1, [kept, deleted, foreign])
  await bench.sql`delete from links where id = ${second!}`
  await shipFolder(join(bench.journalDir, journal), bench.deps, never, parts)
  const counters = await bench.sql`select link_id, clicks from link_clicks`
  assert.deepEqual([...counters], [{ linkId: first, clicks: 1 }])
  assert.equal((await select(bench, 'select 1 from clicks')).length, 2)

  // Deleted between the steps and the commit: the rows are stored, the counters are skipped.
  const next = newBootId()
  bench.segment(next, 1, [bench.click({ linkId: first! })])
  await shipFolder(
    join(bench.journalDir, next),
    { ...bench.deps, meters: createMeters(new Registry()) },
    never,
    {
      ...parts,
      async fault(point) {
        if (point === 'stored')
          await bench.sql`delete from workspaces where id = ${bench.workspaceId}`
      },
    },
  )
  assert.deepEqual([...(await bench.sql`select link_id from link_clicks`)], [])
  assert.deepEqual(journalFiles(bench.journalDir), [])
})

test('with too many parts it waits, and no row is quarantined', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const clicks = Array.from({ length: 30 }, () => bench.click())
  for (let i = 0; i < 3; i++) bench.segment(journal, i + 1, clicks.slice(i * 10, i * 10 + 10))
  const { clickhouse } = bench
  await clickhouse.command({ query: 'system stop merges clicks' })
  await clickhouse.command({ query: 'alter table clicks modify setting parts_to_throw_insert = 1' })
  const refused = Promise.withResolvers<void>()
  const table = createClickTable(clickhouse)
  const shipping = shipFolder(join(bench.journalDir, journal), bench.deps, never, {
    ...parts,
    table: {
      ...table,
      async insert(chunks, token) {
        await table.insert(chunks, token).catch((error: { code: string }) => {
          assert.equal(error.code, '252')
          refused.resolve()
          throw error
        })
      },
    },
  })
  await refused.promise
  await clickhouse.command({ query: 'alter table clicks reset setting parts_to_throw_insert' })
  await shipping
  assert.deepEqual(await judge(bench, toIds(clicks)), JUST_RIGHT)
  assert.equal(existsSync(bench.quarantineDir), false)
})

test('a journal of a live process is not shipped, and a folder that is not a journal is refused', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  bench.segment(journal, 1, [bench.click()])
  const folder = join(bench.journalDir, journal)
  const lock = holdLock(join(folder, JOURNAL_LOCK), 'process 1 since ever')
  await assert.rejects(
    shipFolder(folder, { ...bench.deps, meters: createMeters(new Registry()) }, never, parts),
    (error: Error) => error instanceof OperatorError && /process 1 since ever/.test(error.message),
  )
  assert.equal(journalFiles(bench.journalDir).length, 1)
  lock.release()
  await assert.rejects(shipFolder(bench.quarantineDir, bench.deps, never), OperatorError)
  assert.equal(await shipFolder(bench.journalDir, bench.deps, never, parts), 1)
  assert.deepEqual(readdirSync(bench.journalDir), [])
})
