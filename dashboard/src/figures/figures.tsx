import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { fileUrl } from '../api/client.ts'
import { Icon } from '../kit/icon.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { FilterBar } from './filter-bar.tsx'
import { NoClicks } from './no-clicks.tsx'
import { PeriodBar } from './period-bar.tsx'
import { PlacesCard } from './places-card.tsx'
import { summaryQuery, type Scope, type Summary } from './queries.ts'
import { toQuestion, type FigureSearch } from './search.ts'
import { SeriesCard } from './series-card.tsx'
import { Caveats, CountedUpTo, Totals } from './totals.tsx'

/** The figures of a workspace, a link or a campaign: everything follows the address. */
export function Figures({
  scope,
  search,
  onChange,
  aside,
  after,
}: {
  scope: Scope
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
  /** Beside the chart: the live feed. */
  aside?: ReactNode
  after?: (summary: Summary) => ReactNode
}) {
  const { id } = useWorkspace()
  const summary = useQuery(summaryQuery(id, scope, search))
  return (
    <div>
      <PeriodBar search={search} isOfLink={scope.linkId !== undefined} onChange={onChange} />
      <FilterBar scope={scope} search={search} onChange={onChange} />
      <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
      {summary.data ? (
        <div className={`flex flex-col gap-4 ${summary.isPlaceholderData ? 'opacity-60' : ''}`}>
          <Totals summary={summary.data} />
          <CountedUpTo asOf={summary.data.meta.asOf}>
            <ClicksFile scope={scope} search={search} />
          </CountedUpTo>
          <Caveats meta={summary.data.meta} />
          <NoClicks summary={summary.data} search={search} onChange={onChange} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
            <SeriesCard summary={summary.data} onRange={(start, end) => onChange({ start, end })} />
            {aside}
          </div>
          <Breakdowns summary={summary.data} onChange={onChange} />
          {after?.(summary.data)}
        </div>
      ) : (
        !summary.error && <Skeleton rows={6} height={56} />
      )}
    </div>
  )
}

function Breakdowns({
  summary: { data },
  onChange,
}: {
  summary: Summary
  onChange: (change: Partial<FigureSearch>) => void
}) {
  const { cards } = text.figures
  const shared = { breakdowns: data.breakdowns, onFilter: onChange }
  return (
    <>
      <PlacesCard {...shared} />
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <BreakdownCard title={cards.sources} dimensions={['referrer', 'trigger']} {...shared} />
        <BreakdownCard title={cards.devices} dimensions={['device', 'browser', 'os']} {...shared} />
        <BreakdownCard
          title={cards.utm}
          dimensions={['utmSource', 'utmMedium', 'utmCampaign']}
          {...shared}
        />
        <BreakdownCard title={cards.languages} dimensions={['language']} {...shared} />
        <BreakdownCard title={cards.destinations} dimensions={['destination']} {...shared} />
      </div>
    </>
  )
}

/** Every single click of the period and the filters, as the server exports it. */
function ClicksFile({ scope, search }: { scope: Scope; search: FigureSearch }) {
  const { compare: _, ...question } = toQuestion(search)
  return (
    <a
      href={fileUrl('/analytics/export', { ...question, ...scope, format: 'csv' })}
      download
      className="inline-flex min-h-8 items-center gap-1 max-md:min-h-11"
    >
      <Icon name="download" size={14} /> {text.figures.clicksFile}
    </a>
  )
}
