import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { countConversions, type Earned } from './conversions.ts'
import type { Counted } from '../questions/counted.ts'
import { count } from '../questions/counting.ts'
import { BREAKDOWN_NAMES } from '../questions/dimensions.ts'
import { changePercent } from './change.ts'
import { MAX_LABELS, toBreakdowns } from '../questions/labels.ts'
import { readQuestion, toMeta, type AnalyticsDeps, type Subject } from '../questions/question.ts'
import type { LinkAnalyticsQuery, OverviewQuery } from './schema.ts'

const LABELS = { dimensions: BREAKDOWN_NAMES, limit: MAX_LABELS + 1 }

/**
 * The spec's "Link analytics". ClickHouse has the numbers, PostgreSQL the owner of the link.
 * @throws ApiError VALIDATION_ERROR for a wrong period or filter; RATE_LIMITED beyond the bounds of user
 *   and workspace
 */
export async function link(
  deps: AnalyticsDeps,
  principal: Principal,
  id: string,
  query: LinkAnalyticsQuery,
  signal?: AbortSignal,
) {
  const question = await readQuestion(deps, principal, { linkId: id }, query, signal)
  const key = JSON.stringify(['link', principal.workspaceId, id, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const { slug, clicksEver } = await loadLink(deps.sql, principal, id)
    const both = await deps.reader.run(principal, stop, async (read) => ({
      counted: await count(
        read,
        question,
        { lifetime: true, labels: LABELS },
        question.scope.level === 'links' ? clicksEver : undefined,
      ),
      earned: await countConversions(read, question, {}),
    }))
    return { slug, ...both, ...question }
  })
  const { slug, counted, earned } = answer
  const numbers = { ...toNumbers(counted, answer.imported), ...toEarned(earned) }
  return page({ link: { id, slug }, ...numbers }, toMeta(answer, earned))
}

async function loadLink(sql: TenantSql, principal: Principal, id: string) {
  const [row] = await inWorkspace(
    sql,
    principal.workspaceId,
    (tx) => tx<{ slug: string; clicksEver: number }[]>`
      select l.slug, coalesce(c.clicks, 0) as clicks_ever
      from links l left join link_clicks c on c.link_id = l.id
      where l.id = ${id} and l.workspace_id = ${principal.workspaceId}`,
  )
  if (!row) throw new ApiError('NOT_FOUND', 'This link does not exist.')
  return row
}

/** The numbers of a link's answer over all links that the filters name. */
export function overview(
  deps: AnalyticsDeps,
  principal: Principal,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  return sumUp(deps, principal, {}, query, signal)
}

/** The same over the links that are in a campaign today. */
export function campaign(
  deps: AnalyticsDeps,
  principal: Principal,
  id: string,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  return sumUp(deps, principal, { campaignId: id }, query, signal)
}

/** The same over the clicks on a domain; `links` are those that are on it today. */
export async function domain(
  deps: AnalyticsDeps,
  principal: Principal,
  id: string,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  const answer = await sumUp(deps, principal, { domainId: id }, query, signal)
  const links = await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [row] = await tx<[{ links: number }]>`
      select count(*) as links from links
      where domain_id = ${id} and workspace_id = ${principal.workspaceId}`
    return row.links
  })
  return page({ ...answer.data, links }, answer.meta)
}

async function sumUp(
  deps: AnalyticsDeps,
  principal: Principal,
  subject: Subject,
  query: OverviewQuery,
  signal?: AbortSignal,
) {
  const question = await readQuestion(deps, principal, subject, query, signal)
  const key = JSON.stringify(['overview', principal.workspaceId, subject, query])
  const answer = await deps.answers.ask(key, signal, async (stop) => {
    const both = await deps.reader.run(principal, stop, async (read) => ({
      counted: await count(read, question, { lifetime: true, labels: LABELS }),
      earned: await countConversions(read, question, {}),
    }))
    return { ...both, ...question }
  })
  const { counted, earned } = answer
  const { links } = answer.scope
  return page(
    { ...toNumbers(counted, answer.imported), links, ...toEarned(earned) },
    toMeta(answer, earned),
  )
}

export function toEarned({ conversions, value }: Earned): Earned {
  return { conversions, value }
}

function toNumbers(counted: Counted, imported: number) {
  const { current } = counted
  return {
    totalClicks: counted.lifetime + imported,
    ...toTotals(counted),
    breakdowns: toBreakdowns(counted, BREAKDOWN_NAMES),
    botClicks: current.bots,
    totalImportedClicks: imported,
    approximate: counted.isApproximate,
  }
}

/** Clicks and visitors of the period, and their change against the period before. */
export function toTotals({ current, previous }: Pick<Counted, 'current' | 'previous'>) {
  return {
    periodClicks: current.clicks,
    periodChangePercent: changePercent(current.clicks, previous.clicks),
    uniqueVisitors: current.visitors,
    uniqueVisitorsChangePercent: changePercent(current.visitors, previous.visitors),
    hasEarlierPeriod: previous.clicks > 0,
  }
}
