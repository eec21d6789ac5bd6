import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/platform/core/errors.ts'
import { toPeriods } from '../../src/analytics/questions/period.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')

test('the last days of a time zone begin and end at its midnights', () => {
  const table: [
    now: string,
    days: number,
    timezone: string,
    start: string,
    end: string,
    previous: string,
  ][] = [
    ['2026-11-21T12:00Z', 1, 'UTC', '2026-11-21T00:00Z', '2026-11-22T00:00Z', '2026-11-20T00:00Z'],
    ['2026-11-21T12:00Z', 30, 'UTC', '2026-10-23T00:00Z', '2026-11-22T00:00Z', '2026-09-23T00:00Z'],
    ['2026-11-21T00:00Z', 1, 'UTC', '2026-11-21T00:00Z', '2026-11-22T00:00Z', '2026-11-20T00:00Z'],
    // New York left daylight saving time that day, which had 25 hours; in March one had 23.
    [
      '2026-11-01T18:00Z',
      1,
      'America/New_York',
      '2026-11-01T04:00Z',
      '2026-11-02T05:00Z',
      '2026-10-31T04:00Z',
    ],
    [
      '2026-03-08T18:00Z',
      1,
      'America/New_York',
      '2026-03-08T05:00Z',
      '2026-03-09T04:00Z',
      '2026-03-07T05:00Z',
    ],
    [
      '2026-11-21T03:00Z',
      1,
      'America/New_York',
      '2026-11-20T05:00Z',
      '2026-11-21T05:00Z',
      '2026-11-19T05:00Z',
    ],
    [
      '2026-11-21T12:00Z',
      1,
      'Asia/Kathmandu',
      '2026-11-20T18:15Z',
      '2026-11-21T18:15Z',
      '2026-11-19T18:15Z',
    ],
    [
      '2026-11-21T12:00Z',
      1,
      'Pacific/Kiritimati',
      '2026-11-21T10:00Z',
      '2026-11-22T10:00Z',
      '2026-11-20T10:00Z',
    ],
    // Clocks went from midnight to one: the day begins at one.
    [
      '2026-04-24T12:00Z',
      1,
      'Africa/Cairo',
      '2026-04-23T22:00Z',
      '2026-04-24T21:00Z',
      '2026-04-22T22:00Z',
    ],
    // Samoa had no 30 December 2011.
    [
      '2011-12-30T12:00Z',
      1,
      'Pacific/Apia',
      '2011-12-30T10:00Z',
      '2011-12-31T10:00Z',
      '2011-12-30T10:00Z',
    ],
    [
      '2011-12-31T12:00Z',
      2,
      'Pacific/Apia',
      '2011-12-30T10:00Z',
      '2012-01-01T10:00Z',
      '2011-12-29T10:00Z',
    ],
    [
      '2024-02-29T12:00Z',
      366,
      'UTC',
      '2023-03-01T00:00Z',
      '2024-03-01T00:00Z',
      '2022-02-28T00:00Z',
    ],
  ]
  for (const [now, days, timezone, start, end, before] of table) {
    const { current, previous } = toPeriods(Date.parse(now), { days, timezone })
    const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16) + 'Z'
    const found = [iso(current.startMs), iso(current.endMs), iso(previous.startMs)]
    assert.deepEqual(found, [start, end, before], `${timezone} ${now}`)
    assert.equal(previous.endMs, current.startMs)
  }
  for (const bad of ['', 'Mars/Base', '+02:00', 'UTC+1', 'GMT+99', '../etc'])
    assert.throws(() => toPeriods(NOON, { days: 1, timezone: bad }), ApiError, bad)
})

test('a plan moves the start of a period to the first day that it keeps', () => {
  const timezone = 'America/New_York'
  const periodOf = (query: object, keptDays: number | null) =>
    toPeriods(NOON, { days: 30, ...query, timezone }, { oldestMs: NOON, keptDays }).current
  const kept = periodOf({ days: 30 }, null)
  assert.deepEqual(periodOf({ days: 365 }, 30), kept)
  assert.deepEqual(periodOf({ days: 30 }, 365), kept)
  assert.deepEqual(periodOf({ start: '2020-01-01', end: '2026-11-21' }, 30), kept)
  const before = periodOf({ start: '2020-01-01', end: '2020-02-01' }, 30)
  assert.equal(before.startMs, before.endMs, 'nothing is left of a period before it')
  assert.deepEqual(periodOf({ days: 2 }, 0), periodOf({ days: 1 }, null), 'today is always kept')
})
