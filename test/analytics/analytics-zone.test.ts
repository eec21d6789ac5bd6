import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBuckets, toPeriods } from '../../src/analytics/questions/period.ts'
import { openZone } from '../../src/platform/resources/zone.ts'
import { clockText, dateText, isStartOfHour } from '../support/analytics-recount.ts'
import { IS_LONG } from '../support/long.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/core/clock.ts'

const ZONES = [
  'UTC',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Gaza',
  'America/Caracas',
  'Asia/Pyongyang',
  'Europe/Moscow',
  'Antarctica/Troll',
]

test('the local clock of a zone is that of Intl, before and after every clock change', () => {
  const zones = IS_LONG ? Intl.supportedValuesOf('timeZone') : ZONES
  for (const name of zones) {
    const zone = openZone(name)
    const check = (ms: number) => {
      const local = new Date(zone.toLocal(ms)).toISOString()
      assert.equal(
        `${local.slice(0, 10)}, ${local.slice(11, 19)}`,
        clockText(ms, name),
        `${name} ${ms}`,
      )
    }
    // Prime, so that all hours and days of the week are met.
    for (let ms = Date.UTC(2000, 0, 1); ms < Date.UTC(2038, 0, 1); ms += 1_999 * 60_000 * 7)
      check(ms)
    for (const ms of changesOf(name))
      [ms - 1, ms, ms + 1, ms - HOUR_MS, ms + HOUR_MS].forEach(check)
  }
})

/** Instants at which the offset changes, found hour by hour around the days that are not 24 hours long. */
function changesOf(name: string): number[] {
  const zone = openZone(name)
  const changes: number[] = []
  for (let ms = Date.UTC(2005, 0, 1); ms < Date.UTC(2030, 0, 1); ms += DAY_MS) {
    if (zone.toLocal(ms + DAY_MS) - zone.toLocal(ms) === DAY_MS) continue
    for (let at = ms; at < ms + DAY_MS; at += 15 * 60_000)
      if (zone.toLocal(at + 15 * 60_000) - zone.toLocal(at) !== 15 * 60_000)
        changes.push(at + 15 * 60_000)
  }
  return changes
}

test('days, weeks and hours around every clock change begin when the local clock says so', () => {
  for (const timezone of ZONES) {
    const zone = openZone(timezone)
    for (const changeMs of changesOf(timezone)) {
      const period = { startMs: changeMs - 40 * HOUR_MS, endMs: changeMs + 50 * HOUR_MS }
      const days = toBuckets(period, 'day', zone)
      assertAscending(days)
      const dates = days.slice(0, -1).map((ms) => dateText(ms, timezone))
      assert.equal(new Set(dates).size, dates.length, `${timezone} ${dates.join()}`)
      for (const ms of days.slice(1, -1))
        assert.ok(dateText(ms - 1, timezone) < dateText(ms, timezone), `${timezone} ${ms}`)
      const hours = toBuckets(period, 'hour', zone)
      assertAscending(hours)
      for (const ms of hours.slice(1, -1))
        assert.ok(isStartOfHour(ms, timezone), `${timezone} ${ms}`)
      for (const [at, ms] of hours.slice(1).entries()) assert.ok(ms - hours[at]! <= HOUR_MS)
    }
  }
})

function assertAscending(bounds: readonly number[]): void {
  for (const [at, ms] of bounds.slice(1).entries()) assert.ok(ms > bounds[at]!)
}

test('the last 24 hours end after now, also in an hour that the clock shows twice', () => {
  for (const timezone of ZONES)
    for (const changeMs of changesOf(timezone))
      for (const minutes of [-61, -31, -1, 0, 1, 29, 30, 31, 59, 61]) {
        const nowMs = changeMs + minutes * 60_000
        const { current } = toPeriods(nowMs, { days: 30, interval: '24h', timezone })
        assert.ok(current.endMs > nowMs && current.endMs - nowMs <= HOUR_MS, `${timezone} ${nowMs}`)
        assert.equal(current.endMs - current.startMs, DAY_MS)
        assert.ok(isStartOfHour(current.endMs, timezone), `${timezone} ${nowMs}`)
      }
})

test('a date that is not in the calendar is refused', () => {
  for (const start of [
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-02-29T00:00:00Z',
    '2026-1-1',
    '1999-12-31',
    'yesterday',
  ])
    assert.throws(
      () => toPeriods(Date.UTC(2026, 10, 21), { days: 30, start, timezone: 'UTC' }),
      { code: 'VALIDATION_ERROR' },
      start,
    )
  const { current } = toPeriods(Date.UTC(2026, 10, 21), {
    days: 30,
    start: '2024-02-29',
    end: '2024-02-29',
    timezone: 'UTC',
  })
  assert.equal(current.endMs - current.startMs, DAY_MS)
})
