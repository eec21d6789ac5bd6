import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFormats } from '../../dashboard/src/kit/locale.ts'
import {
  fromLocalTime,
  startOfDay,
  toLocalTime,
  toOffsetTime,
  toTimes,
} from '../../dashboard/src/kit/local-time.ts'

const BERLIN = 'Europe/Berlin'

test('a field of a time has the zone that is given, not that of the browser', () => {
  for (const [zone, local] of [
    ['UTC', '2026-11-21T22:30'],
    ['Pacific/Auckland', '2026-11-22T11:30'],
    ['America/Los_Angeles', '2026-11-21T14:30'],
    ['Asia/Kathmandu', '2026-11-22T04:15'],
  ] as const) {
    assert.equal(toLocalTime('2026-11-21T22:30:00.000Z', zone), local)
    assert.equal(fromLocalTime(local, zone), '2026-11-21T22:30:00.000Z')
    assert.equal(
      Date.parse(toOffsetTime('2026-11-21T22:30:00.000Z', zone)),
      Date.UTC(2026, 10, 21, 22, 30),
    )
    assert.ok(toOffsetTime('2026-11-21T22:30:00.000Z', zone).startsWith(local))
  }
})

test('an hour that comes twice is the first one, and one that is skipped the hour after it', () => {
  assert.equal(fromLocalTime('2026-10-25T02:30', BERLIN), '2026-10-25T00:30:00.000Z')
  assert.equal(fromLocalTime('2026-03-29T02:30', BERLIN), '2026-03-29T01:30:00.000Z')
  assert.equal(fromLocalTime('2026-03-29T01:59', BERLIN), '2026-03-29T00:59:00.000Z')
  assert.equal(fromLocalTime('2026-03-29T03:00', BERLIN), '2026-03-29T01:00:00.000Z')
})

test('a day of the logs begins at midnight of the zone, and ends with its 23 or 25 hours', () => {
  const hoursOf = (day: string) =>
    (Date.parse(startOfDay(day, 1, BERLIN)) - Date.parse(startOfDay(day, 0, BERLIN))) / 3_600_000
  assert.deepEqual(['2026-03-29', '2026-10-25', '2026-11-21'].map(hoursOf), [23, 25, 24])
  // Midnight itself is skipped there: the day begins at one.
  assert.equal(startOfDay('2026-04-24', 0, 'Africa/Cairo'), '2026-04-23T22:00:00.000Z')
  setFormats({ locale: null, timezone: 'Pacific/Auckland' })
  assert.deepEqual(toTimes({ from: '2026-11-01', to: '2026-11-01' }), {
    from: '2026-10-31T11:00:00.000Z',
    to: '2026-11-01T11:00:00.000Z',
  })
})

test('an empty field has no time, and an invalid text stays for the server to refuse', () => {
  assert.equal(toLocalTime(null), '')
  assert.equal(fromLocalTime(''), null)
  assert.equal(fromLocalTime('tomorrow'), 'tomorrow')
})

test('a change of the preferences keeps the zone of the workspace of the page', () => {
  const preferences = { timezone: null, locale: null, weekStart: null }
  const noonInZone = () => toLocalTime('2026-11-21T12:00:00.000Z')
  setFormats(preferences, 'Asia/Tokyo')
  setFormats({ ...preferences, locale: 'de' })
  assert.equal(noonInZone(), '2026-11-21T21:00')
  setFormats({ ...preferences, timezone: 'Asia/Kathmandu' })
  assert.equal(noonInZone(), '2026-11-21T17:45')
  setFormats(preferences)
  assert.equal(noonInZone(), '2026-11-21T21:00')
})
