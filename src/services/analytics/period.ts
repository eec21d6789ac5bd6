/** From `startMs` inclusive to `endMs` exclusive. */
export type Period = { startMs: number; endMs: number }

const DAY_MS = 86_400_000
/** Greater than the offset of any time zone. */
const WIDEST_OFFSET_MS = 16 * 3_600_000

/**
 * The last `days` calendar days of a time zone with today, and the same number of days before them
 * (contract, section 4). Calendar days have 23 or 25 hours when clocks change.
 * @throws RangeError when `timezone` is not an IANA name
 */
export function calendarPeriods(
  nowMs: number,
  days: number,
  timezone: string,
): { current: Period; previous: Period } {
  const dateAt = createDateReader(timezone)
  const today = Date.parse(dateAt(nowMs))
  const startOf = (offsetDays: number) => startOfDay(today + offsetDays * DAY_MS, dateAt)
  const startMs = startOf(1 - days)
  return {
    current: { startMs, endMs: startOf(1) },
    previous: { startMs: startOf(1 - 2 * days), endMs: startMs },
  }
}

/** The first instant whose local date is not before the given one (a date as its midnight in UTC). */
function startOfDay(date: number, dateAt: (ms: number) => string): number {
  const wanted = new Date(date).toISOString().slice(0, 10)
  let before = date - WIDEST_OFFSET_MS
  let at = date + WIDEST_OFFSET_MS
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (dateAt(middle) < wanted) before = middle
    else at = middle
  }
  return at
}

/** Reads an instant's local date as `2026-11-21`. */
function createDateReader(timezone: string): (ms: number) => string {
  // Intl also accepts offsets such as +02:00, which do not follow clock changes.
  if (!/^[A-Za-z]/.test(timezone)) throw new RangeError('not an IANA time zone')
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (ms) => {
    const [month = '', day = '', year = ''] = format.format(ms).split('/')
    return `${year}-${month}-${day}`
  }
}
