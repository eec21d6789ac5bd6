import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { breakdown } from '../answers/breakdowns.ts'
import { readDubEarned, type DubEarned, type DubType } from './dub-conversions.ts'
import { LABEL_GROUPS, type DubQuery } from './dub-shapes.ts'
import { overview } from '../answers/overview.ts'
import type { AnalyticsDeps, toMeta } from '../questions/question.ts'
import { timeseries } from '../answers/timeseries.ts'
import { nameLinks, topLinks } from '../answers/top-links.ts'

const ROWS = { limit: 1_000, offset: 0 }

/** Clicks and types of conversions that each event of Dub counts. */
const COUNTED = {
  clicks: { hasClicks: true, types: [] },
  leads: { hasClicks: false, types: ['leads'] },
  sales: { hasClicks: false, types: ['sales'] },
  composite: { hasClicks: true, types: ['leads', 'sales'] },
} as const satisfies Record<DubQuery['event'], { hasClicks: boolean; types: readonly DubType[] }>

type Question = ReturnType<typeof toOwnNames> & { includeBots: boolean }
type Group = DubQuery['groupBy']
/** Clicks by what a row stands for, as of {@link DubEarned}. */
type Clicks = ReadonlyMap<string, number>

/**
 * Answers a question in the words of Dub's API, for clients that were written for it. Rows of clicks come first, in their
 * order; those that have leads or sales alone follow.
 */
export async function dub(
  deps: AnalyticsDeps,
  principal: Principal,
  { event, groupBy, ...query }: DubQuery,
  signal?: AbortSignal,
) {
  const { hasClicks, types } = COUNTED[event]
  const question = { ...toOwnNames(query), includeBots: false }
  const counted = hasClicks ? await readClicks(deps, principal, question, groupBy, signal) : null
  const asked = { groupBy, types, most: ROWS.limit }
  const converted =
    types.length > 0 ? await readDubEarned(deps, principal, question, asked, signal) : null
  const earned = converted?.earned ?? new Map<DubType, DubEarned>()
  const meta = (counted ?? converted)!.meta
  const toCounts = (key: string) => ({
    ...(counted && { clicks: counted.clicks.get(key) ?? 0 }),
    ...toDubCounts(earned, key),
  })
  if (groupBy === 'count') return page(toCounts(''), meta)
  const parts = [...(counted ? [counted.clicks] : []), ...earned.values()]
  const all = new Set(parts.flatMap((rows) => [...rows.keys()]))
  const keys = [...all].slice(0, ROWS.limit)
  const toRow = await toRowNames(deps, principal, groupBy, keys)
  return page(
    keys.map((key) => ({ ...toRow(key), ...toCounts(key) })),
    meta,
  )
}

function toDubCounts(earned: ReadonlyMap<DubType, DubEarned>, key: string) {
  const [leads, sales] = [earned.get('leads'), earned.get('sales')]
  return {
    ...(leads && { leads: leads.get(key)?.conversions ?? 0 }),
    ...(sales && {
      sales: sales.get(key)?.conversions ?? 0,
      saleAmount: sales.get(key)?.value ?? 0,
    }),
  }
}

async function readClicks(
  deps: AnalyticsDeps,
  principal: Principal,
  question: Question,
  groupBy: Group,
  signal: AbortSignal | undefined,
): Promise<{ clicks: Clicks; meta: ReturnType<typeof toMeta> }> {
  if (groupBy === 'count') {
    const { data, meta } = await overview(deps, principal, question, signal)
    return { clicks: new Map([['', data.periodClicks]]), meta }
  }
  if (groupBy === 'timeseries') {
    const { data, meta } = await timeseries(deps, principal, {}, question, signal)
    return { clicks: new Map(data.map(({ start, clicks }) => [start, clicks])), meta }
  }
  if (groupBy === 'top_links') {
    const { data, meta } = await topLinks(deps, principal, { ...question, ...ROWS }, signal)
    return { clicks: new Map(data.map(({ link, clicks }) => [link.id, clicks])), meta }
  }
  const { dimension } = LABEL_GROUPS[groupBy]
  const { data, meta } = await breakdown(
    deps,
    principal,
    {},
    dimension,
    { ...question, ...ROWS },
    signal,
  )
  const clicked = data.filter(({ clicks }) => clicks > 0)
  return { clicks: new Map(clicked.map(({ label, clicks }) => [label, clicks])), meta }
}

/** The fields of a row that say what it stands for. */
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
  const named = await nameLinks(
    deps,
    principal,
    keys.map((label) => ({ label, clicks: 0, visitors: 0 })),
    new Map(),
  )
  const links = new Map(named.map(({ link }) => [link.id, link]))
  return (id: string) => {
    const { slug, shortUrl } = links.get(id)!
    return { link: id, id, key: slug, shortLink: shortUrl }
  }
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
