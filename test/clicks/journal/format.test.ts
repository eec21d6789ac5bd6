import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  HEADER_BYTES,
  JOURNAL_VERSION,
  encodeHeader,
  encodeRecord,
  listJournals,
  listSegments,
  newBootId,
  newSeed,
  segmentName,
  type ClickRecord,
} from '../../../src/clicks/journal/format.ts'
import { makeClick } from '../../support/edge-links.ts'
import { decodeSegment } from '../../support/decode-segment.ts'
import { anyText } from '../../support/any-text.ts'

/** One text per click, independent of the order of its fields. */
function toText(click: ClickRecord): string {
  return JSON.stringify(Object.entries(click).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

type Written = { bytes: Buffer; ends: number[]; clicks: ClickRecord[] }

function write(clicks: ClickRecord[], seed = newSeed()): Written {
  const target = Buffer.alloc(HEADER_BYTES + clicks.length * 600_000)
  encodeHeader(seed).copy(target)
  const ends: number[] = []
  let at = HEADER_BYTES
  for (const click of clicks) {
    at = encodeRecord(target, at, seed, click)
    assert.notEqual(at, -1)
    ends.push(at)
  }
  return { bytes: target.subarray(0, at), ends, clicks }
}

function sample(count: number): ClickRecord[] {
  return Array.from({ length: count }, (_, i) =>
    makeClick({
      atMs: 1_795_000_000_000 + i,
      slug: `slug-${i}`,
      utm: ['', 'e-mail', `spring ${i}`, '', 'ü😀'],
      trigger: i % 2 ? 'qr' : 'link',
      isPrefetch: i % 3 === 0,
      domainId: i % 2 ? 'dom_01KAH0000000000000000000AA' : '',
      route: ['default', 'ios', 'rule:rul_01KAH0000000000000000000AA'][i % 3]!,
      country: ['', 'DE', 'XX'][i % 3]!,
      isView: i % 5 === 0,
      hasGpc: i % 7 === 0,
      hasDnt: i % 2 === 0,
    }),
  )
}

test('records come back as they were written, in order', () => {
  const { bytes, clicks } = write(sample(50))
  const decoded = decodeSegment(bytes)
  assert.deepEqual(decoded.records, clicks)
  assert.deepEqual(
    { ...decoded, records: [] },
    {
      format: 'ok',
      records: [],
      validBytes: bytes.length,
      tornBytes: 0,
      corruptRecords: 0,
      corruptBytes: 0,
    },
  )
})

const text = fc.oneof(anyText(), fc.string({ maxLength: 3_000 }))
const anyClick = fc
  .record({
    atMs: fc.nat({ max: 2 ** 47 }),
    host: text,
    slug: text,
    destination: text,
    utm: fc.tuple(text, text, text, text, text),
    userAgent: fc.string({
      unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    }),
    referrer: text,
    language: text,
    trigger: fc.constantFrom('link', 'qr'),
    isPrefetch: fc.boolean(),
    domainId: text,
    // An empty route is read as the default one.
    route: fc.string({ minLength: 1 }),
    country: fc.constantFrom('', 'DE', 'XX'),
    isView: fc.boolean(),
    hasGpc: fc.boolean(),
    hasDnt: fc.boolean(),
  })
  .map((over) => makeClick({ ...over, atMs: over.atMs + 1 }))

test('any text survives; lone surrogates, which UTF-8 cannot hold, become U+FFFD', () => {
  fc.assert(
    fc.property(fc.array(anyClick, { minLength: 1, maxLength: 4 }), (clicks) => {
      const decoded = decodeSegment(write(clicks).bytes)
      assert.equal(decoded.corruptRecords, 0)
      assert.deepEqual(
        decoded.records.map((click) => toText(click).replaceAll('\ufffd', '')),
        clicks.map((click) =>
          toText({ ...click, userAgent: click.userAgent.toWellFormed() }).replaceAll('\ufffd', ''),
        ),
      )
    }),
  )
})

test('a field of any length is cut rather than refused, and a full buffer is reported', () => {
  const long = makeClick({ destination: 'ü'.repeat(100_000), userAgent: '😀'.repeat(50_000) })
  const [read] = decodeSegment(write([long]).bytes).records
  assert.equal(read!.destination, 'ü'.repeat(8_192))
  assert.equal(read!.language, long.language)
  for (const size of [0, 10, 40, 100, 400])
    assert.equal(encodeRecord(Buffer.alloc(size), 0, 1, makeClick()), -1)
})

test('cut at every byte, a segment yields exactly its whole records', () => {
  const { bytes, ends, clicks } = write(sample(6))
  for (let cut = 0; cut < bytes.length; cut++) {
    const decoded = decodeSegment(bytes.subarray(0, cut))
    const whole = ends.filter((end) => end <= cut).length
    const validBytes = cut < HEADER_BYTES ? 0 : whole === 0 ? HEADER_BYTES : ends[whole - 1]!
    assert.deepEqual(decoded.records, clicks.slice(0, whole), `cut at ${cut}`)
    assert.equal(decoded.format, cut < HEADER_BYTES ? 'short' : 'ok')
    assert.equal(decoded.validBytes, validBytes)
    assert.equal(decoded.tornBytes, cut - validBytes)
    assert.equal(decoded.corruptRecords, 0)
  }
})

test('a damaged byte costs at most the record that holds it, and is reported', () => {
  const { bytes, ends, clicks } = write(sample(6))
  for (let at = 0; at < bytes.length; at++) {
    for (const damage of [0x01, 0x80, 0xff]) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= damage
      const decoded = decodeSegment(damaged)
      const victim = ends.findIndex((end) => at < end)
      const expected = at < HEADER_BYTES ? clicks : clicks.toSpliced(victim, 1)
      assert.deepEqual(decoded.records, expected, `byte ${at} ^ ${damage}`)
      if (at < HEADER_BYTES) continue
      const isLast = victim === clicks.length - 1
      const lost = decoded.corruptBytes + (isLast ? decoded.tornBytes : 0)
      assert.equal(lost, ends[victim]! - (ends[victim - 1] ?? HEADER_BYTES))
      if (!isLast || decoded.tornBytes === 0) assert.equal(decoded.corruptRecords, 1)
    }
  }
})

test('damage never makes the decoder throw or invent a click', () => {
  const { bytes, clicks } = write(sample(12))
  const known = new Set(clicks.map(toText))
  const damage = fc.array(
    fc.record({
      at: fc.nat({ max: bytes.length }),
      inserted: fc.uint8Array({ maxLength: 40 }),
      removed: fc.nat({ max: 60 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(damage, (damages) => {
      let damaged = bytes
      for (const { at, inserted, removed } of damages)
        damaged = Buffer.concat([damaged.subarray(0, at), inserted, damaged.subarray(at + removed)])
      const decoded = decodeSegment(damaged)
      for (const click of decoded.records) assert.ok(known.has(toText(click)))
      assert.equal(new Set(decoded.records).size, decoded.records.length)
      assert.ok(
        decoded.validBytes + decoded.tornBytes === damaged.length || decoded.format !== 'ok',
      )
    }),
    { numRuns: 5_000 },
  )
})

test('random bytes and zeros are not decoded as clicks', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4_000 }), (bytes) => {
      assert.deepEqual(decodeSegment(Buffer.from(bytes)).records, [])
      const tail = Buffer.concat([encodeHeader(7), bytes])
      assert.deepEqual(decodeSegment(tail).records, [])
    }),
  )
  const { bytes, clicks } = write(sample(2))
  const extended = decodeSegment(Buffer.concat([bytes, Buffer.alloc(4_096)]))
  assert.deepEqual(extended.records, clicks)
  assert.equal(extended.tornBytes, 4_096)
  assert.equal(extended.corruptRecords, 0)
})

test('a record that a visitor put into a field is never read, even next to damage', () => {
  const forged = write([makeClick({ slug: 'forged' })], 1)
  const smuggled = forged.bytes.toString('latin1')
  const { bytes, ends } = write([makeClick({ destination: smuggled }), makeClick()], 2)
  for (let at = HEADER_BYTES; at < ends[0]!; at++) {
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0xff
    assert.ok(decodeSegment(damaged).records.every((click) => click.slug !== 'forged'))
  }
})

test('a segment of another version is foreign, so that its clicks are kept', () => {
  const { bytes } = write(sample(1))
  for (const version of [JOURNAL_VERSION - 1, JOURNAL_VERSION + 1]) {
    for (const copy of [0, 8, 16]) bytes[copy + 3] = version
    assert.equal(decodeSegment(bytes).format, 'foreign')
    assert.equal(decodeSegment(bytes).validBytes, 0)
  }
})

test('journals and segments are listed in the order in which they ship', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'signpost-journal-'))
  t.after(() => rm(root, { recursive: true }))
  assert.deepEqual(await listJournals(join(root, 'absent')), [])
  const bootId = newBootId()
  const folder = join(root, bootId)
  await mkdir(folder)
  await mkdir(join(root, 'lost+found'))
  assert.deepEqual(await listJournals(root), [bootId])
  for (const name of ['lock', 'lock.holder', 'x.sealed', '12.open', segmentName(10, 'sealed')])
    await writeFile(join(folder, name), '')
  await writeFile(join(folder, segmentName(9, 'sealed')), '')
  await writeFile(join(folder, segmentName(9, 'rows')), '')
  await writeFile(join(folder, segmentName(11, 'open')), '')
  assert.deepEqual(await listSegments(folder), [
    { sequence: 9, state: 'rows', name: '000000000009.rows' },
    { sequence: 9, state: 'sealed', name: '000000000009.sealed' },
    { sequence: 10, state: 'sealed', name: '000000000010.sealed' },
    { sequence: 11, state: 'open', name: '000000000011.open' },
  ])
})
