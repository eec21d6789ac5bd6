import { invalid } from '../../platform/core/errors.ts'
import { itIs } from '../../platform/routes/refused-value.ts'
import { checkTimeZone } from '../../platform/resources/time-zone.ts'
import type { Preferences, UpdatePreferences } from './preference-shapes.ts'

/** The column `users.preferences`: only fields with a value. */
export type StoredPreferences = { [Name in keyof Preferences]?: NonNullable<Preferences[Name]> }

export function toPreferences(stored: StoredPreferences): Preferences {
  const { timezone = null, locale = null, weekStart = null, theme = null } = stored
  return { timezone, locale, weekStart, theme }
}

/**
 * The change to store; null resets a field.
 * @throws ApiError VALIDATION_ERROR with the path of the field
 */
export function checkPreferences(input: UpdatePreferences): UpdatePreferences {
  const { timezone, locale } = input
  return {
    ...input,
    ...(timezone && { timezone: checkTimeZone(timezone, 'preferences.timezone') }),
    ...(locale && { locale: checkLocale(locale, 'preferences.locale') }),
  }
}

function checkLocale(tag: string, path: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0]!
  } catch {
    throw invalid(path, `${path} must be a BCP 47 language tag, such as en-GB${itIs(path, tag)}.`)
  }
}
