import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { PeriodBar } from '../figures/period-bar.tsx'
import { daysOf } from '../figures/queries.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { INPUT } from '../kit/field.tsx'
import { Card, Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { ConversionRow } from './conversion-row.tsx'
import { ConversionSeries } from './conversion-series.tsx'
import { CurrencyTotals } from './currency-totals.tsx'
import { conversionsQuery, seriesQuery } from './queries.ts'
import { TYPES, type ConversionsSearch } from './search.ts'

const words = text.conversions

/** Conversions of clicks: sums by currency, a series, and each conversion with the reason of its attribution. */
export function ConversionsPage() {
  const { id: workspaceId } = useWorkspace()
  const search = useSearch({ from: '/signed-in/$workspaceId/conversions' })
  const navigate = useNavigate({ from: '/$workspaceId/conversions' })
  const { list, rows, meta } = usePages(conversionsQuery(workspaceId, search))
  const series = useQuery(seriesQuery(workspaceId, search))
  const change = (part: Partial<ConversionsSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  return (
    <>
      <PageHead title={words.title} note={words.note} />
      <PeriodBar
        search={search}
        shown={meta && daysOf(meta)}
        hasComparison={false}
        onChange={change}
      />
      <TypeFilter type={search.type} onChange={(type) => change({ type })} />
      <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Skeleton rows={8} height={52} />}
      {!list.isPending && !list.error && rows.length === 0 && (
        <Empty icon="target" title={words.none}>
          {words.noneExplain}
        </Empty>
      )}
      {rows.length > 0 && (
        <div className={`flex flex-col gap-4 ${list.isPlaceholderData ? 'opacity-60' : ''}`}>
          <CurrencyTotals totals={meta?.totals ?? []} />
          {series.data && <ConversionSeries series={series.data} />}
          <Card title={words.list}>
            <ul aria-label={words.list} className="pt-2">
              {rows.map((row) => (
                <ConversionRow key={row.id} conversion={row} workspaceId={workspaceId} />
              ))}
            </ul>
          </Card>
        </div>
      )}
      {list.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {words.older}
        </Button>
      )}
    </>
  )
}

function TypeFilter({
  type,
  onChange,
}: {
  type: ConversionsSearch['type']
  onChange: (type: ConversionsSearch['type']) => void
}) {
  return (
    <div className="pb-3">
      <select
        aria-label={words.type}
        className={`${INPUT} w-auto!`}
        value={type ?? ''}
        onChange={(event) => onChange(TYPES.find((each) => each === event.target.value))}
      >
        <option value="">{words.anyType}</option>
        {TYPES.map((each) => (
          <option key={each} value={each}>
            {words.types[each]}
          </option>
        ))}
      </select>
    </div>
  )
}
