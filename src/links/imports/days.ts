import { CellError } from './cell-error.ts'

/** Clicks of UTC days. */
export type Days = [day: string, clicks: number][]

export const MAX_DAYS = 5_000
/** Keeps sums over a million links exact. */
export const MAX_CLICKS = 1_000_000_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
const FIRST_DAY = '2000-01-01'
/** It is tomorrow in some time zones. */
const AHEAD_MS = 86_400_000

export function toDays(value: unknown): Days {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CellError('must be a JSON object of days and clicks, such as {"2026-01-31": 12}')
  const days = Object.entries(value)
  if (days.length > MAX_DAYS) throw new CellError(`must have at most ${MAX_DAYS} days`)
  for (const [day, clicks] of days) {
    if (!isDay(day))
      throw new CellError(`must have days such as 2026-01-31, none in the future: ${shown(day)}`)
    if (!Number.isInteger(clicks) || clicks < 0 || clicks > MAX_CLICKS)
      throw new CellError(`must have 0 to ${MAX_CLICKS} clicks for ${day}`)
  }
  return days as Days
}

export function sumOf(days: Days): number {
  return days.reduce((sum, [, clicks]) => sum + clicks, 0)
}

export function isDay(day: string): boolean {
  const last = new Date(Date.now() + AHEAD_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)
  return isDate(day) && day >= FIRST_DAY && day <= last
}

/** Date.parse takes 30 February as 2 March. */
function isDate(day: string): boolean {
  const ms = DAY.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function shown(day: string): string {
  return JSON.stringify(day.slice(0, 40))
}
