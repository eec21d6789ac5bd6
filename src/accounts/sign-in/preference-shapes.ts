import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { integer, nullable, text } from '../../platform/resources/shapes.ts'
import { TimeZoneInput } from '../../platform/resources/time-zone.ts'

const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const fields = {
  timezone: nullable(
    described(
      TimeZoneInput,
      'IANA name of the time zone in which clients show times; null: that of the workspace.',
    ),
  ),
  locale: nullable(
    text('BCP 47 tag of the language and region of numbers and dates; null: the browser’s.', 'de', {
      minLength: 1,
      maxLength: 64,
    }),
  ),
  weekStart: nullable(
    integer('First day of a week, 1 (Monday) to 7 (Sunday); null: that of the locale.', 1, {
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

/** Choices of the user; null for a choice that was not made. */
export const Preferences = named('Preferences', Type.Object(fields))
export type Preferences = Static<typeof Preferences>

/** Only these fields, so that a misspelled choice is not lost in silence. */
export const UpdatePreferences = named(
  'UpdatePreferences',
  Type.Partial(Type.Object(fields), { additionalProperties: false }),
)
export type UpdatePreferences = Static<typeof UpdatePreferences>
