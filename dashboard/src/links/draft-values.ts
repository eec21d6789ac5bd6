/** A list as a text of parts with commas between them. */
export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** A time as `<input type=datetime-local>` takes it, in the zone of the browser. */
export function toLocalTime(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** A text that is no time stays as it is, for the server to refuse at its field. */
export function fromLocalTime(value: string): string {
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}
