import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { Button } from '../kit/button.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/dashboards.ts'
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
  const dashboards = usePages(dashboardsQuery(workspaceId))
  const [edited, setEdited] = useState<Dashboard | null>(null)
  const { total } = dashboards
  const newButton = (
    <Button look="primary" icon="plus" onClick={() => void navigate({ search: { new: true } })}>
      {text.dashboards.new_}
    </Button>
  )
  return (
    <>
      <PageHead
        title={text.dashboards.title}
        note={total !== undefined && text.dashboards.count(total)}
      >
        {total !== 0 && newButton}
      </PageHead>
      <PagedList
        label={text.dashboards.title}
        pages={dashboards}
        empty={
          <Empty icon="eye" title={text.dashboards.none} action={newButton}>
            {text.dashboards.noneExplain}
          </Empty>
        }
      >
        {(dashboard) => (
          <DashboardRow
            key={dashboard.id}
            dashboard={dashboard}
            onEdit={() => setEdited(dashboard)}
          />
        )}
      </PagedList>
      {isNew && <DashboardDrawer target={target} onClose={() => void navigate({ search: {} })} />}
      {edited && <DashboardDrawer dashboard={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
