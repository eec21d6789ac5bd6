/** A time as `<input type=datetime-local>` takes it, in the zone of the browser. */
export function toLocalTime(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** The time of such a field; null: it is empty. */
export function fromLocalTime(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString()
}
