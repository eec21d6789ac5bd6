import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { BreakdownRows, DimensionTabs } from './breakdown-rows.tsx'
import { CsvButton } from './csv-button.tsx'
import { toFilterValue, type Dimension, type FigureSearch } from './search.ts'

const PlaceMap = lazy(() =>
  import('./place-map.tsx').then(({ PlaceMap: component }) => ({ default: component })),
)

const DIMENSIONS = ['country', 'region', 'city'] as const satisfies readonly Dimension[]

/** Where clicks come from: the table, and the same as a map. */
export function PlacesCard({
  breakdowns,
  onFilter,
}: {
  breakdowns: Schemas['AnalyticsComparedBreakdowns']
  onFilter: (change: Partial<FigureSearch>) => void
}) {
  const [dimension, setDimension] = useState<Dimension>('country')
  const [pointed, setPointed] = useState<string | null>(null)
  const countries = breakdowns.country
  return (
    <Card
      title={text.figures.cards.places}
      note={text.figures.countries(countries.length)}
      action={<CsvButton name={dimension} dimension={dimension} rows={breakdowns[dimension]} />}
    >
      <div className="grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="pt-1">
          <div className="px-2">
            <DimensionTabs
              label={text.figures.cards.places}
              dimensions={DIMENSIONS}
              chosen={dimension}
              onChoose={setDimension}
            />
          </div>
          <BreakdownRows
            dimension={dimension}
            rows={breakdowns[dimension]}
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
