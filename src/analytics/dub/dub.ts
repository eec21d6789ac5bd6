import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { toLabels } from '../answers/breakdowns.ts'
import {
  countAll,
  countConversions,
  NOTHING_EARNED,
  type Earned,
  type EarnedParts,
} from '../answers/conversions.ts'
import { nameLinks } from '../answers/top-links.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Counted } from '../questions/counting.ts'
import { toSeries } from '../questions/period.ts'
import { toIso, toMeta } from '../questions/question.ts'
import { LABEL_GROUPS, type DubQuery } from './dub-shapes.ts'

type Group = DubQuery['groupBy']
/** Numbers by what a row stands for: the start of a bucket, the id of a link, a label, or '' for the period. */
type Rows<T> = ReadonlyMap<string, T>

const MAX_ROWS = 1_000

/** Clicks and types of conversions that each event of Dub counts. */
const COUNTED = {
  clicks: { hasClicks: true, types: [] },
  leads: { hasClicks: false, types: ['lead'] },
  sales: { hasClicks: false, types: ['sale'] },
  composite: { hasClicks: true, types: ['lead', 'sale'] },
} as const

/**
 * Answers a question in the words of Dub's API, for clients that were written for it. Rows with clicks come first; rows
 * with only leads or sales follow.
 */
export async function dub(
  deps: AnalyticsDeps,
  principal: Principal,
  { event, groupBy, ...query }: DubQuery,
  signal?: AbortSignal,
) {
  const { hasClicks, types } = COUNTED[event]
  const own = { ...toOwnNames(query), includeBots: false }
  const answer = await ask(
    deps,
    principal,
    { name: `dub ${event} ${groupBy}`, query: own, signal },
    async (read, question) => {
      const bounds = groupBy === 'timeseries' ? toSeries(question, query.granularity).bounds : []
      const clicks = hasClicks ? await countAll(read, question, toWanted(groupBy, bounds)) : null
      const earned = new Map<string, EarnedParts>()
      for (const type of types) {
        const { topLinks, labels } = toWanted(groupBy, bounds)
        const wanted = {
          type,
          buckets: bounds,
          ...(topLinks && { topLinks: topLinks.limit }),
          ...(labels && { dimensions: labels.dimensions }),
        }
        earned.set(type, await countConversions(read, question, wanted))
      }
      return { bounds, clicks, earned }
    },
  )
  const { bounds, clicks } = answer
  const counted = clicks && toClicks(groupBy, clicks.counted, bounds)
  const [leads, sales] = ['lead', 'sale'].map((type) => {
    const parts = answer.earned.get(type)
    return parts && toEarnedRows(groupBy, parts, bounds)
  })
  const ofTypes = [...answer.earned.values()].flatMap(({ currencies }) => currencies)
  const meta = toMeta(answer.question, {
    hasLabelVisitors: hasClicks && groupBy in LABEL_GROUPS,
    currencies: clicks?.earned.currencies ?? [...new Set(ofTypes)].toSorted(),
  })
  const toCounts = (key: string) => ({
    ...(counted && { clicks: counted.get(key) ?? 0 }),
    ...(leads && { leads: leads.get(key)?.conversions ?? 0 }),
    ...(sales && {
      sales: sales.get(key)?.conversions ?? 0,
      saleAmount: sales.get(key)?.value ?? 0,
    }),
  })
  if (groupBy === 'count') return page(toCounts(''), meta)
  const all = [counted, leads, sales].flatMap((rows) => [...(rows?.keys() ?? [])])
  const keys = [...new Set(all)].slice(0, MAX_ROWS)
  const toRow = await toRowNames(deps, principal, groupBy, keys)
  return page(
    keys.map((key) => ({ ...toRow(key), ...toCounts(key) })),
    meta,
  )
}

function toWanted(groupBy: Group, buckets: readonly number[]) {
  if (groupBy === 'count') return {}
  if (groupBy === 'timeseries') return { buckets }
  if (groupBy === 'top_links') return { topLinks: { limit: MAX_ROWS, offset: 0 } }
  // One more label, for clicks without the parameter.
  const { dimension } = LABEL_GROUPS[groupBy]
  return { labels: { dimensions: [dimension], limit: MAX_ROWS + 1 } }
}

function toClicks(groupBy: Group, counted: Counted, bounds: readonly number[]): Rows<number> {
  if (groupBy === 'count') return new Map([['', counted.current.clicks]])
  if (groupBy === 'timeseries')
    return bySeries(bounds, (startMs) => counted.buckets.get(startMs)?.clicks ?? 0)
  const rows =
    groupBy === 'top_links'
      ? counted.links.toSorted((a, b) => b.clicks - a.clicks || (a.label < b.label ? -1 : 1))
      : toLabels(counted, LABEL_GROUPS[groupBy].dimension).rows
  return new Map(rows.slice(0, MAX_ROWS).map(({ label, clicks }) => [label, clicks]))
}

function toEarnedRows(groupBy: Group, parts: EarnedParts, bounds: readonly number[]): Rows<Earned> {
  if (groupBy === 'count') return new Map([['', parts]])
  if (groupBy === 'timeseries')
    return bySeries(bounds, (startMs) => parts.buckets.get(startMs) ?? NOTHING_EARNED)
  const rows =
    groupBy === 'top_links' ? parts.links : parts.labels.get(LABEL_GROUPS[groupBy].dimension)!
  return new Map(
    [...rows].toSorted(
      ([a, ofA], [b, ofB]) => ofB.conversions - ofA.conversions || (a < b ? -1 : 1),
    ),
  )
}

function bySeries<T>(bounds: readonly number[], toValue: (startMs: number) => T): Rows<T> {
  return new Map(bounds.slice(0, -1).map((startMs) => [toIso(startMs), toValue(startMs)]))
}

async function toRowNames(
  deps: AnalyticsDeps,
  principal: Principal,
  groupBy: Exclude<Group, 'count'>,
  keys: readonly string[],
) {
  if (groupBy === 'timeseries') return (start: string) => ({ start })
  if (groupBy !== 'top_links') {
    const { field } = LABEL_GROUPS[groupBy]
    return (label: string) => ({ [field]: label })
  }
  const rows = keys.map((label) => ({ label, clicks: 0, visitors: 0 }))
  const named = await nameLinks(deps, principal, rows, new Map())
  const links = new Map(named.map(({ link }) => [link.id, link]))
  return (id: string) => {
    const { slug, shortUrl } = links.get(id)!
    return { link: id, id, key: slug, shortLink: shortUrl }
  }
}

/** Dub's filters, under Signpost's names. */
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
