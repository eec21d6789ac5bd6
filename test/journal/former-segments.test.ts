import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEADER_BYTES, newBootId } from '../../src/journal/format.ts'
import { sealLeftovers } from '../../src/journal/reader.ts'
import { makeClick } from '../support/edge-links.ts'
import { freshFolder } from '../support/fixtures.ts'
import { decodeSegment } from './decode-segment.ts'
import { asRead, encodeFormerSegment, type FormerClick } from './version-1.ts'

const SEED = 0x01020304

/** Written by a program of version 1, with the clicks below. */
const WRITTEN = Buffer.from(
  'U1BKAQQDAgFTUEoBBAMCAVNQSgEEAwIB1qGgc7IAAAADAF5W7qEBDgALAAgAGQACACElISYhJiE8ISUhJSEhISQhIXdzXzFsbm' +
    'tfMUdyw7zDn2VodHRwczovL2V4YW1wbGUuY29tL2E/Yj1jI2RuZXdzbWFpbMO88J+YgDAxS0FIMDAwMDAwMDAwMDAwMDAw' +
    'MDAwMEFBbG9jYWxob3N0OjMwMDAyMDMuMC4xMTMuOWN1cmwvOC4waHR0cHM6Ly9uZXdzLmV4YW1wbGUub3JnL2RlfnTJtV' +
    'sAAAAAAV5W7qEBAAAAAAAAAAAAACElISYhIiE1ISEhISEhISEhIXdzXzFsbmtfMXhodHRwczovL2V4YW1wbGUuY29tLzAx' +
    'S0FIMDAwMDAwMDAwMDAwMDAwMDAwMEFC',
  'base64',
)
const CLICKS: FormerClick[] = [
  {
    ...{ clickId: '01KAH0000000000000000000AA', atMs: 1_795_000_000_000 },
    ...{ workspaceId: 'ws_1', linkId: 'lnk_1', host: 'localhost:3000', slug: 'Grüße' },
    destination: 'https://example.com/a?b=c#d',
    utm: ['news', 'mail', '', 'ü😀', ''],
    trigger: 'qr',
    ...{ ip: '203.0.113.9', userAgent: 'curl/8.0', language: 'de', isPrefetch: true },
    referrer: 'https://news.example.org/',
  },
  {
    ...{ clickId: '01KAH0000000000000000000AB', atMs: 1_795_000_000_001 },
    ...{ workspaceId: 'ws_1', linkId: 'lnk_1', host: '', slug: 'x' },
    destination: 'https://example.com/',
    utm: ['', '', '', '', ''],
    trigger: 'link',
    ...{ ip: '', userAgent: '', language: '', isPrefetch: false, referrer: '' },
  },
]

function sample(count: number): FormerClick[] {
  return Array.from({ length: count }, (_, i) =>
    makeClick({ atMs: 1_795_000_000_000 + i, slug: `ü${i}`, trigger: i % 2 ? 'qr' : 'link' }),
  )
}

test('a segment of version 1 is read as the clicks it was written from, with defaults', () => {
  assert.deepEqual(encodeFormerSegment(CLICKS, SEED), WRITTEN, 'the encoder of the tests is true')
  const decoded = decodeSegment(WRITTEN)
  assert.deepEqual(decoded.records, CLICKS.map(asRead))
  assert.equal(decoded.validBytes, WRITTEN.length)
})

test('cut or damaged anywhere, a segment of version 1 loses at most one record', () => {
  const clicks = sample(5)
  const expected = clicks.map(asRead)
  const bytes = encodeFormerSegment(clicks, SEED)
  const ends = clicks.map((_, i) => encodeFormerSegment(clicks.slice(0, i + 1), SEED).length)
  for (let at = HEADER_BYTES; at < bytes.length; at++) {
    const whole = ends.filter((end) => end <= at).length
    assert.deepEqual(decodeSegment(bytes.subarray(0, at)).records, expected.slice(0, whole))
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0xff
    const victim = ends.findIndex((end) => at < end)
    assert.deepEqual(decodeSegment(damaged).records, expected.toSpliced(victim, 1), `byte ${at}`)
  }
})

test('a damaged copy of the header does not change the version', () => {
  for (let at = 0; at < HEADER_BYTES; at++)
    for (const damage of [1, 2, 3, 0xff]) {
      const damaged = Buffer.from(WRITTEN)
      damaged[at]! ^= damage
      assert.deepEqual(decodeSegment(damaged).records, CLICKS.map(asRead))
    }
})

test('an open segment of version 1 is cut after its last whole record and sealed', async () => {
  const folder = join(freshFolder(), newBootId())
  mkdirSync(folder)
  writeFileSync(join(folder, '000000000001.open'), WRITTEN.subarray(0, -10))
  await sealLeftovers(folder, () => {})
  const sealed = decodeSegment(readFileSync(join(folder, '000000000001.sealed')))
  assert.deepEqual(
    { records: sealed.records, torn: sealed.tornBytes },
    {
      records: [asRead(CLICKS[0]!)],
      torn: 0,
    },
  )
})
