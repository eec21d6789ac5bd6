import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { fileUrl } from '../api/client.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/figures.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { FiguresSkeleton } from './figures-skeleton.tsx'
import { FilterBar } from './filter-bar.tsx'
import { NoClicks } from './no-clicks.tsx'
import { PeriodBar } from './period-bar.tsx'
import { PlacesCard } from './places-card.tsx'
import { countriesQuery, daysOf, summaryQuery, type Scope, type Summary } from './queries.ts'
import { toQuestion, type FigureSearch } from './search.ts'
import { SeriesCard, type Version } from './series-card.tsx'
import { TopLinksCard } from './top-links-card.tsx'
import { Caveats, CountedUpTo, Totals } from './totals.tsx'

/** The figures of a workspace, a link or a campaign: everything follows the address. */
export function Figures({
  scope,
  search,
  onChange,
  aside,
  versions = [],
  unvisitedUrl,
  after,
}: {
  scope: Scope
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
  /** Beside the chart: the live feed. */
  aside?: ReactNode
  versions?: readonly Version[]
  /** The address of a link that has no clicks yet. */
  unvisitedUrl?: string | undefined
  after?: (summary: Summary) => ReactNode
}) {
  const { id } = useWorkspace()
  const summary = useQuery(summaryQuery(id, scope, search))
  return (
    <div>
      <PeriodBar
        search={search}
        shown={summary.data ? daysOf(summary.data.meta) : undefined}
        isOfLink={scope.linkId !== undefined}
        onChange={onChange}
      />
      <FilterBar scope={scope} search={search} onChange={onChange}>
        {summary.data && (
          <CountedUpTo asOf={summary.data.meta.asOf}>
            <ClicksFile scope={scope} search={search} />
          </CountedUpTo>
        )}
      </FilterBar>
      <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
      {summary.data ? (
        <div className={`flex flex-col gap-4 ${summary.isPlaceholderData ? 'opacity-60' : ''}`}>
          <Totals summary={summary.data} />
          <Caveats meta={summary.data.meta} imported={summary.data.data.totalImportedClicks} />
          <NoClicks
            summary={summary.data}
            search={search}
            unvisitedUrl={unvisitedUrl}
            onChange={onChange}
          />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
            <SeriesCard
              summary={summary.data}
              versions={versions}
              onRange={(start, end) => onChange({ start, end })}
            />
            {aside}
          </div>
          <Breakdowns scope={scope} search={search} summary={summary.data} onChange={onChange} />
          {after?.(summary.data)}
        </div>
      ) : (
        !summary.error && (
          // Content below the figures stays out of view, instead of being pushed down when they arrive.
          <div className="min-h-dvh">
            <FiguresSkeleton />
          </div>
        )
      )}
    </div>
  )
}

function Breakdowns({
  scope,
  search,
  summary,
  onChange,
}: {
  scope: Scope
  search: FigureSearch
  summary: Summary
  onChange: (change: Partial<FigureSearch>) => void
}) {
  const { cards } = text.figures
  const { data } = summary
  const shared = { breakdowns: data.breakdowns, onFilter: onChange }
  return (
    <>
      <Places scope={scope} search={search} {...shared} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 xl:grid-cols-3">
        {scope.linkId === undefined && <TopLinksCard summary={summary} onFilter={onChange} />}
        <BreakdownCard title={cards.sources} dimensions={['referrer', 'trigger']} {...shared} />
        <BreakdownCard title={cards.devices} dimensions={['device', 'browser', 'os']} {...shared} />
        <BreakdownCard
          title={cards.utm}
          dimensions={['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent']}
          {...shared}
        />
        <BreakdownCard title={cards.languages} dimensions={['language']} {...shared} />
        <BreakdownCard
          title={cards.destinations}
          dimensions={['destination']}
          className="xl:col-span-2"
          {...shared}
        />
      </div>
    </>
  )
}

/** The places with all countries, of which the summary has the first ten, and knows their comparison alone. */
function Places({
  scope,
  search,
  breakdowns,
  onFilter,
}: {
  scope: Scope
  search: FigureSearch
  breakdowns: Summary['data']['breakdowns']
  onFilter: (change: Partial<FigureSearch>) => void
}) {
  const { id } = useWorkspace()
  const compared = new Map(
    breakdowns.country.map(({ label, comparedClicks }) => [label, comparedClicks]),
  )
  const all = useQuery(countriesQuery(id, scope, search))
  const country = all.data?.map((row) => ({
    ...row,
    comparedClicks: compared.get(row.label) ?? null,
  }))
  return (
    <PlacesCard
      hasAllCountries={all.data !== undefined && !all.isPlaceholderData}
      breakdowns={country ? { ...breakdowns, country } : breakdowns}
      onFilter={onFilter}
    />
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
