import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { Card } from '../kit/layout.tsx'
import { BreakdownRows, DimensionTabs } from './breakdown-rows.tsx'
import { CsvButton } from './csv-button.tsx'
import type { Dimension, FigureSearch } from './search.ts'

/** Clicks by one of several dimensions. */
export function BreakdownCard({
  title,
  dimensions,
  breakdowns,
  onFilter,
  className = '',
}: {
  title: string
  dimensions: readonly Dimension[]
  breakdowns: Schemas['AnalyticsComparedBreakdowns']
  onFilter: (change: Partial<FigureSearch>) => void
  className?: string
}) {
  const [dimension, setDimension] = useState(dimensions[0]!)
  const rows = breakdowns[dimension]
  return (
    <Card
      title={title}
      className={className}
      action={<CsvButton name={dimension} dimension={dimension} rows={rows} />}
    >
      {dimensions.length > 1 && (
        <DimensionTabs
          label={title}
          dimensions={dimensions}
          chosen={dimension}
          onChoose={setDimension}
        />
      )}
      <BreakdownRows dimension={dimension} rows={rows} onFilter={onFilter} />
    </Card>
  )
}
