/** The user's language, time zone and first weekday; without a locale, the browser's. */
let locale: string | undefined
let weekStart: number | null = null
let zoneOfWorkspace: string | null = null
let timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Takes the user's preferences. The browser decides what is null.
 * @param workspaceZone for a user without a time zone of their own; left out, it stays as it is
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
  // The browser's may not be a language tag: some say `en-US@posix`.
  const { locale: resolved } = new Intl.DateTimeFormat(locale).resolvedOptions()
  const own = new Intl.Locale(resolved) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
  }
  return own.getWeekInfo?.().firstDay ?? 1
}

export function getLocale(): string | undefined {
  return locale
}

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Kept, since making one takes a hundred times as long as using it, and a list uses hundreds. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = JSON.stringify([locale, options])
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, format)
  return format
}

export function formatNumber(value: number): string {
  return numberFormat().format(value)
}
