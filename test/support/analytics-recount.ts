import {
  BREAKDOWN_NAMES,
  DIMENSION_NAMES,
  type Dimension,
} from '../../src/analytics/questions/dimensions.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/core/clock.ts'

/** A plain recount of clicks, one by one, with a calendar that knows nothing but Intl. */

export type Click = {
  linkId: string
  atMs: number
  kind: string
  visitor: bigint
  /** As they are stored. */
  labels: Record<Dimension, string>
  /** Of another service: on a day, without labels and visitor. */
  isImported?: true
}

export type Link = { id: string; campaignId: string; folderId: string; tags: string[] }

/** Values of a filter, as they are shown. */
export type Values = { values: string[]; isExcluded: boolean }

export type Asked = {
  period: {
    days?: number
    interval?: string
    start?: string
    end?: string
    timezone: string
  }
  includeBots: boolean
  granularity?: 'hour' | 'day' | 'week' | 'month'
  labels: Partial<Record<Dimension, Values>>
  links: Partial<Record<'linkId' | 'campaignId' | 'folderId' | 'tag', Values>>
}

const formats = new Map<string, Intl.DateTimeFormat>()
const texts = new Map<string, string>()

/** The local clock, as `yyyy-mm-dd, hh:mm:ss`. */
export function clockText(ms: number, timezone: string): string {
  const key = `${timezone} ${ms}`
  const known = texts.get(key)
  if (known) return known
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  formats.set(timezone, format)
  const text = format.format(ms)
  texts.set(key, text)
  return text
}

export function dateText(ms: number, timezone: string): string {
  return clockText(ms, timezone).slice(0, 10)
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The first and the last local date, or two instants. */
type Expected = { first: string; last: string } | { startMs: number; endMs: number }

/** The period of a question by the words of the contract; undefined bounds are instants of the answer. */
export function isPeriod(
  found: { startMs: number; endMs: number },
  { period }: Asked,
  nowMs: number,
  createdMs: number,
): boolean {
  const { timezone } = period
  const { startMs, endMs } = found
  const today = dateText(nowMs, timezone)
  const startsOn = (date: string) =>
    dateText(startMs, timezone) >= date && dateText(startMs - 1, timezone) < date
  const endsWith = (date: string) =>
    dateText(endMs, timezone) > date && dateText(endMs - 1, timezone) <= date
  if (period.start !== undefined || period.end !== undefined) {
    const isEnd =
      period.end === undefined
        ? endMs === nowMs
        : period.end.includes('T')
          ? endMs === Date.parse(period.end)
          : endsWith(period.end)
    const lastDate = dateText(endMs - 1, timezone)
    if (period.start === undefined) return isEnd && startsOn(addDays(lastDate, -29))
    return (
      isEnd &&
      (period.start.includes('T') ? startMs === Date.parse(period.start) : startsOn(period.start))
    )
  }
  const [year, month] = today.split('-') as [string, string]
  const quarter = String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0')
  const firsts: Record<string, string> = {
    '7d': addDays(today, -6),
    '30d': addDays(today, -29),
    '90d': addDays(today, -89),
    '1y': addDays(today, -364),
    mtd: `${year}-${month}-01`,
    qtd: `${year}-${quarter}-01`,
    ytd: `${year}-01-01`,
    all: dateText(Math.min(createdMs, nowMs), timezone),
  }
  if (period.interval === '24h')
    return (
      endMs - startMs === DAY_MS &&
      endMs > nowMs &&
      endMs - HOUR_MS <= nowMs &&
      isStartOfHour(endMs, timezone)
    )
  const first = period.interval ? firsts[period.interval]! : addDays(today, 1 - period.days!)
  return startsOn(first) && endsWith(today)
}

/** The clock shows a full hour, or has just been changed. */
export function isStartOfHour(ms: number, timezone: string): boolean {
  return clockText(ms, timezone).endsWith('00:00') || offsetMs(ms) !== offsetMs(ms - 1)
  function offsetMs(at: number): number {
    const [date, time] = clockText(at, timezone).split(', ')
    return Date.parse(`${date}T${time}Z`) - Math.floor(at / 1_000) * 1_000
  }
}

/** As many local days before a period of whole local days, else as much time. */
export function toPrevious({ startMs, endMs }: { startMs: number; endMs: number }, zone: string) {
  const isStartOfDay = (ms: number) => dateText(ms, zone) !== dateText(ms - 1, zone)
  const previous: Expected =
    isStartOfDay(startMs) && isStartOfDay(endMs)
      ? daysBefore(dateText(startMs, zone), dateText(endMs, zone))
      : { startMs: startMs - (endMs - startMs), endMs: startMs }
  return ({ atMs }: Click) =>
    atMs < startMs &&
    ('first' in previous
      ? dateText(atMs, zone) >= previous.first && dateText(atMs, zone) <= previous.last
      : atMs >= previous.startMs)
}

function daysBefore(first: string, next: string) {
  const days = (Date.parse(next) - Date.parse(first)) / DAY_MS
  return { first: addDays(first, -days), last: addDays(first, -1) }
}

/** The shown form of a stored label; null: the click is not in the breakdown. */
function shown(click: Click, name: Dimension): string | null {
  const stored = click.labels[name]
  if (stored !== '') return stored
  if (name.startsWith('utm')) return null
  return name === 'domain' ? 'default' : 'unknown'
}

function matches({ values, isExcluded }: Values, found: readonly string[]): boolean {
  return values.some((value) => found.includes(value)) !== isExcluded
}

/** The clicks that a question is about, of any time and of every kind but views. */
export function inScope(clicks: Click[], links: Map<string, Link>, asked: Asked): Click[] {
  const labels = Object.entries(asked.labels) as [Dimension, Values][]
  return clicks.filter(
    (click) =>
      click.kind !== 'view' &&
      isInSets(links.get(click.linkId), asked) &&
      labels.every(([name, values]) => matches(values, [shown(click, name) ?? ''])),
  )
}

/** Deleted links are in no set, and in every exclusion. */
export function isInSets(link: Link | undefined, { links }: Asked): boolean {
  const { linkId, campaignId, folderId, tag } = links
  return (
    (!linkId || matches(linkId, link ? [link.id] : [])) &&
    (!campaignId || matches(campaignId, link ? [link.campaignId] : [])) &&
    (!folderId || matches(folderId, link ? [link.folderId] : [])) &&
    (!tag || matches(tag, link ? link.tags : []))
  )
}

export type Way = 'exact' | 'estimated' | 'sampled'
/** One in so many visitors is counted. */
const SAMPLE = 4n

/** Unique visitors; an estimate counts the clicks without one as one visitor. */
export function visitorsOf(clicks: Click[], way: Way): number {
  const own = clicks.filter(({ isImported }) => !isImported)
  const visitors = new Set(own.map(({ visitor }) => visitor))
  if (way === 'exact') visitors.delete(0n)
  return Math.min(visitors.size, own.length)
}

/** Unique visitors of a label: few are known exactly, and of a sample the number is multiplied. */
function labelVisitorsOf(clicks: Click[], way: Way): number {
  const own = clicks.filter(({ isImported }) => !isImported)
  const visitors = new Set(own.map(({ visitor }) => visitor))
  visitors.delete(0n)
  if (way !== 'sampled') return visitors.size
  const sampled = [...visitors].filter((visitor) => visitor % SAMPLE === 0n).length
  return Math.min(Math.max(sampled * Number(SAMPLE), 1), own.length)
}

function changePercent(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  return Number((((now - before) / before) * 100).toFixed(2)) + 0
}

function percentOf(part: number, all: number): number {
  return Number(((part / all) * 100).toFixed(2))
}

function groupBy(clicks: Click[], keyOf: (click: Click) => string | null): [string, Click[]][] {
  const groups = new Map<string, Click[]>()
  for (const click of clicks) {
    const key = keyOf(click)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(click)
    else groups.set(key, [click])
  }
  return [...groups].toSorted(
    ([a, x], [b, y]) => y.length - x.length || Buffer.compare(Buffer.from(a), Buffer.from(b)),
  )
}

/** All rows of a breakdown. */
export function rowsOf(clicks: Click[], name: Dimension, way: Way) {
  const groups = groupBy(clicks, (click) => shown(click, name))
  const all = groups.reduce((sum, [, group]) => sum + group.length, 0)
  return groups.map(([label, group]) => ({
    label,
    clicks: group.length,
    uniqueVisitors: labelVisitorsOf(group, way),
    percent: percentOf(group.length, all),
    // These tests have no conversions.
    conversions: 0,
    value: 0,
  }))
}

export function topLinksOf(clicks: Click[], way: Way) {
  return groupBy(clicks, ({ linkId }) => linkId).map(([id, group]) => ({
    id,
    clicks: group.length,
    uniqueVisitors: visitorsOf(group, way),
  }))
}

/** The numbers of an overview. */
export function numbersOf(
  scoped: Click[],
  { includeBots }: Asked,
  isCurrent: (click: Click) => boolean,
  isPrevious: (click: Click) => boolean,
  way: Way,
) {
  const counted = scoped.filter(({ kind }) => includeBots || kind === 'human')
  const current = counted.filter(isCurrent)
  const previous = counted.filter(isPrevious)
  const visitors = [visitorsOf(current, way), visitorsOf(previous, way)] as const
  return {
    totalClicks: counted.length,
    totalImportedClicks: counted.filter(({ isImported }) => isImported).length,
    periodClicks: current.length,
    periodChangePercent: changePercent(current.length, previous.length),
    uniqueVisitors: visitors[0],
    uniqueVisitorsChangePercent: changePercent(...visitors),
    hasEarlierPeriod: previous.length > 0,
    botClicks: scoped.filter((click) => click.kind !== 'human' && isCurrent(click)).length,
    breakdowns: Object.fromEntries(
      BREAKDOWN_NAMES.map((name) => [name, breakdownOf(current, name)]),
    ),
  }
}

function breakdownOf(clicks: Click[], name: Dimension): [string, number][] {
  const rows = rowsOf(clicks, name, 'exact')
  const rest = rows.slice(100).reduce((sum, row) => sum + row.clicks, 0)
  const counts = new Map(rows.slice(0, 100).map((row) => [row.label, row.clicks]))
  if (rest > 0) counts.set('(other)', (counts.get('(other)') ?? 0) + rest)
  return [...counts]
}

/** Every local day, week (by its Monday) or month of a period, ascending. */
export function bucketKeysOf(
  { startMs, endMs }: { startMs: number; endMs: number },
  keyOf: (ms: number) => string,
): string[] {
  const keys = new Set<string>()
  // No day is shorter than 12 hours.
  for (let ms = startMs; ms < endMs; ms += DAY_MS / 2) keys.add(keyOf(ms))
  return [...keys.add(keyOf(endMs - 1))]
}

export function keyOfBucket(ms: number, granularity: string, timezone: string): string {
  const clock = clockText(ms, timezone)
  const date = clock.slice(0, 10)
  if (granularity === 'month') return date.slice(0, 7)
  if (granularity === 'hour') return clock.slice(0, 'yyyy-mm-dd, hh'.length)
  return granularity === 'day'
    ? date
    : addDays(date, -((new Date(Date.parse(date)).getUTCDay() + 6) % 7))
}

export const NO_LABELS = Object.fromEntries(DIMENSION_NAMES.map((name) => [name, ''])) as Record<
  Dimension,
  string
>
