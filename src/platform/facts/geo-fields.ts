const COUNTRIES = {
  AF: `AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR
    MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW`,
  AN: `AQ BV GS HM TF`,
  AS: `AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN
    MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE`,
  EU: `AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU
    LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK`,
  NA: `AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM
    PR SV SX TC TT US VC VG VI`,
  OC: `AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS`,
  SA: `AR BO BR CL CO EC FK GF GY PE PY SR UY VE`,
}

export const CONTINENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES).flatMap(([continent, countries]) =>
    countries.split(/\s+/).map((country) => [country, continent] as const),
  ),
)

/** Analytics labels: country `DE`, region `US-CA` (a name after the dash if there is no code), continent `EU`. */
export type Place = { country: string; region: string; city: string; continent: string }

const MAX_LABEL_LENGTH = 80
export const UNKNOWN = 'unknown'
export const UNKNOWN_PLACE: Place = Object.freeze({
  country: UNKNOWN,
  region: UNKNOWN,
  city: UNKNOWN,
  continent: UNKNOWN,
})

export type Fields = Record<string, unknown>

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

function firstDivision(fields: Fields): unknown {
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

export type GeoLocation = {
  country: string | null
  countryName: string | null
  region: string | null
  regionName: string | null
  city: string | null
  continent: string | null
  latitude: number | null
  longitude: number | null
  timezone: string | null
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

/** Members, and parts of members with their own country code. */
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

function readPosition(fields: Fields): Pick<GeoLocation, 'latitude' | 'longitude'> {
  const latitude = degrees(at(fields, 'location', 'latitude') ?? fields['latitude'], 90)
  const longitude = degrees(at(fields, 'location', 'longitude') ?? fields['longitude'], 180)
  if (latitude === null || longitude === null) return { latitude: null, longitude: null }
  return { latitude, longitude }
}

function degrees(value: unknown, max: number): number | null {
  const isText = typeof value === 'string' && value.trim() !== ''
  const number = isText ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return null
  return Math.abs(number) <= max ? number : null
}

function known(value: string): string | null {
  return value === UNKNOWN ? null : value
}
