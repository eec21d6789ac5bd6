import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { BreakdownRows, DimensionTabs } from './breakdown-rows.tsx'
import { CsvButton } from './csv-button.tsx'
import { countriesQuery, type Scope } from './queries.ts'
import { toFilterValue, type Dimension, type FigureSearch } from './search.ts'

const PlaceMap = lazy(() =>
  import('./place-map.tsx').then(({ PlaceMap: component }) => ({ default: component })),
)

/** As high as the map on a wide screen. */
const BESIDE_THE_MAP = 9

const DIMENSIONS = ['country', 'region', 'city'] as const satisfies readonly Dimension[]

type Row = Schemas['AnalyticsComparedBreakdowns']['country'][number]

/** The summary knows the compared clicks of its rows alone. */
function withComparison(all: readonly Omit<Row, 'comparedClicks'>[], known: readonly Row[]): Row[] {
  const compared = new Map(known.map(({ label, comparedClicks }) => [label, comparedClicks]))
  return all.map((row) => ({ ...row, comparedClicks: compared.get(row.label) ?? null }))
}

/** Where clicks come from: the table, and the same as a map. */
export function PlacesCard({
  scope,
  search,
  breakdowns,
  onFilter,
}: {
  scope: Scope
  search: FigureSearch
  breakdowns: Schemas['AnalyticsComparedBreakdowns']
  onFilter: (change: Partial<FigureSearch>) => void
}) {
  const [dimension, setDimension] = useState<Dimension>('country')
  const [pointed, setPointed] = useState<string | null>(null)
  const { id: workspaceId } = useWorkspace()
  const all = useQuery(countriesQuery(workspaceId, scope, search)).data
  const countries = all ? withComparison(all, breakdowns.country) : breakdowns.country
  const rows = dimension === 'country' ? countries : breakdowns[dimension]
  return (
    <Card
      title={text.figures.cards.places}
      note={text.figures.countries(countries.length)}
      action={<CsvButton name={dimension} dimension={dimension} rows={rows} />}
    >
      <div className="grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div>
          <DimensionTabs
            label={text.figures.cards.places}
            dimensions={DIMENSIONS}
            chosen={dimension}
            onChoose={setDimension}
          />
          <BreakdownRows
            dimension={dimension}
            rows={rows}
            shown={BESIDE_THE_MAP}
            onFilter={onFilter}
            {...(dimension === 'country' ? { pointed, onPoint: setPointed } : {})}
          />
        </div>
        <div className="border-line p-4 lg:border-l">
          <Suspense fallback={<div className="aspect-[9600/4600]" />}>
            <PlaceMap
              rows={countries}
              pointed={pointed}
              onPoint={setPointed}
              onChoose={(code, isExcluded) =>
                onFilter({ country: `${isExcluded ? '-' : ''}${toFilterValue(code)}` })
              }
            />
          </Suspense>
        </div>
      </div>
    </Card>
  )
}
