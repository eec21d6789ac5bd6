import { getTimeZone } from './format.ts'

/** A time as `<input type=datetime-local>` takes it, in the zone of the user. */
export function toLocalTime(iso: string | null): string {
  return iso === null ? '' : inZone(Date.parse(iso)).slice(0, 16)
}

/** The time of such a field; null: it is empty. */
export function fromLocalTime(value: string): string | null {
  if (value === '') return null
  const asUtc = Date.parse(`${value}Z`)
  // The zone has one offset at a time; near a change of the clocks that of the first guess may be another.
  const guess = asUtc - offsetMs(asUtc)
  return new Date(asUtc - offsetMs(guess)).toISOString()
}

/** 2026-01-31T14:03:21 */
function inZone(ms: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: getTimeZone(),
  })
  return format.format(ms).replace(' ', 'T')
}

function offsetMs(ms: number): number {
  return Date.parse(`${inZone(ms)}Z`) - Math.floor(ms / 1_000) * 1_000
}
