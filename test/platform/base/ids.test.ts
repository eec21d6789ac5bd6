import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, ulid } from '../../../src/platform/core/ids.ts'
import { toRequestId } from '../../../src/platform/http/request.ts'

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

test('an id is a prefix and a ULID whose first ten characters are its time', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12, 30, 15, 123)
  const id = newId('lnk', nowMs)
  assert.match(id, /^lnk_/)
  assert.match(id.slice(4), ULID)
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const time = [...id.slice(4, 14)].reduce((sum, char) => sum * 32 + alphabet.indexOf(char), 0)
  assert.equal(time, nowMs)
})

test('ids sort by their time', () => {
  const times = [1, 2, 1_000, 1_700_000_000_000, 1_700_000_000_001, 2 ** 47]
  const ids = times.map((ms) => ulid(ms))
  assert.deepEqual(ids.toSorted(), ids)
})

test('a hundred thousand ids of one millisecond are different, and use every character evenly', () => {
  const ids = Array.from({ length: 100_000 }, () => ulid(1_700_000_000_000))
  assert.equal(new Set(ids).size, ids.length)
  const counts = new Map<string, number>()
  for (const id of ids)
    for (const char of id.slice(10)) counts.set(char, (counts.get(char) ?? 0) + 1)
  assert.equal(counts.size, 32)
  const expected = (ids.length * 16) / 32
  for (const [char, count] of counts)
    assert.ok(Math.abs(count - expected) < expected * 0.03, `${char}: ${count} of ${expected}`)
})

test("a client's request id is taken when it is 8 to 128 plain characters", () => {
  assert.equal(toRequestId('abcd.1234_-X', 1), 'abcd.1234_-X')
  for (const bad of [undefined, '', 'seven77', 'x'.repeat(129), 'line\nbreak', 'ümlaut-id', ['a']])
    assert.match(toRequestId(bad as string, 1), /^req_/)
})
