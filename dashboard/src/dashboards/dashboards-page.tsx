import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { distinctRows } from '../api/pages.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { text } from '../text/en.ts'
import { DashboardDrawer } from './dashboard-drawer.tsx'
import { DashboardRow } from './dashboard-row.tsx'
import { dashboardsQuery, type Dashboard } from './queries.ts'

/** The dashboards that visitors without an account may see. */
export function DashboardsPage() {
  return (
    <OnlyFor role="member">
      <SharedDashboards />
    </OnlyFor>
  )
}

function SharedDashboards() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { new: isNew, ...target } = useSearch({ from: '/signed-in/$workspaceId/dashboards' })
  const navigate = useNavigate({ from: '/$workspaceId/dashboards' })
  const dashboards = useInfiniteQuery(dashboardsQuery(workspaceId))
  const [edited, setEdited] = useState<Dashboard | null>(null)
  const rows = distinctRows(dashboards.data?.pages)
  const total = dashboards.data?.pages[0]?.meta.total
  return (
    <>
      <PageHead
        title={text.dashboards.title}
        note={total !== undefined && text.dashboards.count(total)}
      >
        <Button look="primary" icon="plus" onClick={() => void navigate({ search: { new: true } })}>
          {text.dashboards.new_}
        </Button>
      </PageHead>
      <ErrorNote error={dashboards.error} onRetry={() => void dashboards.refetch()} />
      {dashboards.isPending && <Skeleton rows={3} height={64} />}
      {dashboards.data && rows.length === 0 && (
        <Empty icon="eye" title={text.dashboards.none}>
          {text.dashboards.noneExplain}
        </Empty>
      )}
      {rows.length > 0 && (
        <ul aria-label={text.dashboards.title} className="rounded border border-line bg-card">
          {rows.map((dashboard) => (
            <DashboardRow
              key={dashboard.id}
              dashboard={dashboard}
              onEdit={() => setEdited(dashboard)}
            />
          ))}
        </ul>
      )}
      {dashboards.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={dashboards.isFetchingNextPage}
          onClick={() => void dashboards.fetchNextPage()}
        >
          {text.actions.more}
        </Button>
      )}
      {isNew && <DashboardDrawer target={target} onClose={() => void navigate({ search: {} })} />}
      {edited && <DashboardDrawer dashboard={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
