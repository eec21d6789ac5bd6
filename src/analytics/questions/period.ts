import { invalid, itIs } from '../../platform/core/errors.ts'
import { FIRST_MS, LAST_MS, openZone, type Zone } from '../../platform/resources/zone.ts'
import { MAX_DAYS, type Granularity, type PeriodQuery } from './query.ts'
import { DAY_MS, HOUR_MS } from '../../platform/core/clock.ts'

/** From `startMs` inclusive to `endMs` exclusive. */
export type Period = { startMs: number; endMs: number }

export type Periods = {
  current: Period
  /** As many days, or as much time, before the current one. */
  previous: Period
  zone: Zone
}

const DEFAULT_DAYS = 30
const MAX_HOURS = 2_200
/** Up to these lengths a series has hours, or days, unless the query names a granularity. */
const HOURS_UP_TO_MS = 2 * DAY_MS
const DAYS_UP_TO_MS = 180 * DAY_MS

/**
 * The period of a query and the one before it (contract, section 4). Days are calendar days of the time zone, of 23
 * or 25 hours when clocks change; the last one is today.
 * @param bounds `oldestMs`: start of `interval=all`; `keptDays`: how many last days the plan keeps; null: all
 * @throws ApiError VALIDATION_ERROR for an unknown time zone, and a `start` that is not before `end`
 */
export function toPeriods(
  nowMs: number,
  query: PeriodQuery,
  bounds: { oldestMs: number; keptDays: number | null } = { oldestMs: nowMs, keptDays: null },
): Periods {
  const zone = toZone(query.timezone)
  const requested = toCurrent(nowMs, query, zone, bounds.oldestMs)
  const today = floorDay(zone.toLocal(nowMs))
  const keptMs =
    bounds.keptDays === null
      ? -Infinity
      : zone.fromLocal(today - (Math.max(bounds.keptDays, 1) - 1) * DAY_MS)
  const { endMs } = requested
  const startMs = Math.max(requested.startMs, Math.min(keptMs, endMs))
  const current = { startMs, endMs }
  return { current, previous: beforePeriod(current, zone), zone }
}

/**
 * The period that `compare` names: `previous`, `year` (the same dates a year before), or `start,end`.
 * @throws ApiError VALIDATION_ERROR for anything else
 */
export function toComparedPeriod(
  { current, previous, zone, keptDays }: Periods & { keptDays: number | null },
  compare: string,
  timezone: string,
  nowMs: number,
): Period {
  if (compare === 'previous') return previous
  if (compare === 'year') {
    const yearBefore = (ms: number) => {
      const date = new Date(zone.toLocal(ms))
      date.setUTCFullYear(date.getUTCFullYear() - 1)
      return zone.fromLocal(date.getTime())
    }
    return { startMs: yearBefore(current.startMs), endMs: yearBefore(current.endMs) }
  }
  const [start, end, ...rest] = compare.split(',')
  if (!start || !end || rest.length > 0)
    throw invalid(
      'compare',
      `compare must be previous, year, or a start and an end such as 2026-01-01,2026-01-31${itIs('compare', compare)}.`,
    )
  try {
    const bounds = { oldestMs: nowMs, keptDays }
    return toPeriods(nowMs, { days: 1, timezone, start, end }, bounds).current
  } catch (error) {
    throw invalid('compare', (error as Error).message)
  }
}

/** As many local days before a period of whole local days, else as much time. */
export function beforePeriod({ startMs, endMs }: Period, zone: Zone): Period {
  const [start, end] = [zone.toLocal(startMs), zone.toLocal(endMs)]
  const isWholeDays = isMidnight(zone, startMs) && isMidnight(zone, endMs)
  if (!isWholeDays) return { startMs: startMs - (endMs - startMs), endMs: startMs }
  const days = Math.round((floorDay(end) - floorDay(start)) / DAY_MS)
  return { startMs: zone.fromLocal(floorDay(start) - days * DAY_MS), endMs: startMs }
}

/**
 * The starts of the buckets of a series, from the start of the period, and its end.
 * @throws ApiError VALIDATION_ERROR for more hours than a series may have
 */
export function toBuckets(
  { startMs, endMs }: Period,
  granularity: Granularity,
  zone: Zone,
): number[] {
  const inside =
    granularity === 'hour'
      ? toHours(startMs, endMs, zone)
      : toCalendarStarts(startMs, endMs, granularity, zone)
  return [startMs, ...inside, endMs]
}

/** The granularity and the buckets of a series. */
export function toSeries({ current, zone }: Periods, requested?: Granularity) {
  const granularity = toGranularity(current, requested)
  return { granularity, bounds: toBuckets(current, granularity, zone) }
}

/** Hours up to two days, days up to 180, else months. */
function toGranularity({ startMs, endMs }: Period, requested?: Granularity): Granularity {
  if (requested) return requested
  const lengthMs = endMs - startMs
  // A local day may have 25 hours.
  if (lengthMs <= HOURS_UP_TO_MS + HOUR_MS) return 'hour'
  return lengthMs <= DAYS_UP_TO_MS + HOUR_MS ? 'day' : 'month'
}

function toCurrent(nowMs: number, query: PeriodQuery, zone: Zone, oldestMs: number): Period {
  if (query.start !== undefined || query.end !== undefined) return toNamed(nowMs, query, zone)
  const today = floorDay(zone.toLocal(nowMs))
  const endMs = zone.fromLocal(today + DAY_MS)
  const since = (local: number) => ({ startMs: zone.fromLocal(local), endMs })
  const date = new Date(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (query.interval) {
    case '24h': {
      // Not by the local clock, which shows an hour twice when clocks change.
      const [end = nowMs] = zone.hoursBetween(nowMs, nowMs + HOUR_MS + 1)
      return { startMs: end - DAY_MS, endMs: end }
    }
    case 'mtd':
      return since(Date.UTC(year, month, 1))
    case 'qtd':
      return since(Date.UTC(year, month - (month % 3), 1))
    case 'ytd':
      return since(Date.UTC(year, 0, 1))
    case 'all': {
      const oldest = floorDay(zone.toLocal(Math.min(oldestMs, nowMs)))
      return since(Math.max(oldest, today - (MAX_DAYS - 1) * DAY_MS))
    }
    default: {
      const days = query.interval ? DAYS[query.interval] : (query.days ?? DEFAULT_DAYS)
      return since(today - (days - 1) * DAY_MS)
    }
  }
}

const DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const

/** `start` and `end`: an instant, or a local date, which as an end includes its day. */
function toNamed(nowMs: number, { start, end }: PeriodQuery, zone: Zone): Period {
  const endMs = end === undefined ? nowMs : toInstant(end, 'end', zone, DAY_MS)
  const startMs =
    start === undefined
      ? zone.fromLocal(floorDay(zone.toLocal(endMs - 1)) - (DEFAULT_DAYS - 1) * DAY_MS)
      : toInstant(start, 'start', zone, 0)
  if (startMs >= endMs) throw invalid('start', 'start must be before end.')
  if (endMs - startMs > (MAX_DAYS + 1) * DAY_MS)
    throw invalid(
      'start',
      `start must be at most ${MAX_DAYS} days before end; it is ${Math.ceil((endMs - startMs) / DAY_MS)} days before.`,
    )
  return { startMs, endMs }
}

function toInstant(value: string, path: string, zone: Zone, addedMs: number): number {
  const ms = Date.parse(value)
  const isInCalendar = isDate(value.slice(0, 'yyyy-mm-dd'.length))
  if (!INSTANT.test(value) || !isInCalendar || !(ms >= FIRST_MS && ms < LAST_MS))
    throw invalid(
      path,
      `${path} must be a time such as 2026-01-31T00:00:00Z or a date such as 2026-01-31, from 2000 to 2099${itIs(path, value)}.`,
    )
  return value.length === 'yyyy-mm-dd'.length ? zone.fromLocal(ms + addedMs) : ms
}

/** Date.parse takes 30 February as 2 March. */
function isDate(date: string): boolean {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

/** Date.parse takes other forms as local times of this machine. */
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i

function toHours(startMs: number, endMs: number, zone: Zone): number[] {
  if ((endMs - startMs) / HOUR_MS > MAX_HOURS)
    throw invalid(
      'granularity',
      `granularity must be day, week or month for more than ${MAX_HOURS} hours.`,
    )
  return zone.hoursBetween(startMs, endMs)
}

function toCalendarStarts(
  startMs: number,
  endMs: number,
  granularity: 'day' | 'week' | 'month',
  zone: Zone,
): number[] {
  const starts: number[] = []
  for (let local = zone.toLocal(startMs); ;) {
    local = NEXT[granularity](floorDay(local))
    const at = zone.fromLocal(local)
    if (at >= endMs) return starts
    // A day that the zone skipped has no instant of its own.
    if (at > (starts.at(-1) ?? startMs)) starts.push(at)
  }
}

/** The next start after a local midnight. Weeks begin on Monday. */
const NEXT = {
  day: (local: number) => local + DAY_MS,
  week: (local: number) => local + (7 - ((new Date(local).getUTCDay() + 6) % 7)) * DAY_MS,
  month: (local: number) => {
    const date = new Date(local)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  },
} as const

function isMidnight(zone: Zone, ms: number): boolean {
  return zone.fromLocal(floorDay(zone.toLocal(ms))) === ms
}

function floorDay(localMs: number): number {
  return Math.floor(localMs / DAY_MS) * DAY_MS
}

function toZone(timezone: string): Zone {
  try {
    return openZone(timezone)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalid(
      'timezone',
      `timezone must be the IANA name of a time zone, such as Europe/Paris${itIs('timezone', timezone)}.`,
    )
  }
}
