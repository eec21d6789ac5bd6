import { useQueries, useQuery } from '@tanstack/react-query'
import { Link as RouterLink, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { BreakdownCard } from '../figures/breakdown-card.tsx'
import { FiguresSkeleton } from '../figures/figures-skeleton.tsx'
import { LiveFeed } from '../figures/live-feed.tsx'
import { summaryQuery, type Summary } from '../figures/queries.ts'
import type { FigureSearch } from '../figures/search.ts'
import { SeriesCard } from '../figures/series-card.tsx'
import { Totals } from '../figures/totals.tsx'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatClock } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Card, PageHead } from '../kit/layout.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/overview.ts'
import { FirstLink } from './first-link.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsYou } from './needs-you.tsx'
import { deliveryCountsQuery, endpointsQuery, usageQuery } from './queries.ts'
import { Recent } from './recent.tsx'

export function OverviewPage() {
  const { id } = useWorkspace()
  const summary = useQuery(summaryQuery(id, {}, {}))
  const areNotesKnown = useAreNotesKnown(id)
  // The first link stays in view, although the page has figures from then on.
  const [created, setCreated] = useState<Schemas['Link'] | null>(null)
  if (summary.error && !summary.data)
    return <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
  if (!summary.data || !areNotesKnown)
    return (
      <>
        <PageHead title={text.overview.title} />
        <FiguresSkeleton />
      </>
    )
  if (summary.data.data.links === 0 || created)
    return <FirstLink summary={summary.data} created={created} onCreated={setCreated} />
  return <Overview summary={summary.data} />
}

/** Whether all that stands above the figures has arrived, or failed: later it would push them down. */
function useAreNotesKnown(workspaceId: string): boolean {
  const mayManage = useMay('admin')
  const notes = useQueries({
    queries: [
      endpointsQuery(workspaceId),
      deliveryCountsQuery(workspaceId),
      { ...usageQuery(workspaceId), enabled: mayManage },
    ],
  })
  return notes.every(({ isLoading, failureCount }) => !isLoading || failureCount > 0)
}

function Overview({ summary }: { summary: Summary }) {
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('member')
  const navigate = useNavigate()
  const toAnalytics = (search: Partial<FigureSearch>) =>
    void navigate({ to: '/$workspaceId/analytics', params: { workspaceId }, search })
  const { breakdowns, topLinks, series } = summary.data
  const today = series.at(-1)?.clicks ?? 0
  return (
    <>
      <PageHead
        title={text.overview.title}
        note={`${text.overview.note} ${text.overview.today(today)} ${text.overview.countedUpTo(formatClock(summary.meta.asOf))}`}
      >
        {mayWrite && <NewLinkButton />}
      </PageHead>
      <div className="flex flex-col gap-4">
        <NeedsYou />
        <FirstSteps summary={summary} />
        <Totals summary={summary} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
          <SeriesCard summary={summary} onRange={(start, end) => toAnalytics({ start, end })} />
          <LiveFeed />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          <TopLinks rows={topLinks} />
          <BreakdownCard
            title={text.overview.sources}
            dimensions={['referrer', 'country', 'device']}
            breakdowns={breakdowns}
            onFilter={toAnalytics}
          />
        </div>
        <Recent />
      </div>
    </>
  )
}

function NewLinkButton() {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  return (
    <Button
      look="primary"
      icon="plus"
      hotkey="C"
      className="max-md:hidden"
      onClick={() =>
        void navigate({ to: '/$workspaceId/links', params: { workspaceId }, search: { new: true } })
      }
    >
      {text.names.newLink}
    </Button>
  )
}

function TopLinks({
  rows,
}: {
  rows: readonly {
    link: { id: string; shortUrl: string | null; name: string | null }
    clicks: number
  }[]
}) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Card title={text.overview.topLinks}>
      <ul className="py-2">
        {rows.length === 0 && (
          <li className="px-4 py-3 text-sm text-soft">{text.overview.topLinksHint}</li>
        )}
        {rows.map(({ link, clicks }) => (
          <li key={link.id}>
            <RouterLink
              to="/$workspaceId/links/$linkId"
              params={{ workspaceId, linkId: link.id }}
              className="flex min-h-9 items-center gap-3 px-4 text-sm text-ink no-underline hover:bg-sunk max-md:min-h-11"
            >
              <span className="flex min-w-0 flex-1 gap-x-3 max-md:flex-col max-md:py-1">
                <span className="truncate font-mono">
                  {link.shortUrl ? withoutScheme(link.shortUrl) : text.names.deletedLink}
                </span>
                <span className="truncate text-soft">{link.name}</span>
              </span>
              <b className="font-semibold">{formatNumber(clicks)}</b>
            </RouterLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
