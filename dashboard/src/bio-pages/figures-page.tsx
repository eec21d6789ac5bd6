import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LineChart } from '../charts/line-chart.tsx'
import { FiguresSkeleton } from '../figures/figures-skeleton.tsx'
import { FilterBar } from '../figures/filter-bar.tsx'
import { PeriodBar } from '../figures/period-bar.tsx'
import { daysOf } from '../figures/queries.ts'
import { toPoints } from '../figures/points.ts'
import { toSearch, type FigureSearch } from '../figures/search.ts'
import { Total, TotalsGrid } from '../figures/total.tsx'
import { Caveats, CountedUpTo } from '../figures/totals.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatCompact, formatPercent } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Card, PageHead } from '../kit/layout.tsx'
import { Unread } from '../kit/object-page.tsx'
import { text } from '../text/bio-pages.ts'
import { PageBreakdowns } from './page-breakdowns.tsx'
import { PageStatus } from './page-status.tsx'
import { PageTabs } from './page-tabs.tsx'
import { bioPageQuery, pageFiguresQuery, type BioPage, type PageFigures } from './queries.ts'

const LIST = '/$workspaceId/bio-pages'
const FROM = '/signed-in/$workspaceId/bio-pages/$pageId/figures'

/** Views of a page, and clicks of its blocks. */
export function FiguresPage() {
  const { workspaceId, pageId } = useParams({ from: FROM })
  const read = useQuery(bioPageQuery(workspaceId, pageId))
  if (!read.data)
    return (
      <Unread
        to={LIST}
        title={text.bioPages.title}
        read={read}
        icon="smartphone"
        missing={text.bioPages.missing}
      />
    )
  return <Shown page={read.data.value} />
}

function Shown({ page }: { page: BioPage }) {
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: '/$workspaceId/bio-pages/$pageId/figures' })
  const figures = useQuery(pageFiguresQuery(page.workspaceId, page.id, search))
  const change = (part: Partial<FigureSearch>) =>
    void navigate({ search: (now) => toSearch(now, part), resetScroll: false })
  return (
    <>
      <PageHead title={page.title} note={<PageStatus page={page} />} />
      <PageTabs page={page} />
      <PeriodBar
        search={search}
        shown={figures.data && daysOf(figures.data.meta)}
        hasComparison={false}
        onChange={change}
      />
      <FilterBar scope={null} search={search} onChange={change}>
        {figures.data && <CountedUpTo asOf={figures.data.meta.asOf} />}
      </FilterBar>
      <ErrorNote error={figures.error} onRetry={() => void figures.refetch()} />
      {figures.isPending && <FiguresSkeleton />}
      {figures.data && (
        <div className={`flex flex-col gap-4 ${figures.isPlaceholderData ? 'opacity-60' : ''}`}>
          <PageTotals figures={figures.data} />
          <PageCaveats figures={figures.data} />
          <ViewSeries figures={figures.data} />
          <BlockClicks figures={figures.data} workspaceId={page.workspaceId} />
          <PageBreakdowns breakdowns={figures.data.data.breakdowns} onFilter={change} />
        </div>
      )}
    </>
  )
}

function PageTotals({ figures: { data } }: { figures: PageFigures }) {
  const { approximate, periodClicks, clickRate } = data
  return (
    <TotalsGrid>
      <Total
        isFirst
        label={text.bioPages.views}
        value={data.periodViews}
        changePercent={data.periodViewsChangePercent}
        hasEarlier={data.hasEarlierPeriod}
      />
      <Total
        label={approximate ? text.figures.visitorsAbout : text.figures.visitors}
        hint={approximate ? text.figures.approximate : undefined}
        value={data.uniqueVisitors}
        changePercent={data.uniqueVisitorsChangePercent}
        hasEarlier={data.hasEarlierPeriod}
      />
      <Total label={text.figures.clicks} value={periodClicks} />
      <Total
        label={text.bioPages.clickRate}
        value={clickRate ?? 0}
        format={() => showRate(clickRate)}
      />
    </TotalsGrid>
  )
}

function PageCaveats({ figures: { data, meta } }: { figures: PageFigures }) {
  const { approximate } = data
  return <Caveats meta={{ ...meta, approximate }} />
}

function ViewSeries({ figures: { data, meta } }: { figures: PageFigures }) {
  const buckets = data.timeseries.map(({ start, views }) => ({ start, value: views }))
  const granularity = meta.granularity ?? 'day'
  return (
    <Card title={text.bioPages.viewsTitle[granularity]} note={meta.timezone}>
      <div className="py-2">
        <LineChart
          points={toPoints(buckets, null, meta.timezone, granularity)}
          text={{
            now: text.figures.now,
            before: text.figures.before,
            describe: text.bioPages.seriesDescribe,
            format: formatCompact,
          }}
        />
      </div>
    </Card>
  )
}

function BlockClicks({
  figures: { data },
  workspaceId,
}: {
  figures: PageFigures
  workspaceId: string
}) {
  return (
    <Card title={text.bioPages.blockFigures} note={text.bioPages.blockFiguresNote}>
      {data.blocks.length === 0 ? (
        <p className="p-4 text-sm text-soft">{text.bioPages.noLinkBlocks}</p>
      ) : (
        <table className="mt-2 mb-3 w-full text-sm">
          <thead className="text-soft">
            <tr>
              <th scope="col" className="px-4 text-start font-normal">
                {text.bioPages.block}
              </th>
              {[text.figures.clicks, text.figures.visitors, text.bioPages.clickRate].map((name) => (
                <th key={name} scope="col" className="pe-4 text-end font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.blocks.map(({ id, title, linkId, clicks, uniqueVisitors, clickRate }) => (
              <tr key={id} className="border-t border-line">
                <th scope="row" className="px-4 text-start font-normal">
                  <Link
                    to="/$workspaceId/links/$linkId"
                    params={{ workspaceId, linkId }}
                    className="inline-flex min-h-9 items-center wrap-anywhere max-md:min-h-11"
                  >
                    {title}
                  </Link>
                </th>
                <td className="pe-4 text-end font-semibold">{formatNumber(clicks)}</td>
                <td className="pe-4 text-end">{formatNumber(uniqueVisitors)}</td>
                <td className="pe-4 text-end text-soft">{showRate(clickRate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

/** Clicks divided by views. */
function showRate(rate: number | null): string {
  return rate === null ? text.bioPages.noRate : formatPercent(100 * rate)
}
