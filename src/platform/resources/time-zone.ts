import { invalid } from '../core/errors.ts'
import { itIs } from '../routes/refused-value.ts'
import { text } from './shapes.ts'

const TIME_ZONE_MAX_CHARS = 64

export const TimeZoneInput = text('IANA name of a time zone.', 'Europe/Berlin', {
  minLength: 1,
  maxLength: TIME_ZONE_MAX_CHARS,
})

/** @returns the canonical IANA name */
export function toCanonicalZone(name: string): string {
  // Intl also accepts offsets such as +02:00, which do not follow clock changes.
  if (!/^[A-Za-z]/.test(name)) throw new RangeError('not an IANA time zone')
  return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
}

/** Corrects the case only. Another name of a zone is kept, since Intl calls `Asia/Kolkata` by its former name. */
export function checkTimeZone(name: string, path: string): string {
  try {
    const canonical = toCanonicalZone(name)
    return canonical.toLowerCase() === name.toLowerCase() ? canonical : name
  } catch {
    throw invalid(
      path,
      `${path} must be the IANA name of a time zone, such as Europe/Berlin${itIs(path, name)}.`,
    )
  }
}
