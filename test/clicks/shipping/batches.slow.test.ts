import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createMeters } from '../../../src/clicks/shipping/meters.ts'
import {
  holdJournal,
  createShipper,
  shipFolder,
  type ShipperParts,
} from '../../../src/clicks/shipping/shipper.ts'
import { createClickTable } from '../../../src/clicks/shipping/table.ts'
import { JOURNAL_LOCK, newBootId, segmentName } from '../../../src/clicks/journal/format.ts'
import { eventually } from '../../support/eventually.ts'
import {
  JUST_RIGHT,
  journalFiles,
  judge,
  openBench,
  type Bench,
} from '../../support/shipping-world.ts'

const never = new AbortController().signal

/** Segments `from` to `through`, each of three clicks, whose ids are returned. */
function writeSegments(bench: Bench, journal: string, from: number, through: number): string[] {
  const ids: string[] = []
  for (let sequence = from; sequence <= through; sequence++) {
    const clicks = [bench.click(), bench.click(), bench.click()]
    bench.segment(journal, sequence, clicks)
    ids.push(...clicks.map(({ clickId }) => clickId))
  }
  return ids
}

/** Parts that note the token of each insert. */
function notingTokens({ clickhouse }: Bench, tokens: string[]): ShipperParts {
  const table = createClickTable(clickhouse)
  const insert: typeof table.insert = (chunks, token) => {
    tokens.push(token)
    return table.insert(chunks, token)
  }
  return { settleMs: 0, table: { ...table, insert } }
}

test('segments that wait go into one insert under one token, and count once', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const ids = writeSegments(bench, journal, 1, 20)
  const tokens: string[] = []
  const folder = join(bench.journalDir, journal)
  assert.equal(await shipFolder(folder, bench.deps, never, notingTokens(bench, tokens)), 20)
  assert.deepEqual(tokens, [`${journal}-1`, `${journal}-20`])
  assert.deepEqual(await judge(bench, ids), JUST_RIGHT)
  const [cursor] = await bench.sql`select sequence, next_through from journal_cursors`
  assert.deepEqual(cursor, { sequence: 20, nextThrough: null })
  assert.equal(existsSync(folder), false)
})

test('a batch has at most the bytes of a segment and a hundred segments', async (t) => {
  const bench = await openBench(t)
  const [large, many] = [newBootId(), newBootId()]
  // Three of these segments are more than 4 MiB, two are less.
  const heavy = () =>
    Array.from({ length: 850 }, () =>
      bench.click({ referrer: `https://x.example/${'r'.repeat(2_000)}` }),
    )
  for (const sequence of [1, 2, 3, 4, 5, 6]) bench.segment(large, sequence, heavy())
  writeSegments(bench, many, 1, 103)
  const tokens: string[] = []
  const ship = (journal: string) =>
    shipFolder(
      join(bench.journalDir, journal),
      { ...bench.deps, meters: createMeters(new Registry()) },
      never,
      notingTokens(bench, tokens),
    )
  await ship(large)
  await ship(many)
  const ofLarge = tokens.filter((token) => token.startsWith(large))
  assert.deepEqual(
    ofLarge,
    [1, 3, 5, 6].map((sequence) => `${large}-${sequence}`),
  )
  assert.deepEqual(
    tokens.slice(ofLarge.length),
    [1, 101, 103].map((n) => `${many}-${n}`),
  )
})

test('a batch that was chosen is sent as it is, also when more segments wait at the next start', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const folder = join(bench.journalDir, journal)
  const ids = writeSegments(bench, journal, 1, 4)
  const stop = new AbortController()
  await assert.rejects(
    shipFolder(folder, { ...bench.deps, meters: createMeters(new Registry()) }, stop.signal, {
      fault(point) {
        if (point === 'committed') stop.abort()
      },
    }),
    /the time was up/,
  )
  const left = [2, 3, 4].map((sequence) => segmentName(sequence, 'sealed'))
  left.push(segmentName(4, 'rows'))
  const expected = left.map((name) => join(journal, name)).toSorted()
  await eventually(() => assert.deepEqual(journalFiles(bench.journalDir), expected))
  ids.push(...writeSegments(bench, journal, 5, 6))
  const tokens: string[] = []
  await shipFolder(folder, bench.deps, never, notingTokens(bench, tokens))
  assert.deepEqual(tokens, [`${journal}-4`, `${journal}-6`])
  assert.deepEqual(await judge(bench, ids), JUST_RIGHT)
})

test('a segment that lost its header is skipped, and the others around it are shipped', async (t) => {
  const bench = await openBench(t)
  const journal = newBootId()
  const ids = [...writeSegments(bench, journal, 1, 2), ...writeSegments(bench, journal, 4, 6)]
  const folder = join(bench.journalDir, journal)
  writeFileSync(join(folder, segmentName(3, 'sealed')), Buffer.alloc(100, 'x'))
  const stop = new AbortController()
  // As the process that writes it.
  using _lock = holdJournal(folder)
  const shipper = createShipper({ ...bench.deps, journalDir: bench.journalDir }, { settleMs: 0 })
  const running = shipper.run(stop.signal)
  await eventually(() => assert.deepEqual(journalFiles(bench.journalDir), []))
  stop.abort()
  await running
  const left = readdirSync(folder).filter((name) => !name.startsWith(JOURNAL_LOCK))
  assert.deepEqual(left, [`${segmentName(3, 'sealed')}.unreadable`])
  assert.deepEqual(await judge(bench, ids), JUST_RIGHT)
})
