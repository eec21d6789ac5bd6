import type { Answered, Context, Row } from '../api.ts'
import { textOf } from '../fields.ts'
import { findDomainId } from './domains.ts'
import { listOfPage, readPage } from './pages.ts'
import { findShortUrl } from './short-urls.ts'
import { parseDate, toDate, toSummary } from './short-url.ts'

type Click = {
  kind: string
  timestamp: string
  referrer: string
  browser: string
  os: string
  country: string | null
  region: string | null
  city: string | null
  destinationUrl: string
  link: { shortUrl: string }
}
type Filter = { linkId?: string; tag?: string; domain?: string }

const TEN_YEARS_MS = 3_600 * 86_400_000

export const visitRows = {
  'GET /rest/v3/visits': { handle: summarize },
  'GET /rest/v3/visits/non-orphan': {
    handle: async (context) => list(context, await toDomainFilter(context)),
  },
  'GET /rest/v3/visits/orphan': { handle: listNone },
  'DELETE /rest/v3/visits/orphan': { handle: () => ({ body: { deletedVisits: 0 } }) },
  'GET /rest/v3/short-urls/:shortCode/visits': {
    handle: async (context) => list(context, { linkId: (await findShortUrl(context)).id }),
  },
  'GET /rest/v3/tags/:tag/visits': {
    handle: async (context) =>
      list(context, { tag: context.params.tag!, ...(await toDomainFilter(context)) }),
  },
  'GET /rest/v3/domains/:domain/visits': {
    handle: async (context) =>
      list(context, { domain: await findDomainId(context, context.params.domain!) }),
  },
} as const satisfies Record<string, Row>

async function toDomainFilter(context: Context): Promise<Filter> {
  const domain = textOf(context.query, 'domain')
  return domain === undefined ? {} : { domain: await findDomainId(context, domain) }
}

/** Visits of unknown addresses are not kept. */
async function summarize({ call }: Context): Promise<Answered> {
  const count = async (includeBots: boolean) => {
    const { data } = await call<{ totalClicks: number }>('GET', '/analytics/overview', {
      query: { days: 1, includeBots },
    })
    return data.totalClicks
  }
  const [nonBots, total] = [await count(false), await count(true)]
  const nonOrphanVisits = toSummary(nonBots, Math.max(total - nonBots, 0))
  return { body: { visits: { nonOrphanVisits, orphanVisits: toSummary(0) } } }
}

async function listNone({ call, query }: Context): Promise<Answered> {
  // A key that may not read visits may not read none of them either.
  await call('GET', '/analytics/events', { query: { limit: 1 } })
  return { body: { visits: listOfPage([], readPage(query), 0) } }
}

async function list({ call, query }: Context, filter: Filter): Promise<Answered> {
  const page = readPage(query)
  const { data, meta } = await call<Click[]>('GET', '/analytics/events', {
    query: {
      ...filter,
      ...page.slice,
      ...toPeriod(query),
      kind: textOf(query, 'excludeBots') === 'true' ? 'human' : 'all',
    },
  })
  return { body: { visits: listOfPage(data.map(toVisit), page, meta.total) } }
}

/** Without a start, the ten years before the end, which is the longest period of `/v1`. */
function toPeriod(query: Context['query']) {
  const [startDate, endDate] = [textOf(query, 'startDate'), textOf(query, 'endDate')]
  const end = endDate && parseDate(endDate, 'endDate')
  if (startDate) return { start: parseDate(startDate, 'startDate'), end }
  if (!end || Date.parse(end) > Date.now()) return { interval: 'all' }
  return { start: new Date(Date.parse(end) - TEN_YEARS_MS).toISOString(), end }
}

/** The program of a visitor is kept by its names alone. */
function toVisit(click: Click) {
  return {
    referer: click.referrer === 'direct' ? '' : click.referrer,
    date: toDate(click.timestamp),
    userAgent: `${click.browser} ${click.os}`,
    visitLocation:
      click.country === null
        ? null
        : {
            countryCode: click.country,
            countryName: click.country,
            regionName: click.region ?? '',
            cityName: click.city ?? '',
            latitude: null,
            longitude: null,
            timezone: null,
            isEmpty: false,
          },
    potentialBot: click.kind !== 'human',
    visitedUrl: click.link.shortUrl,
    redirectUrl: click.destinationUrl,
  }
}
