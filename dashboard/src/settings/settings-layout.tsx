import { Link, Outlet, useParams } from '@tanstack/react-router'
import { PageHead } from '../kit/layout.tsx'
import { SETTINGS_PAGES, useReadable } from '../kit/navigation.ts'
import { SUB_LINK, SUB_LINK_HERE, SubNav } from '../kit/sub-nav.tsx'
import { text } from '../text/settings.ts'

/** The settings that the role may see, and the chosen one. */
export function SettingsLayout() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const pages = useReadable(SETTINGS_PAGES)
  return (
    <>
      <PageHead title={text.settings.title} />
      <SubNav label={text.settings.title}>
        {pages.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            params={{ workspaceId }}
            activeOptions={{ includeSearch: false }}
            className={SUB_LINK}
            activeProps={{ className: SUB_LINK_HERE }}
          >
            {label()}
          </Link>
        ))}
      </SubNav>
      <Outlet />
    </>
  )
}
