import { BreakdownCard } from '../figures/breakdown-card.tsx'
import type { BreakdownRow, Breakdowns } from '../figures/breakdown-rows.tsx'
import { PlacesCard } from '../figures/places-card.tsx'
import type { FigureSearch } from '../figures/search.ts'
import { text } from '../text/bio-pages.ts'
import type { PageFigures } from './queries.ts'

/** The sum of the labels beyond the most frequent ones; no filter finds it. */
const REST = '(other)'

/** Views of the page by label. A row filters the page. */
export function PageBreakdowns({
  breakdowns,
  onFilter,
}: {
  breakdowns: PageFigures['data']['breakdowns']
  onFilter: (change: Partial<FigureSearch>) => void
}) {
  const { cards } = text.figures
  const rows = Object.entries(breakdowns).map(([name, counts]) => [name, toRows(counts)] as const)
  const shared = {
    breakdowns: Object.fromEntries(rows) as Breakdowns,
    counted: 'views',
    onFilter,
  } as const
  return (
    <>
      <h2 className="pt-2 text-lg font-bold">{text.bioPages.breakdowns}</h2>
      <PlacesCard hasAllCountries={!(REST in breakdowns.country)} {...shared} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        <BreakdownCard title={cards.sources} dimensions={['referrer', 'trigger']} {...shared} />
        <BreakdownCard title={cards.devices} dimensions={['device', 'browser', 'os']} {...shared} />
        <BreakdownCard
          title={cards.utm}
          dimensions={['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent']}
          {...shared}
        />
        <BreakdownCard title={cards.languages} dimensions={['language']} {...shared} />
      </div>
    </>
  )
}

function toRows(counts: Readonly<Record<string, number>>): BreakdownRow[] {
  const all = Object.values(counts).reduce((sum, views) => sum + views, 0)
  return Object.entries(counts)
    .filter(([label]) => label !== REST)
    .toSorted(([, most], [, least]) => least - most)
    .map(([label, views]) => ({
      label,
      clicks: views,
      percent: (100 * views) / all,
      conversions: 0,
      comparedClicks: null,
    }))
}
