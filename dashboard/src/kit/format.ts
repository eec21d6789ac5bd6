import { getLanguage } from '../text/load.ts'
import { formatNumber, getLocale, getTimeZone, numberFormat } from './locale.ts'

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** A format is slow to make, so each is kept. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([getLocale(), options])
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(getLocale(), options)
  dateFormats.set(key, format)
  return format
}

/** 12,408 stays; 1,240,800 becomes 1.24M. */
export function formatCompact(value: number): string {
  if (Math.abs(value) < 100_000) return formatNumber(value)
  return numberFormat({
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).format(value)
}

/** @param value in percent: 12.4 becomes "12.4%" and 74 "74.0%", so that a column lines up; 0 and 100 stay whole */
export function formatPercent(value: number): string {
  const minimumFractionDigits = value === 0 || value === 100 ? 0 : 1
  const digits = { minimumFractionDigits, maximumFractionDigits: 1 }
  return numberFormat({ style: 'percent', ...digits }).format(value / 100)
}

/** @param currency as ISO 4217 names it, in any case */
export function formatMoney(value: number, currency: string): string {
  return numberFormat({
    style: 'currency',
    currency: currency.toUpperCase(),
    trailingZeroDisplay: 'stripIfInteger',
  }).format(value)
}

/** @param value in the smallest unit of the currency: cents, or yen */
export function formatMinorUnits(value: number, currency: string): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
  }).resolvedOptions()
  return formatMoney(value / 10 ** maximumFractionDigits, currency)
}

export function formatDateTime(iso: string, zone = getTimeZone()): string {
  return dateFormat({
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(new Date(iso))
}

export function formatDay(iso: string, zone = getTimeZone()): string {
  return dateFormat({ dateStyle: 'medium', timeZone: zone }).format(new Date(iso))
}

/** For narrow columns: "17 Nov, 15:26", and in another year than the present "17 Nov 2025". */
export function formatShort(iso: string, nowMs: number, zone = getTimeZone()): string {
  const yearOf = (at: number | Date) => dateFormat({ year: 'numeric', timeZone: zone }).format(at)
  const at = new Date(iso)
  if (yearOf(at) !== yearOf(nowMs)) return formatDay(iso, zone)
  return dateFormat({
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  }).format(at)
}

/** Hours and minutes, for an axis: 14:00. */
export function formatHour(iso: string, zone = getTimeZone()): string {
  return dateFormat({ timeStyle: 'short', timeZone: zone }).format(new Date(iso))
}

/** "November 2026" of the months of a plan, which are those of UTC. @param month 2026-11 */
export function formatMonth(month: string): string {
  return dateFormat({
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`))
}

/** With seconds, for logs: 14:03:21. */
export function formatClock(iso: string, zone = getTimeZone()): string {
  return dateFormat({ timeStyle: 'medium', timeZone: zone }).format(new Date(iso))
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()

/** "2 minutes ago", "in 3 days"; within a minute "now". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000
  const key = getLocale() ?? ''
  const format =
    relativeFormats.get(key) ?? new Intl.RelativeTimeFormat(getLocale(), { numeric: 'auto' })
  relativeFormats.set(key, format)
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  return format.format(0, 'second')
}

/** @param ms 184 becomes "184 ms", 1204 "1.204 s" */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${formatNumber(Math.round(ms))} ms`
  return `${numberFormat({ maximumFractionDigits: ms < 10_000 ? 2 : 0 }).format(ms / 1_000)} s`
}

const SPANS: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** A wait: 30_400 becomes "30 sec", 125_000 "2 min". */
export function formatSpan(ms: number): string {
  const [unit, size] = SPANS.find(([, least]) => ms >= least) ?? ['second', 1_000]
  const style = { style: 'unit', unit, unitDisplay: 'short' } as const
  return numberFormat({ ...style, maximumFractionDigits: 0 }).format(ms / size)
}

/** "Poster, Spring, and Autumn". */
export function formatList(names: readonly string[]): string {
  return new Intl.ListFormat(getLanguage()).format(names)
}

const displayNames = new Map<string, Intl.DisplayNames>()

function namesOf(type: 'region' | 'language'): Intl.DisplayNames {
  const key = `${type} ${getLanguage()}`
  let names = displayNames.get(key)
  if (!names) {
    names = new Intl.DisplayNames(getLanguage(), { type })
    displayNames.set(key, names)
  }
  return names
}

/** The name of a country of ISO 3166-1; the code itself where the browser knows none. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (namesOf('region').of(code) ?? code) : code
}

/** The name of a language of ISO 639; the code itself where the browser knows none. */
export function formatLanguage(code: string): string {
  return /^[a-z]{2,3}$/.test(code) ? (namesOf('language').of(code) ?? code) : code
}
