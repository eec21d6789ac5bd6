import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Counted } from '../questions/counting.ts'
import { BREAKDOWN_NAMES } from '../questions/dimensions.ts'
import { toMeta, type Question, type Subject } from '../questions/question.ts'
import { MAX_LABELS, toBreakdowns } from './breakdowns.ts'
import { countAll, toEarned, type EarnedParts } from './conversions.ts'
import type { LinkAnalyticsQuery, OverviewQuery } from './schema.ts'

const WANTED = {
  lifetime: true,
  labels: { dimensions: BREAKDOWN_NAMES, limit: MAX_LABELS + 1 },
} as const

/** The spec's "Link analytics". */
export async function link(
  deps: AnalyticsDeps,
  principal: Principal,
  id: string,
  query: LinkAnalyticsQuery,
  signal?: AbortSignal,
) {
  const { slug, ...answer } = await ask(
    deps,
    principal,
    { name: 'link', subject: { linkId: id }, query, signal },
    async (read, question) => {
      const row = await loadLink(deps, principal, id)
      const guess = question.scope.level === 'links' ? row.clicksEver : undefined
      return { slug: row.slug, ...(await countAll(read, question, WANTED, guess)) }
    },
  )
  return page({ link: { id, slug }, ...toNumbers(answer) }, toMeta(answer.question, answer.earned))
}

async function loadLink({ sql }: AnalyticsDeps, { workspaceId }: Principal, id: string) {
  const [row] = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ slug: string; clicksEver: number }[]>`
      select l.slug, coalesce(c.clicks, 0) as clicks_ever
      from links l left join link_clicks c on c.link_id = l.id
      where l.id = ${id} and l.workspace_id = ${workspaceId}`,
  )
  if (!row) throw new ApiError('NOT_FOUND', 'This link does not exist.')
  return row
}

/** The same numbers as for one link, over all links that subject and filters select. */
export async function overview(
  deps: AnalyticsDeps,
  principal: Principal,
  subject: Subject,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  const answer = await ask(
    deps,
    principal,
    { name: 'overview', subject, query, signal },
    (read, question) => countAll(read, question, WANTED),
  )
  return page(
    { ...toNumbers(answer), links: answer.question.scope.links },
    toMeta(answer.question, answer.earned),
  )
}

/** The same numbers for the clicks on a domain; `links` counts the links that are on it today. */
export async function domain(
  deps: AnalyticsDeps,
  principal: Principal,
  id: string,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  const { workspaceId } = principal
  const answer = await overview(deps, principal, { domainId: id }, query, signal)
  const [row] = await inWorkspace(
    deps.sql,
    workspaceId,
    (tx) => tx<[{ links: number }]>`
      select count(*) as links from links
      where domain_id = ${id} and workspace_id = ${workspaceId}`,
  )
  return page({ ...answer.data, links: row.links }, answer.meta)
}

function toNumbers({
  counted,
  earned,
  question: { imported },
}: {
  counted: Counted
  earned: EarnedParts
  question: Question
}) {
  return {
    totalClicks: counted.lifetime + imported,
    ...toTotals(counted),
    breakdowns: toBreakdowns(counted, BREAKDOWN_NAMES),
    botClicks: counted.current.bots,
    totalImportedClicks: imported,
    approximate: counted.isApproximate,
    ...toEarned(earned),
  }
}

/** Clicks and visitors of the period, and their change from the period before. */
export function toTotals({ current, previous }: Pick<Counted, 'current' | 'previous'>) {
  return {
    periodClicks: current.clicks,
    periodChangePercent: changePercent(current.clicks, previous.clicks),
    uniqueVisitors: current.visitors,
    uniqueVisitorsChangePercent: changePercent(current.visitors, previous.visitors),
    hasEarlierPeriod: previous.clicks > 0,
  }
}

/** Two decimals; 100 when there were none before (contract, section 4). */
export function changePercent(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  // Adding zero turns -0 into 0.
  return Number((((now - before) / before) * 100).toFixed(2)) + 0
}
