import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { breakdown } from './breakdowns.ts'
import { LABEL_GROUPS, type DubQuery, type LabelGroup } from './dub-shapes.ts'
import { overview } from './overview.ts'
import type { AnalyticsDeps } from './question.ts'
import { timeseries } from './timeseries.ts'
import { topLinks } from './top-links.ts'

const ROWS = { limit: 1_000, offset: 0 }

/** The counts of a row under the names of Dub. Conversions are not counted, so leads and sales are 0. */
const COUNTS = {
  clicks: (clicks: number) => ({ clicks }),
  leads: () => ({ leads: 0 }),
  sales: () => ({ sales: 0, saleAmount: 0 }),
  composite: (clicks: number) => ({ clicks, leads: 0, sales: 0, saleAmount: 0 }),
} as const

/** Answers a question in the words of Dub's API, for clients that were written for it. */
export async function dub(
  deps: AnalyticsDeps,
  who: Who,
  { event, groupBy, ...query }: DubQuery,
  signal?: AbortSignal,
) {
  const toCounts = COUNTS[event]
  const question = { ...toOwnNames(query), includeBots: false }
  if (groupBy === 'count') {
    const { data, meta } = await overview(deps, who, question, signal)
    return page(toCounts(data.periodClicks), meta)
  }
  if (groupBy === 'timeseries') {
    const { data, meta } = await timeseries(deps, who, {}, question, signal)
    return page(
      data.map((row) => ({ start: row.start, ...toCounts(row.clicks) })),
      meta,
    )
  }
  if (groupBy === 'top_links') {
    const { data, meta } = await topLinks(deps, who, { ...question, ...ROWS }, signal)
    const rows = data.map(({ link, clicks }) => ({
      link: link.id,
      id: link.id,
      key: link.slug,
      shortLink: link.shortUrl,
      ...toCounts(clicks),
    }))
    return page(rows, meta)
  }
  const { dimension, field } = LABEL_GROUPS[groupBy satisfies LabelGroup]
  const { data, meta } = await breakdown(deps, who, {}, dimension, { ...question, ...ROWS }, signal)
  return page(
    data.map((row) => ({ [field]: row.label, ...toCounts(row.clicks) })),
    meta,
  )
}

/** Filters whose names differ. */
function toOwnNames({
  referer: referrer,
  url: destination,
  utm_source: utmSource,
  utm_medium: utmMedium,
  utm_campaign: utmCampaign,
  utm_term: utmTerm,
  utm_content: utmContent,
  ...same
}: Omit<DubQuery, 'event' | 'groupBy'>) {
  const renamed = { referrer, destination, utmSource, utmMedium, utmCampaign, utmTerm, utmContent }
  const given = Object.entries(renamed).filter(([, value]) => value !== undefined)
  return { ...same, ...(Object.fromEntries(given) as Partial<typeof renamed>) }
}
