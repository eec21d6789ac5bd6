import { getTimeZone } from './locale.ts'

/**
 * Times as fields of dates take them, in the zone in which every time is shown: that of the user or of the
 * workspace. The browser's own zone, which the fields of the browser mean, may be another one.
 */

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A time as `<input type=datetime-local>` takes it. */
export function toLocalTime(iso: string | null, zone = getTimeZone()): string {
  if (iso === null) return ''
  const at = Date.parse(iso)
  return new Date(at + offsetMs(at, zone)).toISOString().slice(0, 16)
}

/** A time as the clocks of a zone show it, with their offset: 2026-09-25T00:00:00+12:00. */
export function toOffsetTime(iso: string, zone: string): string {
  const minutes = Math.round(offsetMs(Date.parse(iso), zone) / MINUTE_MS)
  const digits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const offset = `${digits(Math.abs(minutes) / 60)}:${digits(Math.abs(minutes) % 60)}`
  return `${toLocalTime(iso, zone)}:00${minutes < 0 ? '-' : '+'}${offset}`
}

/** The time of such a field; null: it is empty. A text that is no time stays, for the server to refuse at its field. */
export function fromLocalTime(value: string, zone = getTimeZone()): string | null {
  if (value === '') return null
  const wall = Date.parse(`${value}Z`)
  return Number.isNaN(wall) ? value : new Date(toInstant(wall, zone)).toISOString()
}

/** The beginning of a day, such as 2026-11-01, or of one that is later by a number of days. */
export function startOfDay(day: string, daysLater = 0, zone = getTimeZone()): string {
  const wall = Date.parse(`${day}T00:00Z`) + daysLater * DAY_MS
  return new Date(toInstant(wall, zone)).toISOString()
}

/** The times of a request: the start of the first day, and of the day after the last. */
export function toTimes({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: string
  to?: string
} {
  return {
    ...(from ? { from: startOfDay(from) } : {}),
    ...(to ? { to: startOfDay(to, 1) } : {}),
  }
}

/**
 * The instant at which clocks of the zone show a time. Of the two when the clock is set back it is the first;
 * a time that the clock skips is as much later as the clock is set forward.
 * @param wall what the clocks show, as if it were UTC
 */
function toInstant(wall: number, zone: string): number {
  const [before, after] = [offsetMs(wall - DAY_MS, zone), offsetMs(wall + DAY_MS, zone)]
  const shown = [wall - before, wall - after].filter((at) => at + offsetMs(at, zone) === wall)
  return shown.length > 0 ? Math.min(...shown) : wall - before
}

/** By how much clocks of the zone are ahead of UTC. */
function offsetMs(at: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(at)
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  const shown = Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  )
  return shown - Math.floor(at / 1_000) * 1_000
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US-u-nu-latn', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(timeZone, clock)
  return clock
}
