import { useState } from 'react'
import { Card } from '../kit/layout.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { text } from '../text/figures.ts'
import { BreakdownRows, type Breakdowns } from './breakdown-rows.tsx'
import { CsvButton, type Counted } from './csv-button.tsx'
import { DimensionTabs } from './dimension-tabs.tsx'
import { toFilterValue, type Dimension, type FigureSearch } from './search.ts'

const PlaceMap = lazyPart(
  () => import('./place-map.tsx'),
  'PlaceMap',
  <div className="aspect-[9600/4600]" />,
)

/** As high as the map on a wide screen. */
const BESIDE_THE_MAP = 9

const DIMENSIONS = ['country', 'region', 'city'] as const satisfies readonly Dimension[]

/** Clicks or views by place, as a table and as a map. */
export function PlacesCard({
  breakdowns,
  hasAllCountries,
  counted,
  onFilter,
}: {
  breakdowns: Breakdowns
  /** Countries are not counted before all of them are read. */
  hasAllCountries: boolean
  counted?: Counted
  onFilter: (change: Partial<FigureSearch>) => void
}) {
  const [dimension, setDimension] = useState<Dimension>('country')
  const [pointed, setPointed] = useState<string | null>(null)
  const { country: countries = [] } = breakdowns
  const rows = breakdowns[dimension] ?? []
  const known = countries.filter(({ label }) => label !== 'unknown')
  return (
    <Card
      title={text.figures.cards.places}
      note={hasAllCountries && text.figures.countries(known.length)}
      action={<CsvButton name={dimension} dimension={dimension} rows={rows} counted={counted} />}
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
        <div className="border-line p-4 lg:border-s">
          <PlaceMap
            rows={countries}
            pointed={pointed}
            onPoint={setPointed}
            onChoose={(code, isExcluded) =>
              onFilter({ country: `${isExcluded ? '-' : ''}${toFilterValue(code)}` })
            }
          />
        </div>
      </div>
    </Card>
  )
}
