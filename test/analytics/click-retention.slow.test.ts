import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { newId, ulid } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { newBootId } from '../../src/clicks/journal/format.ts'
import {
  foldsOf,
  inFolds,
  isNotFolded,
  readFolds,
  toMonth,
} from '../../src/analytics/questions/folds.ts'
import {
  ClickRetention,
  type FoldFault,
  type FoldPoint,
} from '../../src/analytics/retention/retention.ts'
import { deleteClicks } from '../../src/platform/resources/purge-steps.ts'
import { freshDatabases } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { asSystem } from '../support/privileges.ts'
import type { FoldOrders } from '../support/fold-child.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

const CHILD = join(import.meta.dirname, '../support/fold-child.ts')
const NOW = Date.parse('2026-11-21T12:00:00Z')
const DAYS = 365
const PIECE_CLICKS = 20_000
/** The first month that is not past the retention. */
const KEPT = Date.parse('2025-11-01T00:00:00Z')

const GROUPS = {
  visits: [],
  places: ['country', 'region', 'city', 'continent'],
  agents: ['device', 'browser', 'os'],
  sources: ['referrer', 'trigger', 'domain_id', 'route'],
  campaigns: ['language', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  destinations: ['destination'],
}

type Segment = { journal: string; sequence: number }
type Row = Record<string, string | number>

let serial = 0

async function openClicks(t: TestContext) {
  const databases = await freshDatabases(t)
  const { sql, clickhouse } = databases
  const workspaceId = { now: newId('wsp', NOW) }
  const select = async <T = Row>(query: string) => {
    const answer = await clickhouse.query({ query, format: 'JSONEachRow' })
    return answer.json<T>()
  }
  return {
    ...databases,
    workspaceId,
    select,
    /** Stores clicks as the shipper does before it commits their segments. */
    async insert(...pieces: [segment: Segment, count: number, firstMs: number][]) {
      const values = pieces.flatMap(([{ journal, sequence }, count, firstMs]) =>
        Array.from({ length: count }, (_, i) => ({
          ...row(workspaceId.now, ++serial, firstMs + i * 4_000_000),
          segment: `${journal}-${sequence}`,
        })),
      )
      await clickhouse.insert({ table: 'clicks', values, format: 'JSONEachRow' })
    },
    async commit({ journal, sequence }: Segment) {
      await sql`
        insert into journal_cursors values (${journal}, ${sequence}, now())
        on conflict (journal_id) do update set sequence = excluded.sequence`
    },
    retention: (fault?: FoldFault) =>
      new ClickRetention({
        sql: asSystem(sql),
        clickhouse,
        clock: () => NOW,
        log: openLog('silent'),
        days: DAYS,
        graceMs: 0,
        pieceClicks: PIECE_CLICKS,
        ...(fault && { fault }),
      }),
    /** Number of rows of a table, of one UTC month or all. */
    async rowsOf(table: 'clicks' | 'click_days', month?: number) {
      const column = table === 'clicks' ? 'at' : 'day'
      const where = month === undefined ? '' : `where toYYYYMM(${column}) = ${month}`
      return (await select<{ n: number }>(`select count() as n from ${table} ${where}`))[0]!.n
    },
    states: async (month: number) => {
      const rows = await sql<{ state: string }[]>`
        select state from click_folds where month = ${month} order by id`
      return rows.map(({ state }) => state)
    },
  }
}

type Clicks = Awaited<ReturnType<typeof openClicks>>

function row(workspaceId: string, i: number, atMs: number): Row {
  return {
    workspace_id: workspaceId,
    link_id: `lnk_${i % 3}`,
    click_id: ulid(atMs),
    at: new Date(atMs).toISOString().replace('T', ' ').replace('Z', ''),
    kind: ['human', 'human', 'bot', 'preview', 'prefetch', 'view'][i % 6]!,
    visitor: i % 11,
    country: ['DE', 'FR', '', 'US'][i % 4]!,
    region: `R${i % 3}`,
    device: ['mobile', 'desktop'][i % 2]!,
    referrer: ['direct', 'x.com', '__proto__'][i % 3]!,
    trigger: 'link',
    domain_id: ['', 'dom_1'][i % 2]!,
    route: ['default', 'ios'][i % 2]!,
    language: 'de',
    utm_source: ['', 'news', "it's\\"][i % 3]!,
    destination: `https://example.com/${i % 5}`,
  }
}

/** Counts per link, kind, day and label of the workspace, and the visitors, as an answer reads them. */
async function countAll({ sql, select, workspaceId }: Clicks): Promise<string[]> {
  const folds = await readFolds(sql)
  const own = `workspace_id = '${workspaceId.now}'`
  const raw = `${own} and ${isNotFolded(folds) ?? '1'}`
  const statements = Object.entries(GROUPS).map(([group, labels]) => {
    const keys = ['day', 'link_id', 'kind', ...labels].join(', ')
    const days = `union all select ${keys}, clicks as c, workspace_visitors as w, link_visitors as l
      from click_days where ${own} and ${inFolds(folds)} and grp = '${group}'`
    const visitors =
      group === 'visits' ? 'uniqCombined64Merge(14)(w), uniqCombined64Merge(l)' : '0, 0'
    return `
      select '${group}' as grp, toString((${keys})) as labels, sum(c) as n, array(${visitors}) as visitors
      from (
        select toDate(at) as day, ${keys.replace('day, ', '')}, count() as c,
          uniqCombined64StateIf(14)(visitor, visitor != 0) as w,
          uniqCombined64StateIf(visitor, visitor != 0) as l
        from clicks where ${raw} group by ${keys} ${days}
      ) group by ${keys}`
  })
  const rows = await select(statements.join(' union all '))
  return rows.map((each) => JSON.stringify(each)).toSorted()
}

let oldMonths = 0

/** Two journals with committed clicks of two months past the retention, `early` and `month`, and of kept ones. */
async function begin(clicks: Clicks) {
  const atMs = Date.UTC(2025, 9 - 2 * oldMonths++, 10)
  const earlyMs = atMs - 30 * DAY_MS
  clicks.workspaceId.now = newId('wsp', NOW)
  const [one, two] = [newBootId(), newBootId()]
  const segments = [one, two].flatMap((journal) =>
    [1, 2].map((sequence) => ({ journal, sequence })),
  )
  await clicks.insert(
    ...segments.flatMap((segment): [Segment, number, number][] => [
      [segment, 60, atMs],
      [segment, 10, earlyMs],
      [segment, 30, KEPT],
    ]),
  )
  for (const segment of segments) await clicks.commit(segment)
  const [early, month] = [toMonth(earlyMs), toMonth(atMs)]
  return { one, two, atMs, early, month, before: await countAll(clicks) }
}

function start(
  { postgresUrl, clickhouseUrl }: Clicks,
  point: FoldPoint,
  signal: 'SIGKILL' | 'SIGSTOP',
  nth = 1,
) {
  const fault = { point, signal, nth }
  const own = { nowMs: NOW, days: DAYS, pieceClicks: PIECE_CLICKS }
  const orders: FoldOrders = { postgresUrl, clickhouseUrl, ...own, fault }
  return spawn(process.execPath, [...process.execArgv, CHILD, JSON.stringify(orders)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function kill(clicks: Clicks, point: FoldPoint, nth = 1): Promise<void> {
  const [, signal] = await once(start(clicks, point, 'SIGKILL', nth), 'exit')
  assert.equal(signal, 'SIGKILL', `the retention never reached ${point}`)
}

const POINTS: FoldPoint[] = [
  ...(['begun', 'copied a piece', 'copied', 'folded', 'recounted', 'deleting', 'deleted'] as const),
]

test('the retention of clicks', { concurrency: false }, async (t) => {
  const clicks = await openClicks(t)
  const { sql, clickhouse } = clicks

  await t.test('months past it become days, with the same counts and visitors', async () => {
    const { before, early, month } = await begin(clicks)
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before)
    assert.deepEqual([await clicks.states(early), await clicks.states(month)], [['done'], ['done']])
    assert.equal(await clicks.rowsOf('clicks', month), 0)
    assert.equal(await clicks.rowsOf('clicks', 202511), 120, 'a month within it is kept')
    assert.equal(await clicks.rowsOf('click_days', 202511), 0)
    const folds = foldsOf(await readFolds(sql), { startMs: KEPT + 2 * DAY_MS, endMs: NOW })
    assert.deepEqual(folds, [], 'a period of kept months reads no folds')
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before, 'another run changes nothing')
    assert.deepEqual(await clicks.states(month), ['done'])
  })

  for (const point of POINTS)
    await t.test(`every click counts once when it was killed: ${point}`, async () => {
      const { before, month } = await begin(clicks)
      await kill(clicks, point, 2)
      assert.deepEqual(await countAll(clicks), before, 'after the kill')
      await clicks.retention().once()
      assert.deepEqual(await countAll(clicks), before, 'after the next run')
      await clicks.retention().once()
      assert.deepEqual(await countAll(clicks), before)
      assert.equal(await clicks.rowsOf('clicks', month), 0)
      const [stray] = await clicks.select<{ n: number }>(
        `select count() as n from click_days where not (${inFolds(await readFolds(sql))})`,
      )
      assert.equal(stray!.n, 0, 'rows of an attempt that was cut off are dropped')
    })

  await t.test('counts are the same at every point', async () => {
    const { before } = await begin(clicks)
    const seen = new Set<FoldPoint>()
    const fault = async (point: FoldPoint) => {
      seen.add(point)
      assert.deepEqual(await countAll(clicks), before, point)
    }
    await clicks.retention(fault).once()
    assert.deepEqual([...seen], POINTS)
  })

  await t.test('clicks that arrive late are folded again, and never lost', async () => {
    const { one, atMs, month } = await begin(clicks)
    await clicks.retention().once()
    const late = { journal: newBootId(), sequence: 1 }
    const [third, fourth] = [3, 4].map((sequence) => ({ journal: one, sequence }))
    for (const segment of [late, third!]) {
      await clicks.insert([segment, 20, atMs])
      await clicks.commit(segment)
    }
    const before = await countAll(clicks)
    // Another one at the moment of the deletion.
    const fault = async (point: FoldPoint) => {
      if (point === 'deleting') await clicks.insert([fourth!, 1, atMs])
    }
    await clicks.retention(fault).once()
    assert.equal(await clicks.rowsOf('clicks', month), 1)
    await clicks.commit(fourth!)
    const all = await countAll(clicks)
    assert.notDeepEqual(all, before)
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), all)
    assert.equal(await clicks.rowsOf('clicks', month), 0)
    assert.deepEqual(await clicks.states(month), ['done', 'done', 'done'])
  })

  await t.test('rows of a segment that is not committed stay', async () => {
    const { one, atMs, month } = await begin(clicks)
    const segments = [
      { journal: one, sequence: 3 },
      { journal: newBootId(), sequence: 1 },
    ]
    for (const segment of segments) await clicks.insert([segment, 6, atMs])
    const before = await countAll(clicks)
    await clicks.retention().once()
    assert.equal(await clicks.rowsOf('clicks', month), 12)
    assert.deepEqual(await countAll(clicks), before)
    for (const segment of segments) await clicks.commit(segment)
    await clicks.retention().once()
    assert.equal(await clicks.rowsOf('clicks', month), 0)
    assert.deepEqual(await countAll(clicks), before)
  })

  await t.test('a worker that was stopped in a copy changes nothing when it goes on', async () => {
    const { before, month } = await begin(clicks)
    const child = start(clicks, 'copied', 'SIGSTOP')
    const exited = once(child, 'exit')
    await eventually(() => {
      const stat = readFileSync(`/proc/${child.pid!}/stat`, 'utf8')
      assert.equal(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3), 'T')
    })
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before)
    child.kill('SIGCONT')
    await exited
    assert.deepEqual(await countAll(clicks), before)
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before)
    assert.equal(await clicks.rowsOf('clicks', month), 0)
  })

  await t.test('several workers at once fold each month once', async () => {
    const { before, early, month } = await begin(clicks)
    await Promise.all([1, 2, 3].map(() => clicks.retention().once()))
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before)
    assert.deepEqual([await clicks.states(early), await clicks.states(month)], [['done'], ['done']])
  })

  await t.test('rows that a copy missed are found before anything is deleted', async () => {
    const { one, atMs, month } = await begin(clicks)
    const fault = async (point: FoldPoint, at: number) => {
      if (point === 'folded' && at === month)
        await clicks.insert([{ journal: one, sequence: 1 }, 3, atMs])
    }
    await clicks.retention(fault).once()
    assert.deepEqual(await clicks.states(month), ['void'])
    assert.equal(await clicks.rowsOf('clicks', month), 243)
    const before = await countAll(clicks)
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before)
    assert.equal(await clicks.rowsOf('clicks', month), 0)
  })

  await t.test('a month of many clicks is copied in pieces', async () => {
    clicks.workspaceId.now = newId('wsp', NOW)
    const journal = newBootId()
    const firstMs = Date.UTC(2020, 0, 3)
    await clickhouse.command({
      query: `insert into clicks
          (workspace_id, link_id, click_id, at, segment, kind, visitor, country, destination)
        select '${clicks.workspaceId.now}', concat('lnk_', toString(number % 50)),
          leftPad(toString(number), 26, '0'), fromUnixTimestamp64Milli(toInt64(${firstMs} + number * 20000)),
          '${journal}-1', 'human', number % 5000 + 1, toString(number % 30), 'https://example.com/'
        from numbers(45000)`,
    })
    await clicks.commit({ journal, sequence: 1 })
    const before = await countAll(clicks)
    await kill(clicks, 'copied a piece', 2)
    assert.deepEqual(await countAll(clicks), before)
    let pieces = 0
    const fault = (point: FoldPoint) => void (point === 'copied a piece' && pieces++)
    await clicks.retention(fault).once()
    assert.equal(pieces, 3)
    assert.deepEqual(await countAll(clicks), before)
    assert.equal(await clicks.rowsOf('clicks', 202001), 0)
  })

  await t.test('a purge deletes the days of the workspace, and no others', async () => {
    const journal = newBootId()
    const other = { ...row('wsp_other', 1, Date.UTC(2019, 0, 1)), segment: `${journal}-1` }
    await clickhouse.insert({ table: 'clicks', values: [other], format: 'JSONEachRow' })
    await clicks.commit({ journal, sequence: 1 })
    const { before } = await begin(clicks)
    const gone = clicks.workspaceId.now
    await clicks.retention().once()
    assert.deepEqual(await countAll(clicks), before)
    await deleteClicks({ clickhouse }, gone, new AbortController().signal)
    assert.deepEqual(await countAll(clicks), [])
    const left = await clicks.select(
      `select distinct workspace_id as id from click_days where workspace_id in ('wsp_other', '${gone}')`,
    )
    assert.deepEqual(left, [{ id: 'wsp_other' }])
  })
})
