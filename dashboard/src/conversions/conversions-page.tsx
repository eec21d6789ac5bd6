import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { PeriodBar } from '../figures/period-bar.tsx'
import { daysOf } from '../figures/queries.ts'
import { FilterSelect } from '../kit/filter-select.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/conversions.ts'
import { ConversionRow } from './conversion-row.tsx'
import { ConversionSeries } from './conversion-series.tsx'
import { CurrencyTotals } from './currency-totals.tsx'
import { conversionsQuery, seriesQuery } from './queries.ts'
import type { ConversionsSearch } from './search.ts'

/** Conversions of clicks: sums by currency, a series, and each conversion with the reason of its attribution. */
export function ConversionsPage() {
  const { id: workspaceId } = useWorkspace()
  const search = useSearch({ from: '/signed-in/$workspaceId/conversions' })
  const navigate = useNavigate({ from: '/$workspaceId/conversions' })
  const conversions = usePages(conversionsQuery(workspaceId, search))
  const { list, rows, meta } = conversions
  const series = useQuery(seriesQuery(workspaceId, search))
  const change = (part: Partial<ConversionsSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  return (
    <>
      <PageHead title={text.conversions.title} note={text.conversions.note} />
      <PeriodBar
        search={search}
        shown={meta && daysOf(meta)}
        hasComparison={false}
        onChange={change}
      />
      <div className="pb-3">
        <FilterSelect
          label={text.conversions.type}
          any={text.conversions.anyType}
          value={search.type}
          options={optionsOf(text.conversions.types)}
          onValue={(type) => change({ type })}
        />
      </div>
      {rows.length > 0 && (
        <div className={`flex flex-col gap-4 pb-4 ${list.isPlaceholderData ? 'opacity-60' : ''}`}>
          <CurrencyTotals totals={meta?.totals ?? []} />
          {series.data && <ConversionSeries series={series.data} />}
          <h2 className="text-base font-semibold">{text.conversions.list}</h2>
        </div>
      )}
      <PagedList
        label={text.conversions.list}
        pages={conversions}
        waiting={{ rows: 8, height: 52 }}
        more={text.conversions.older}
        empty={
          <Empty icon="target" title={text.conversions.none}>
            {text.conversions.noneExplain}
          </Empty>
        }
      >
        {(row) => <ConversionRow key={row.id} conversion={row} workspaceId={workspaceId} />}
      </PagedList>
    </>
  )
}
