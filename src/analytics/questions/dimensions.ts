/**
 * The labels of a click: their columns in `clicks`, what they say, and the group whose labels depend on
 * each other and share a projection (docs/decisions/0025).
 */
export const DIMENSIONS = {
  country: entry('country', 'places', 'ISO country of the visitor.', 'DE'),
  region: entry('region', 'places', 'Region of the visitor.', 'DE-BE'),
  city: entry('city', 'places', 'City of the visitor.', 'Berlin'),
  continent: entry('continent', 'places', 'Continent of the visitor.', 'EU'),
  device: entry('device', 'agents', 'Kind of device.', 'desktop'),
  browser: entry('browser', 'agents', 'Name of the browser.', 'Firefox'),
  os: entry('os', 'agents', 'Name of the operating system.', 'Linux'),
  referrer: entry(
    'referrer',
    'sources',
    'Host of the page with the link; `direct` without one.',
    'direct',
  ),
  language: entry('language', 'campaigns', 'Preferred language of the browser.', 'de'),
  trigger: entry('trigger', 'sources', '`qr` for scanned codes, else `link`.', 'link'),
  utmSource: entry('utm_source', 'campaigns', '`utm_source` of the click.', 'newsletter'),
  utmMedium: entry('utm_medium', 'campaigns', '`utm_medium` of the click.', 'email'),
  utmCampaign: entry('utm_campaign', 'campaigns', '`utm_campaign` of the click.', 'spring'),
  utmTerm: entry('utm_term', 'campaigns', '`utm_term` of the click.', 'shoes'),
  utmContent: entry('utm_content', 'campaigns', '`utm_content` of the click.', 'button'),
  destination: entry(
    'destination',
    'destinations',
    'Destination of the click.',
    'https://example.com/spring',
  ),
  route: entry(
    'route',
    'sources',
    'The option of the link that chose the destination; `default` without one.',
    'default',
  ),
  domain: entry(
    'domain_id',
    'sources',
    'Id of the domain of the click; `default` for the shared host.',
    'default',
  ),
} as const satisfies Record<string, DimensionEntry>

/** Labels that depend on each other. In the rows by link the destinations are among the sources. */
export type Group = 'places' | 'agents' | 'sources' | 'campaigns' | 'destinations'

type DimensionEntry = { column: string; group: Group; about: string; example: string }

export type Dimension = keyof typeof DIMENSIONS
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as Dimension[]

/** The breakdowns of a link's answer (contract, section 4); `route` and `domain` have routes of their own. */
export const BREAKDOWN_NAMES = DIMENSION_NAMES.filter(
  (name) => name !== 'route' && name !== 'domain',
) as Exclude<Dimension, 'route' | 'domain'>[]
export type BreakdownName = (typeof BREAKDOWN_NAMES)[number]

export const VIEW_BREAKDOWN_NAMES = BREAKDOWN_NAMES.filter(
  (name) => name !== 'destination',
) as Exclude<BreakdownName, 'destination'>[]

/** The label of a click without one; null: it is not counted, since it was not tagged. */
export function labelOfEmpty(name: Dimension): string | null {
  if (name.startsWith('utm')) return null
  return name === 'domain' ? 'default' : 'unknown'
}

function entry<const Column extends string, const G extends Group>(
  column: Column,
  group: G,
  about: string,
  example: string,
) {
  return { column, group, about, example }
}
