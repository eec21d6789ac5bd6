import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchedule, toNextRun } from '../../../src/analytics/reports/schedule.ts'
import type { ScheduleInput } from '../../../src/analytics/reports/schema.ts'
import { clockText } from '../../support/analytics-recount.ts'
import { HOUR_MS } from '../../../src/platform/core/clock.ts'

/** The runs of a schedule in a span, as the local clock shows them. */
function runsOf(input: ScheduleInput, from: string, to: string): string[] {
  const schedule = checkSchedule(input)
  const runs: string[] = []
  for (let at = toNextRun(schedule, Date.parse(from)); at < Date.parse(to);) {
    runs.push(clockText(at, schedule.timezone))
    at = toNextRun(schedule, at)
  }
  return runs
}

const CHANGES = [
  {
    timezone: 'Europe/Berlin',
    spring: ['2026-03-28T00:00:00Z', '2026-03-30T22:00:00Z'],
    autumn: ['2026-10-23T22:00:00Z', '2026-10-26T22:00:00Z'],
    skipped: ['2026-03-28, 02:00:00', '2026-03-29, 03:00:00', '2026-03-30, 02:00:00'],
    twice: ['2026-10-24, 02:00:00', '2026-10-25, 02:00:00', '2026-10-26, 02:00:00'],
  },
  {
    timezone: 'America/New_York',
    spring: ['2026-03-07T05:00:00Z', '2026-03-09T22:00:00Z'],
    autumn: ['2026-10-31T04:00:00Z', '2026-11-02T22:00:00Z'],
    skipped: ['2026-03-07, 02:00:00', '2026-03-08, 03:00:00', '2026-03-09, 02:00:00'],
    twice: ['2026-10-31, 01:00:00', '2026-11-01, 01:00:00', '2026-11-02, 01:00:00'],
  },
] as const

for (const { timezone, spring, autumn, skipped, twice } of CHANGES)
  test(`a daily run in ${timezone} is once a day across both clock changes`, () => {
    const hour = Number(twice[0].slice(12, 14))
    assert.deepEqual(
      runsOf({ frequency: 'daily', hour: 2, timezone }, spring[0], spring[1]),
      skipped,
    )
    assert.deepEqual(runsOf({ frequency: 'daily', hour, timezone }, autumn[0], autumn[1]), twice)
    const year = runsOf(
      { frequency: 'daily', hour: 2, timezone },
      '2026-01-01T12:00:00Z',
      '2027-01-01T12:00:00Z',
    )
    assert.equal(new Set(year.map((text) => text.slice(0, 10))).size, 365)
    assert.equal(year.length, 365)
  })

test('of an hour that the clocks show twice the first counts', () => {
  const schedule = checkSchedule({ frequency: 'daily', hour: 2, timezone: 'Europe/Berlin' })
  const first = Date.parse('2026-10-25T00:00:00Z')
  assert.equal(toNextRun(schedule, first - 1), first)
  const next = Date.parse('2026-10-26T01:00:00Z')
  for (const after of [first, first + HOUR_MS - 1, first + HOUR_MS])
    assert.equal(toNextRun(schedule, after), next)
})

test('a weekly run is on its weekday, and a monthly one on the 1st', () => {
  const weekly = { frequency: 'weekly', hour: 9, timezone: 'America/New_York' } as const
  assert.deepEqual(
    runsOf({ ...weekly, weekday: 1 }, '2026-02-28T00:00:00Z', '2026-03-17T00:00:00Z'),
    ['2026-03-02, 09:00:00', '2026-03-09, 09:00:00', '2026-03-16, 09:00:00'],
  )
  const sundays = ['2026-03-01, 09:00:00', '2026-03-08, 09:00:00', '2026-03-15, 09:00:00']
  for (const weekday of [0, 7])
    assert.deepEqual(
      runsOf({ ...weekly, weekday }, '2026-02-28T00:00:00Z', '2026-03-17T00:00:00Z'),
      sundays,
    )
  assert.deepEqual(
    runsOf(
      { frequency: 'monthly', hour: 0, timezone: 'Europe/Berlin' },
      '2026-01-31T22:59:00Z',
      '2026-04-30T22:01:00Z',
    ),
    [
      '2026-02-01, 00:00:00',
      '2026-03-01, 00:00:00',
      '2026-04-01, 00:00:00',
      '2026-05-01, 00:00:00',
    ],
  )
})
