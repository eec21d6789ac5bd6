import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Figures } from '../figures/figures.tsx'
import { LiveFeed } from '../figures/live-feed.tsx'
import { toSearch } from '../figures/search.ts'
import { buttonClass } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { PageHead } from '../kit/layout.tsx'
import { text } from '../text/shell.ts'

/** The figures of the whole workspace. */
export function AnalyticsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/analytics' })
  const navigate = useNavigate({ from: '/$workspaceId/analytics' })
  return (
    <>
      <PageHead title={text.nav.analytics}>
        <Link to="/$workspaceId/alerts" params={{ workspaceId }} className={buttonClass()}>
          <Icon name="bell" /> {text.nav.alerts}
        </Link>
      </PageHead>
      <Figures
        scope={{}}
        search={search}
        onChange={(change) => void navigate({ search: (now) => toSearch(now, change) })}
        aside={<LiveFeed />}
      />
    </>
  )
}
