import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getLastHourMs,
  getNextCheckMs,
  judge,
  listSameHours,
} from '../../../src/analytics/alerts/judge.ts'
import { openZone } from '../../../src/platform/resources/zone.ts'

const at = (iso: string) => Date.parse(iso)

test('an hour is far from the usual by factor and spread, and from twenty clicks on', () => {
  const cases: [count: number, sameHours: number[], state: string, usual: number][] = [
    [100, [100, 110, 90, 105], 'usual', 103],
    [250, [100, 110, 90, 105], 'high', 103],
    // Twice the usual, and as far as the weeks are from each other.
    [210, [100, 20, 200, 90], 'usual', 95],
    [40, [100, 110, 90, 105], 'low', 103],
    [0, [25, 22, 28, 24], 'low', 25],
    // What is usual is too little for a fall.
    [0, [15, 12, 18, 14], 'usual', 15],
    [19, [0, 0, 0, 0], 'usual', 0],
    [20, [0, 0, 0, 0], 'high', 0],
    [45, [10, 30], 'usual', 20],
    [90, [10, 30], 'high', 20],
  ]
  for (const [count, sameHours, state, usual] of cases)
    assert.deepEqual(judge(count, sameHours), { state, usual }, `${count} of ${sameHours.join()}`)
})

test('nothing is judged by fewer than two weeks', () => {
  assert.equal(judge(10_000, []), null)
  assert.equal(judge(10_000, [1]), null)
})

test('the same hours have the local time of the zone, also when its clocks changed', () => {
  const berlin = openZone('Europe/Berlin')
  // 10:00 in Berlin; the clocks went back on 25 October.
  const hours = listSameHours(berlin, at('2026-11-02T09:00:00Z'), 0)
  assert.deepEqual(
    hours.map((ms) => new Date(ms).toISOString()),
    [
      '2026-10-26T09:00:00.000Z',
      '2026-10-19T08:00:00.000Z',
      '2026-10-12T08:00:00.000Z',
      '2026-10-05T08:00:00.000Z',
    ],
  )
  assert.equal(
    listSameHours(berlin, at('2026-11-02T09:00:00Z'), at('2026-10-18T00:00:00Z')).length,
    2,
  )
})

test('an hour is checked ten minutes after its end', () => {
  const cases = [
    ['2026-11-02T09:00:00Z', '2026-11-02T09:10:00Z', '2026-11-02T08:00:00Z'],
    ['2026-11-02T09:10:00Z', '2026-11-02T10:10:00Z', '2026-11-02T08:00:00Z'],
    ['2026-11-02T09:59:59Z', '2026-11-02T10:10:00Z', '2026-11-02T08:00:00Z'],
  ] as const
  for (const [now, next, hour] of cases) {
    assert.equal(getNextCheckMs(at(now)), at(next))
    assert.equal(getLastHourMs(at(now)), at(hour))
  }
})
