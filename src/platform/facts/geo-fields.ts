import { CONTINENTS } from './continents.ts'

/**
 * Location of an address, as analytics labels: country `DE`, region `US-CA` (a name after the dash
 * if the database has no code), city, continent `EU`. Unknown parts are `unknown`.
 */
export type Place = { country: string; region: string; city: string; continent: string }

const MAX_LABEL_LENGTH = 80
export const UNKNOWN = 'unknown'
export const UNKNOWN_PLACE: Place = Object.freeze({
  country: UNKNOWN,
  region: UNKNOWN,
  city: UNKNOWN,
  continent: UNKNOWN,
})

/** A record of an MMDB file of MaxMind, DB-IP or ip-location-db. */
export type Fields = Record<string, unknown>

/** The analytics labels of a record. */
export function toPlace(fields: Fields): Place {
  const country =
    code(fields['country_code']) ??
    code(at(fields, 'country', 'iso_code')) ??
    code(fields['country'])
  if (country === null) return { ...UNKNOWN_PLACE, continent: readContinent(fields, '') }
  return {
    country,
    region: readRegion(fields, country),
    city: label(fields['city']) ?? label(at(fields, 'city', 'names', 'en')) ?? UNKNOWN,
    continent: readContinent(fields, country),
  }
}

function readRegion(fields: Fields, country: string): string {
  const division = firstDivision(fields)
  const region =
    label(at(division, 'iso_code')) ??
    label(fields['region_code']) ??
    label(at(division, 'names', 'en')) ??
    label(fields['state1']) ??
    label(fields['region'])
  if (region === null) return UNKNOWN
  return region.startsWith(`${country}-`) ? region : `${country}-${region}`
}

/** The largest part of the country that the place is in. */
export function firstDivision(fields: Fields): unknown {
  return Array.isArray(fields['subdivisions']) ? fields['subdivisions'][0] : null
}

function readContinent(fields: Fields, country: string): string {
  return (
    code(at(fields, 'continent', 'code')) ??
    code(fields['continent_code']) ??
    code(fields['continent']) ??
    CONTINENTS.get(country) ??
    UNKNOWN
  )
}

export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === 'object' ? (found as Fields | null)?.[key] : undefined),
    value,
  )
}

function code(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : null
}

export function label(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_LABEL_LENGTH) : null
}
