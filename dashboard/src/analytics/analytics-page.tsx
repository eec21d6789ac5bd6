import { useNavigate, useSearch } from '@tanstack/react-router'
import { Figures } from '../figures/figures.tsx'
import { LiveFeed } from '../figures/live-feed.tsx'
import { toSearch } from '../figures/search.ts'
import { PageHead } from '../kit/layout.tsx'
import { text } from '../text/shell.ts'

/** The figures of the whole workspace. */
export function AnalyticsPage() {
  const search = useSearch({ from: '/signed-in/$workspaceId/analytics' })
  const navigate = useNavigate({ from: '/$workspaceId/analytics' })
  return (
    <>
      <PageHead title={text.nav.analytics} />
      <Figures
        scope={{}}
        search={search}
        onChange={(change) => void navigate({ search: (now) => toSearch(now, change) })}
        aside={<LiveFeed />}
      />
    </>
  )
}
