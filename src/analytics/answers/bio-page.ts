import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { PageBlock } from '../../platform/facts/bio-page.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import { count, type Counted } from '../questions/counting.ts'
import { VIEW_BREAKDOWN_NAMES } from '../questions/dimensions.ts'
import { toLabelConditions } from '../questions/filters.ts'
import { toSeries } from '../questions/period.ts'
import { toIso, toMeta } from '../questions/question.ts'
import { toLinksScope } from '../questions/scope.ts'
import type { BioPageAnalyticsQuery } from './bio-page-schema.ts'
import { MAX_LABELS, toBreakdowns } from './breakdowns.ts'
import { changePercent } from './overview.ts'

type LinkBlock = { id: string; title: string; linkId: string }
type ShownPage = { id: string; slug: string; title: string; blocks: LinkBlock[] }

/**
 * Views and visitors of a bio page, and the clicks of the links of its blocks, wherever they were clicked.
 * @throws ApiError VALIDATION_ERROR for a wrong period or filter
 */
export async function bioPage(
  deps: AnalyticsDeps,
  principal: Principal,
  id: string,
  query: BioPageAnalyticsQuery,
  signal?: AbortSignal,
) {
  const { shown, views, clicks, bounds, granularity, question } = await ask(
    deps,
    principal,
    { name: 'bio-page', subject: { bioPageId: id }, query, signal },
    async (read, asked) => {
      const series = toSeries(asked, query.granularity)
      const buckets = series.bounds
      const loaded = await loadPage(deps.sql, principal, id)
      const linkIds = [...new Set(loaded.blocks.map(({ linkId }) => linkId))]
      const scope = toLinksScope(principal.workspaceId, linkIds, toLabelConditions(query))
      const labels = { dimensions: VIEW_BREAKDOWN_NAMES, limit: MAX_LABELS + 1 }
      return {
        ...series,
        shown: loaded,
        views: await count(read, asked, { lifetime: true, buckets, labels }),
        clicks: await count(read, { ...asked, scope }, { linkIds, buckets }),
      }
    },
  )
  const { blocks, ...about } = shown
  const periodViews = views.current.clicks
  return page(
    {
      page: about,
      ...toNumbers(views),
      periodClicks: clicks.current.clicks,
      clickRate: toRate(clicks.current.clicks, periodViews),
      blocks: toBlocks(blocks, clicks, periodViews),
      timeseries: toBucketRows(bounds, views, clicks),
      breakdowns: toBreakdowns(views, VIEW_BREAKDOWN_NAMES),
      approximate: views.isApproximate || clicks.isApproximate,
    },
    { ...toMeta(question), granularity },
  )
}

async function loadPage(
  sql: TenantSql,
  { workspaceId }: Principal,
  id: string,
): Promise<ShownPage> {
  const [row] = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<(Omit<ShownPage, 'blocks'> & { blocks: PageBlock[] })[]>`
      select id, slug, title, blocks from bio_pages
      where id = ${id} and workspace_id = ${workspaceId}`,
  )
  if (!row) throw new ApiError('NOT_FOUND', 'This page does not exist.')
  const blocks = row.blocks.flatMap(({ id: blockId, title, linkId }) =>
    linkId === null ? [] : [{ id: blockId, title: title ?? '', linkId }],
  )
  return { ...row, blocks }
}

function toNumbers({ lifetime, current, previous }: Counted) {
  return {
    totalViews: lifetime,
    periodViews: current.clicks,
    periodViewsChangePercent: changePercent(current.clicks, previous.clicks),
    uniqueVisitors: current.visitors,
    uniqueVisitorsChangePercent: changePercent(current.visitors, previous.visitors),
    hasEarlierPeriod: previous.clicks > 0,
  }
}

function toBlocks(blocks: readonly LinkBlock[], { links }: Counted, views: number) {
  const byLink = new Map(links.map((row) => [row.label, row]))
  return blocks.map((block) => {
    const { clicks = 0, visitors = 0 } = byLink.get(block.linkId) ?? {}
    return { ...block, clicks, uniqueVisitors: visitors, clickRate: toRate(clicks, views) }
  })
}

function toBucketRows(bounds: readonly number[], views: Counted, clicks: Counted) {
  return bounds.slice(0, -1).map((startMs) => {
    const seen = views.buckets.get(startMs)
    return {
      start: toIso(startMs),
      views: seen?.clicks ?? 0,
      uniqueVisitors: seen?.visitors ?? 0,
      clicks: clicks.buckets.get(startMs)?.clicks ?? 0,
    }
  })
}

function toRate(clicks: number, views: number): number | null {
  return views === 0 ? null : Number((clicks / views).toFixed(4))
}
