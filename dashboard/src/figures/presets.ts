import type { FigureSearch, Period } from './search.ts'

export type Preset = {
  id: Period | 'today' | 'yesterday' | 'lastMonth'
  /** The part of the address that shows it. */
  change: Pick<FigureSearch, 'period' | 'start' | 'end'>
}

const DAY_MS = 86_400_000

/** Periods to choose from in one step. Days that have ended are named by their dates. @param today 2026-11-28 */
export function toPresets(today: string): Preset[] {
  const day = (daysAgo: number) => dayBefore(today, daysAgo)
  const lastOfMonth = day(Number(today.slice(8)))
  const ofDays = (id: Preset['id'], start: string, end: string): Preset => ({
    id,
    change: { period: undefined, start, end },
  })
  const toNow = (id: Period): Preset => ({
    id,
    change: { period: id, start: undefined, end: undefined },
  })
  return [
    ofDays('today', today, today),
    ofDays('yesterday', day(1), day(1)),
    toNow('24h'),
    toNow('7d'),
    toNow('30d'),
    toNow('mtd'),
    ofDays('lastMonth', `${lastOfMonth.slice(0, 8)}01`, lastOfMonth),
    toNow('qtd'),
    toNow('90d'),
    toNow('ytd'),
    toNow('1y'),
    toNow('all'),
  ]
}

/** Periods of whole days, for pages whose addresses have a first and a last day. @param today 2026-11-28 */
export function toDayPresets(today: string): { id: Preset['id']; start: string; end: string }[] {
  const day = (daysAgo: number) => dayBefore(today, daysAgo)
  return [
    { id: 'today', start: today, end: today },
    { id: 'yesterday', start: day(1), end: day(1) },
    { id: '7d', start: day(6), end: today },
    { id: '30d', start: day(29), end: today },
    { id: 'mtd', start: `${today.slice(0, 8)}01`, end: today },
    { id: '90d', start: day(89), end: today },
  ]
}

export function isChosen(
  { change }: Preset,
  { period = '30d', start, end }: FigureSearch,
): boolean {
  if (start && end) return change.start === start && change.end === end
  return change.period === period
}

function dayBefore(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
}
