import { useState } from 'react'
import type { SharedDashboard } from '../api/visit.ts'
import { BarRows, type BarRow } from '../figures/bar-rows.tsx'
import { DimensionTabs } from '../figures/dimension-tabs.tsx'
import { nameOf } from '../figures/labels.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/figures.ts'

type Breakdowns = SharedDashboard['breakdowns']
type Dimension = (typeof CARDS)[number]['dimensions'][number]

/** The dimensions of each card. */
const CARDS = [
  { card: 'places', dimensions: ['country', 'region', 'city'] },
  { card: 'devices', dimensions: ['device', 'browser', 'os'] },
  { card: 'sources', dimensions: ['referrer', 'trigger'] },
  { card: 'languages', dimensions: ['language'] },
  { card: 'utm', dimensions: ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] },
] as const

/** Clicks by label, one card for each kind of label that the period has. */
export function BreakdownCards({ breakdowns }: { breakdowns: Breakdowns }) {
  return CARDS.map(({ card, dimensions }) => {
    const known = dimensions.filter((name) => Object.keys(breakdowns[name] ?? {}).length > 0)
    if (known.length === 0) return null
    const title = text.figures.cards[card]
    return <BreakdownCard key={card} title={title} dimensions={known} breakdowns={breakdowns} />
  })
}

function BreakdownCard({
  title,
  dimensions,
  breakdowns,
}: {
  title: string
  dimensions: readonly Dimension[]
  breakdowns: Breakdowns
}) {
  const [chosen, setChosen] = useState(dimensions[0]!)
  // A refresh may bring no label of the chosen dimension.
  const dimension = dimensions.includes(chosen) ? chosen : dimensions[0]!
  return (
    <Card title={title}>
      <DimensionTabs
        label={title}
        dimensions={dimensions}
        chosen={dimension}
        onChoose={setChosen}
      />
      <BarRows key={dimension} rows={toRows(dimension, breakdowns[dimension] ?? {})} />
    </Card>
  )
}

const REST = '(other)'

function toRows(dimension: Dimension, counts: Readonly<Record<string, number>>): BarRow[] {
  const entries = Object.entries(counts)
  const all = entries.reduce((sum, [, clicks]) => sum + clicks, 0)
  const isRest = (label: string) => (label === REST ? 1 : 0)
  return entries
    .toSorted(([a, most], [b, least]) => isRest(a) - isRest(b) || least - most)
    .map(([label, clicks]) => ({
      key: label,
      name: nameOf(dimension, label),
      clicks,
      percent: (100 * clicks) / all,
    }))
}
