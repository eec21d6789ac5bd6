import type { Static } from 'typebox'
import type { ClickEventShape } from '../../analytics/clicks/events-schema.ts'
import type { Answered, Context, Rows } from '../api.ts'
import { textOf } from '../fields.ts'
import { findDomainId } from './domains.ts'
import { readPage, toPage } from './pages.ts'
import { findShortUrl } from './short-urls.ts'
import { parseDate, toDate, toSummary } from './short-url.ts'

type Click = Static<typeof ClickEventShape>
type Filter = { linkId?: string; tag?: string; domain?: string }

const TEN_YEARS_MS = 3_600 * 86_400_000

export const visitRows: Rows = {
  'GET /v3/visits': summarize,
  'GET /v3/visits/non-orphan': async (context) => list(context, await toDomainFilter(context)),
  'GET /v3/visits/orphan': async ({ call, query }) => {
    const page = readPage(query)
    // A key that may not read visits may not read none of them either.
    await call('GET', '/analytics/events', { query: page.slice })
    return { body: { visits: toPage([], 0, page) } }
  },
  'DELETE /v3/visits/orphan': () => ({ body: { deletedVisits: 0 } }),
  'GET /v3/short-urls/:shortCode/visits': async (context) =>
    list(context, { linkId: (await findShortUrl(context)).id }),
  'GET /v3/tags/:tag/visits': async (context) =>
    list(context, { tag: context.params['tag']!, ...(await toDomainFilter(context)) }),
  'GET /v3/domains/:domain/visits': async (context) =>
    list(context, { domain: await findDomainId(context, context.params['domain']!) }),
}

async function toDomainFilter(context: Context): Promise<Filter> {
  const domain = textOf(context.query, 'domain')
  return domain === undefined ? {} : { domain: await findDomainId(context, domain) }
}

/** Visits of unknown addresses are not kept. */
async function summarize({ call }: Context): Promise<Answered> {
  const count = async (includeBots: boolean) => {
    const query = { days: 1, includeBots }
    return (await call<{ totalClicks: number }>('GET', '/analytics/overview', { query })).data
  }
  const [{ totalClicks: nonBots }, { totalClicks: total }] = [await count(false), await count(true)]
  const nonOrphanVisits = toSummary(nonBots, Math.max(total - nonBots, 0))
  return { body: { visits: { nonOrphanVisits, orphanVisits: toSummary(0) } } }
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
  return { body: { visits: toPage(data.map(toVisit), meta.total, page) } }
}

/** Without a start, the ten years before the end, which is the longest period of `/v1`. */
function toPeriod(query: Context['query']) {
  const [start, endDate] = [textOf(query, 'startDate'), textOf(query, 'endDate')]
  const end = endDate && parseDate(endDate, 'endDate')
  if (start) return { start: parseDate(start, 'startDate'), end }
  if (!end || Date.parse(end) > Date.now()) return { interval: 'all' }
  return { start: new Date(Date.parse(end) - TEN_YEARS_MS).toISOString(), end }
}

function toVisit(click: Click) {
  const { referrer, timestamp, browser, os, country, region, city } = click
  const unknown = { latitude: null, longitude: null, timezone: null, isEmpty: false }
  const place = {
    ...{ countryCode: country, countryName: country, regionName: region ?? '' },
    ...{ cityName: city ?? '', ...unknown },
  }
  return {
    referer: referrer === 'direct' ? '' : referrer,
    date: toDate(timestamp),
    // The program of a visitor is kept by its names alone.
    userAgent: `${browser} ${os}`,
    visitLocation: country === null ? null : place,
    potentialBot: click.kind !== 'human',
    visitedUrl: click.link.shortUrl,
    redirectUrl: click.destinationUrl,
  }
}
