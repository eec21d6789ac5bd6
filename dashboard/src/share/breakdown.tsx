import { useState } from 'react'
import type { SharedDashboard } from '../api/visit.ts'
import { formatCountry, formatLanguage } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { shareText as text } from '../text/en-share.ts'
import { Rows, type Row } from './rows.tsx'

type Breakdowns = SharedDashboard['breakdowns']
type Dimension = keyof typeof text.dimensions

/** The dimensions of each card. */
const CARDS = [
  { card: 'places', dimensions: ['country', 'region', 'city'] },
  { card: 'devices', dimensions: ['device', 'browser', 'os'] },
  { card: 'sources', dimensions: ['referrer', 'trigger'] },
  { card: 'languages', dimensions: ['language'] },
  { card: 'utm', dimensions: ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] },
] as const satisfies readonly {
  card: keyof typeof text.cards
  dimensions: readonly Dimension[]
}[]

/** Clicks by label, one card for each kind of label that the period has. */
export function BreakdownCards({ breakdowns }: { breakdowns: Breakdowns }) {
  return CARDS.map(({ card, dimensions }) => {
    const known = dimensions.filter((name) => Object.keys(breakdowns[name] ?? {}).length > 0)
    if (known.length === 0) return null
    return (
      <BreakdownCard
        key={card}
        title={text.cards[card]}
        dimensions={known}
        breakdowns={breakdowns}
      />
    )
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
      {dimensions.length > 1 && (
        <div role="group" aria-label={title} className="flex flex-wrap px-2 pt-1">
          {dimensions.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === dimension}
              className="min-h-8 px-2 text-sm text-soft aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline aria-pressed:decoration-way aria-pressed:decoration-3 aria-pressed:underline-offset-8 max-md:min-h-11"
              onClick={() => setChosen(each)}
            >
              {text.dimensions[each]}
            </button>
          ))}
        </div>
      )}
      <Rows key={dimension} rows={toRows(dimension, breakdowns[dimension] ?? {})} />
    </Card>
  )
}

const REST = '(other)'

function toRows(dimension: Dimension, counts: Readonly<Record<string, number>>): Row[] {
  const entries = Object.entries(counts)
  const all = entries.reduce((sum, [, clicks]) => sum + clicks, 0)
  const isRest = (label: string) => (label === REST ? 1 : 0)
  return entries
    .toSorted(([a, most], [b, least]) => isRest(a) - isRest(b) || least - most)
    .map(([label, clicks]) => ({
      key: label,
      name: <span className="block truncate">{nameOf(dimension, label)}</span>,
      clicks,
      percent: (100 * clicks) / all,
    }))
}

function nameOf(dimension: Dimension, label: string): string {
  // Visitors choose labels: one may be the name of a property that every object has.
  if (Object.hasOwn(text.labels, label)) return text.labels[label]!
  if (dimension === 'country') return formatCountry(label)
  return dimension === 'language' ? formatLanguage(label) : label
}
