import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { LiveFeed } from '../figures/live-feed.tsx'
import { summaryQuery } from '../figures/queries.ts'
import { SeriesCard } from '../figures/series-card.tsx'
import { CountedUpTo, Totals } from '../figures/totals.tsx'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { INPUT } from '../kit/field.tsx'
import { formatNumber } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Card, PageHead, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'

export function OverviewPage() {
  const { id } = useWorkspace()
  const summary = useQuery(summaryQuery(id, {}, {}))
  const mayWrite = useMay('member')
  if (summary.error)
    return <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
  if (!summary.data) return <Skeleton rows={6} height={56} />
  if (summary.data.data.links === 0) return <FirstLink mayWrite={mayWrite} />
  return (
    <>
      <PageHead title={text.overview.title} note={text.overview.note}>
        {mayWrite && <NewLinkButton />}
      </PageHead>
      <div className="flex flex-col gap-4">
        <NeedsYou />
        <Totals summary={summary.data} />
        <CountedUpTo asOf={summary.data.meta.asOf} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
          <SeriesCard summary={summary.data} />
          <LiveFeed />
        </div>
        <TopLinks rows={summary.data.data.topLinks} />
      </div>
    </>
  )
}

function NewLinkButton() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  return (
    <Button
      look="primary"
      icon="plus"
      hotkey="C"
      onClick={() =>
        void navigate({ to: '/$workspaceId/links', params: { workspaceId }, search: { new: true } })
      }
    >
      {text.links.newLink}
    </Button>
  )
}

/** The empty page is the form: paste an address, and the drawer has it. */
function FirstLink({ mayWrite }: { mayWrite: boolean }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  const [url, setUrl] = useState('')
  return (
    <div className="mx-auto flex max-w-lg flex-col gap-5 py-6">
      <h1 className="text-xl font-bold">{text.overview.firstTitle}</h1>
      <p className="text-soft">{text.overview.firstExplain}</p>
      {mayWrite && (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void navigate({
              to: '/$workspaceId/links',
              params: { workspaceId },
              search: { new: true, url: url.trim() },
            })
          }}
        >
          <input
            type="url"
            required
            aria-label={text.links.destination}
            placeholder="https://"
            className={`${INPUT} min-h-12! font-mono`}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <Button type="submit" look="primary">
            {text.overview.makeShort}
          </Button>
        </form>
      )}
      <ol className="flex flex-col gap-3">
        {text.overview.steps.map(([title, explain], index) => (
          <li key={title} className="flex items-center gap-3">
            <span
              className={`inline-flex h-8 w-11 items-center font-semibold ${index === 0 ? 'arm bg-way pl-3 text-on-way' : 'justify-center rounded border border-edge'}`}
            >
              {index + 1}
            </span>
            <span>
              <b className="block font-semibold">{title}</b>
              <span className="text-sm text-soft">{explain}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** What waits for a decision: endpoints that fail, deliveries that were given up. */
function NeedsYou() {
  const { id: workspaceId } = useWorkspace()
  const mayRead = useMay('member')
  const endpoints = useQuery({
    queryKey: [workspaceId, 'endpoints', 'failing'],
    queryFn: ({ signal }) =>
      ask(api.GET('/webhooks/endpoints', { params: { query: { limit: 100 } }, signal })),
    enabled: mayRead,
    refetchInterval: 10_000,
  })
  const failing = endpoints.data?.data.filter(({ failureCount }) => failureCount > 0) ?? []
  if (failing.length === 0) return null
  return (
    <Card title={text.overview.needsYou}>
      <ul className="pt-1 pb-3">
        {failing.map(({ id, url, failureCount }) => (
          <li key={id}>
            <RouterLink
              to="/$workspaceId/webhooks"
              params={{ workspaceId }}
              search={{ endpointId: id }}
              className="flex min-h-11 items-center gap-2 px-4 text-sm text-ink no-underline hover:bg-sunk"
            >
              <Icon name="circle-alert" className="text-stop" />
              <span className="truncate font-mono">{url}</span>
              <span className="ml-auto text-stop">{text.webhooks.failedInRow(failureCount)}</span>
            </RouterLink>
          </li>
        ))}
      </ul>
    </Card>
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
        {rows.map(({ link, clicks }) => (
          <li key={link.id}>
            <RouterLink
              to="/$workspaceId/links/$linkId"
              params={{ workspaceId, linkId: link.id }}
              className="flex min-h-9 items-center gap-3 px-4 text-sm text-ink no-underline hover:bg-sunk max-md:min-h-11"
            >
              <span className="truncate font-mono">
                {link.shortUrl?.replace(/^https?:\/\//, '') ?? text.figures.deletedLink}
              </span>
              <span className="truncate text-soft">{link.name}</span>
              <b className="ml-auto font-semibold">{formatNumber(clicks)}</b>
            </RouterLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
