import { useState } from 'react'
import { Card } from '../kit/layout.tsx'
import { BreakdownRows, type Breakdowns } from './breakdown-rows.tsx'
import { CsvButton, type Counted } from './csv-button.tsx'
import { DimensionTabs } from './dimension-tabs.tsx'
import type { Dimension, FigureSearch } from './search.ts'

/** Clicks or views by one of several dimensions. */
export function BreakdownCard({
  title,
  dimensions,
  breakdowns,
  counted,
  onFilter,
  className = '',
}: {
  title: string
  dimensions: readonly Dimension[]
  breakdowns: Breakdowns
  counted?: Counted
  onFilter: (change: Partial<FigureSearch>) => void
  className?: string
}) {
  const [dimension, setDimension] = useState(dimensions[0]!)
  const rows = breakdowns[dimension] ?? []
  return (
    <Card
      title={title}
      className={className}
      action={<CsvButton name={dimension} dimension={dimension} rows={rows} counted={counted} />}
    >
      <DimensionTabs
        label={title}
        dimensions={dimensions}
        chosen={dimension}
        onChoose={setDimension}
      />
      <BreakdownRows dimension={dimension} rows={rows} onFilter={onFilter} />
    </Card>
  )
}
