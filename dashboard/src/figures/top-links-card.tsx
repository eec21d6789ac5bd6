import { Card } from '../kit/layout.tsx'
import { text } from '../text/figures.ts'
import { BarRows } from './bar-rows.tsx'
import { FileButton, saveCsv } from './csv-button.tsx'
import type { Summary } from './queries.ts'
import { toFilterValue, type FigureSearch } from './search.ts'

/** The most clicked links. A row filters the page by its link, with Alt it leaves the link out. */
export function TopLinksCard({
  summary: { data },
  onFilter,
}: {
  summary: Summary
  onFilter: (change: Partial<FigureSearch>) => void
}) {
  const { topLinks, totals } = data
  const title = text.figures.cards.topLinks
  return (
    <Card
      title={title}
      action={<FileButton label={text.figures.csvOf(title)} onSave={() => save(topLinks)} />}
    >
      <BarRows
        rows={topLinks.map(({ link, clicks }) => ({
          key: link.id,
          clicks,
          percent: totals.clicks > 0 ? (100 * clicks) / totals.clicks : null,
          name: (
            <span className="flex min-w-0 gap-2" title={link.shortUrl ?? undefined}>
              <span className="truncate font-mono">{link.slug ?? text.names.deletedLink}</span>
              <span className="min-w-0 shrink-[100] truncate text-soft">{link.name}</span>
            </span>
          ),
        }))}
        button={({ key }) => ({
          title: text.figures.filterHint,
          onClick: ({ altKey }) =>
            onFilter({ linkId: altKey ? `-${toFilterValue(key)}` : toFilterValue(key) }),
        })}
      />
    </Card>
  )
}

function save(topLinks: Summary['data']['topLinks']): void {
  saveCsv('signpost-links', [
    ['link', 'name', 'clicks', 'clicks_before'],
    ...topLinks.map(({ link, clicks, comparedClicks }) => [
      link.shortUrl,
      link.name,
      clicks,
      comparedClicks,
    ]),
  ])
}
