import type { Point } from '../charts/line-chart.tsx'
import { getLocale, getWeekStart } from '../kit/locale.ts'

export type Granularity = 'hour' | 'day' | 'week' | 'month'
/** Something that was counted from a time on, until the next bucket. */
type Bucket = { start: string; value: number; imported?: number }

/** Names of buckets on the axis. */
export const SHORT: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
}
const LONG: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
}

/** @param compared buckets of another period, by their place; null: none */
export function toPoints(
  series: readonly Bucket[],
  compared: readonly Bucket[] | null,
  timeZone: string,
  granularity: Granularity,
): Point[] {
  const short = new Intl.DateTimeFormat(getLocale(), { ...SHORT[granularity], timeZone })
  const long = new Intl.DateTimeFormat(getLocale(), { ...LONG[granularity], timeZone })
  const isoDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  const firstDay = isoDays[getWeekStart() - 1]
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone })
  return series.map(({ start, value, imported = 0 }, index) => {
    const at = new Date(start)
    const before = compared?.[index]
    const dayName = weekday.format(at)
    return {
      label: short.format(at),
      longLabel: long.format(at),
      value,
      imported,
      before: before?.value ?? null,
      beforeLabel: before ? short.format(new Date(before.start)) : null,
      isWeekend: granularity === 'day' && dayName.startsWith('S'),
      isWeekStart: granularity === 'day' && dayName === firstDay,
      isOpen: index === series.length - 1,
    }
  })
}
