import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { FilterBar } from './filter-bar.tsx'
import { PeriodBar } from './period-bar.tsx'
import { summaryQuery, type Scope, type Summary } from './queries.ts'
import type { FigureSearch } from './search.ts'
import { SeriesCard } from './series-card.tsx'
import { CountedUpTo, Totals } from './totals.tsx'

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
      <PeriodBar search={search} onChange={onChange} />
      <FilterBar search={search} onChange={onChange} />
      <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
      {summary.data ? (
        <div className={`flex flex-col gap-4 ${summary.isPlaceholderData ? 'opacity-60' : ''}`}>
          <Totals summary={summary.data} />
          <CountedUpTo asOf={summary.data.meta.asOf} />
          <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
            <SeriesCard summary={summary.data} />
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
    <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      <BreakdownCard title={cards.places} dimensions={['country', 'region', 'city']} {...shared} />
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
  )
}
