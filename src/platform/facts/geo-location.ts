import { at, firstDivision, label, toPlace, UNKNOWN, type Fields } from './geo-fields.ts'

/** Location of an address by a geo database. Names are English; null is unknown. */
export type GeoLocation = {
  /** ISO 3166-1 alpha-2. */
  country: string | null
  countryName: string | null
  /** ISO 3166-2, as in `US-CA`; with a name after the dash if the database has no code. */
  region: string | null
  regionName: string | null
  city: string | null
  /** `AF AN AS EU NA OC SA`. */
  continent: string | null
  /** Degrees north and east. */
  latitude: number | null
  longitude: number | null
  /** A name of the IANA database. */
  timezone: string | null
  /** Whether the country belongs to the European Union; null without a country. */
  isEu: boolean | null
}

export const NO_LOCATION: GeoLocation = Object.freeze({
  country: null,
  countryName: null,
  region: null,
  regionName: null,
  city: null,
  continent: null,
  latitude: null,
  longitude: null,
  timezone: null,
  isEu: null,
})

/** Members, and the parts of members that have a country code of their own and belong to the union. */
const EUROPEAN_UNION = new Set(
  `AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
    AX GF GP MF MQ RE YT`.split(/\s+/),
)

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

export function toLocation(fields: Fields): GeoLocation {
  const place = toPlace(fields)
  const country = known(place.country)
  return {
    country,
    countryName: country === null ? null : (countryNames.of(country) ?? null),
    region: known(place.region),
    regionName: country === null ? null : readRegionName(fields),
    city: known(place.city),
    continent: known(place.continent),
    ...readPosition(fields),
    timezone: label(at(fields, 'location', 'time_zone')) ?? label(fields['timezone']),
    isEu: country === null ? null : EUROPEAN_UNION.has(country),
  }
}

function readRegionName(fields: Fields): string | null {
  return (
    label(at(firstDivision(fields), 'names', 'en')) ??
    label(fields['state1']) ??
    label(fields['region'])
  )
}

/** Both coordinates or none. */
function readPosition(fields: Fields): Pick<GeoLocation, 'latitude' | 'longitude'> {
  const latitude = degrees(at(fields, 'location', 'latitude') ?? fields['latitude'], 90)
  const longitude = degrees(at(fields, 'location', 'longitude') ?? fields['longitude'], 180)
  if (latitude === null || longitude === null) return { latitude: null, longitude: null }
  return { latitude, longitude }
}

/** Some databases have coordinates as texts. */
function degrees(value: unknown, max: number): number | null {
  const isText = typeof value === 'string' && value.trim() !== ''
  const number = isText ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return null
  return Math.abs(number) <= max ? number : null
}

function known(value: string): string | null {
  return value === UNKNOWN ? null : value
}
