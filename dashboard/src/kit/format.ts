/** Numbers and times as the user reads them. `undefined` as locale is that of the browser. */
let locale: string | undefined
let weekStart: number | null = null
let zoneOfWorkspace: string | null = null
let timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * The preferences of the user; null: those of the browser.
 * @param workspaceZone the zone of a user without an own one, null: that of the browser; absent: as before
 */
export function setFormats(
  preferences: {
    locale: string | null
    timezone: string | null
    weekStart?: number | null
  },
  workspaceZone: string | null = zoneOfWorkspace,
): void {
  zoneOfWorkspace = workspaceZone
  weekStart = preferences.weekStart ?? null
  locale = preferences.locale ?? undefined
  timeZone =
    preferences.timezone ?? workspaceZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

export function getTimeZone(): string {
  return timeZone
}

/** The first day of a week: 1 (Monday) to 7 (Sunday). */
export function getWeekStart(): number {
  if (weekStart !== null) return weekStart
  const own = new Intl.Locale(locale ?? navigator.language) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
  }
  return own.getWeekInfo?.().firstDay ?? 1
}

export function getLocale(): string | undefined {
  return locale
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale).format(value)
}

/** 12,408 stays; 1,240,800 becomes 1.24M. */
export function formatCompact(value: number): string {
  if (Math.abs(value) < 100_000) return formatNumber(value)
  return new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).format(value)
}

/** @param value in percent: 12.4 becomes "12.4%" */
export function formatPercent(value: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(
    value / 100,
  )
}

/** @param currency as ISO 4217 names it, in any case */
export function formatMoney(value: number, currency: string): string {
  return new Intl.NumberFormat(locale, {
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

export function formatDateTime(iso: string, zone = timeZone): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(new Date(iso))
}

export function formatDay(iso: string, zone = timeZone): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone }).format(
    new Date(iso),
  )
}

/** With seconds, for logs: 14:03:21. */
export function formatClock(iso: string, zone = timeZone): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone: zone }).format(
    new Date(iso),
  )
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "2 min. ago", "in 3 days"; within a minute "now". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  return format.format(0, 'second')
}

/** @param ms 184 becomes "184 ms", 1204 "1.204 s" */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${formatNumber(Math.round(ms))} ms`
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: ms < 10_000 ? 2 : 0 }).format(ms / 1_000)} s`
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
  return new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: 0 }).format(ms / size)
}

const countryNames = new Map<string, Intl.DisplayNames>()

/** The name of a country of ISO 3166-1; the code itself where the browser knows none. */
export function formatCountry(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  const key = locale ?? ''
  let names = countryNames.get(key)
  if (!names) {
    names = new Intl.DisplayNames(locale, { type: 'region' })
    countryNames.set(key, names)
  }
  return names.of(code) ?? code
}
