import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  ForeignSegmentError,
  listSealedSegments,
  readSlices,
  sealLeftovers,
} from '../../../src/clicks/journal/reader.ts'
import { HEADER_BYTES, newBootId } from '../../../src/clicks/journal/format.ts'
import { encodeSegment, makeClick } from '../../support/shipping-world.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { decodeSegment } from '../../support/decode-segment.ts'

function openFolder(): string {
  const root = freshFolder()
  const folder = join(root, newBootId())
  mkdirSync(folder)
  return folder
}

const anyClick = () => makeClick('ws_1', ['lnk_1'])

test('an open segment is cut after its last whole record, at any length', async () => {
  const folder = openFolder()
  const clicks = Array.from({ length: 3 }, anyClick)
  const bytes = encodeSegment(clicks)
  const ends = [1, 2, 3].map((n) => encodeSegment(clicks.slice(0, n)).length)
  const open = join(folder, '000000000001.open')
  const sealed = join(folder, '000000000001.sealed')
  for (let length = 0; length <= bytes.length; length++) {
    writeFileSync(open, bytes.subarray(0, length))
    let isAboutToSeal = false
    await sealLeftovers(folder, () => (isAboutToSeal = true))
    const whole = ends.filter((end) => end <= length).length
    assert.equal(existsSync(open), false)
    assert.equal(isAboutToSeal, whole > 0)
    assert.equal(existsSync(sealed), whole > 0)
    if (whole === 0) continue
    const kept = decodeSegment(readFileSync(sealed))
    assert.deepEqual(kept.records, clicks.slice(0, whole))
    assert.equal(kept.tornBytes, 0)
    rmSync(sealed)
  }
})

test('reading in slices finds the same records and damage as reading at once', async () => {
  const clicks = Array.from({ length: 2_000 }, (_, i) =>
    makeClick('ws_1', ['lnk_1'], { referrer: 'r'.repeat((i * 37) % 2_000) }),
  )
  const whole = encodeSegment(clicks)
  const damaged = Buffer.from(whole)
  for (let at = 5_000; at < damaged.length; at += 111_111) damaged[at]! ^= 0x55
  for (const bytes of [whole, damaged, damaged.subarray(0, -50)]) {
    const atOnce = decodeSegment(bytes)
    const ids: string[] = []
    let unreadable = 0
    let end = HEADER_BYTES
    for await (const slice of readSlices(bytes, 'test')) {
      ids.push(...slice.records.map((record) => record.clickId))
      unreadable += slice.unreadable
      end = slice.end
    }
    assert.deepEqual(
      ids,
      atOnce.records.map((record) => record.clickId),
    )
    assert.equal(unreadable, atOnce.corruptRecords)
    assert.equal(end, atOnce.validBytes)
  }
})

test('a file that is not a segment is left unchanged', async () => {
  const folder = openFolder()
  const open = join(folder, '000000000001.open')
  writeFileSync(open, 'x'.repeat(500))
  await assert.rejects(
    sealLeftovers(folder, () => {}),
    ForeignSegmentError,
  )
  assert.equal(readFileSync(open, 'utf8').length, 500)
})

test('segments come in the order of their sequence, and a rows file alone counts as one', async () => {
  const folder = openFolder()
  for (const name of ['000000000010.sealed', '000000000002.sealed', '000000000009.rows'])
    writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, '000000000010.rows'), '')
  writeFileSync(join(folder, '000000000011.open'), '')
  const found = await listSealedSegments(folder, true)
  assert.deepEqual(
    found.map((segment) => segment.sequence),
    [2, 9, 10],
  )
})
