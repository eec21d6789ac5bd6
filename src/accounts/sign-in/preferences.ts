import { Type, type Static } from 'typebox'
import { invalid, itIs } from '../../platform/core/errors.ts'
import { LANGUAGES, type Language } from '../../platform/facts/languages.ts'
import { checkTimeZone, TimeZoneInput } from '../../platform/resources/zone.ts'
import { described, named, object } from '../../platform/routes/shape.ts'
import { integer, nullable, text } from '../../platform/resources/shapes.ts'

const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const fields = {
  timezone: nullable(
    described(
      TimeZoneInput,
      'IANA name of the time zone in which clients show times; null: the workspace’s.',
    ),
  ),
  language: described(
    Type.Unsafe<Language | null>({ type: ['string', 'null'], enum: [...LANGUAGES, null] }),
    'Language of mails and of clients, such as the dashboard. A sign-up takes it from `Accept-Language`. Null: English mails; null, or one that a client lacks: the browser’s.',
    'de',
  ),
  locale: nullable(
    text(
      'BCP 47 tag of the language and region of numbers and dates; null: the language’s.',
      'de',
      {
        minLength: 1,
        maxLength: 64,
      },
    ),
  ),
  weekStart: nullable(
    integer('First day of a week, 1 (Monday) to 7 (Sunday); null: the locale’s.', 1, {
      minimum: 1,
      maximum: 7,
    }),
  ),
  theme: described(
    Type.Unsafe<Theme | null>({ type: ['string', 'null'], enum: [...THEMES, null] }),
    'Colors; `system` follows the device, as null does.',
    'dark',
  ),
}

/** Null for a choice that the user has not made. */
export const Preferences = object('Preferences', fields)
export type Preferences = Static<typeof Preferences>

/** Only these fields, so that a misspelled one is refused. */
export const UpdatePreferences = named(
  'UpdatePreferences',
  Type.Partial(Type.Object(fields), { additionalProperties: false }),
)
export type UpdatePreferences = Static<typeof UpdatePreferences>

/** The column `users.preferences`: only fields with a value. */
export type StoredPreferences = { [Name in keyof Preferences]?: NonNullable<Preferences[Name]> }

export function toPreferences(stored: StoredPreferences): Preferences {
  const { timezone = null, language = null, locale = null } = stored
  const { weekStart = null, theme = null } = stored
  return { timezone, language, locale, weekStart, theme }
}

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
