import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useMay } from '../api/workspace.ts'
import { PageHead } from '../kit/layout.tsx'
import { SUB_LINK, SUB_LINK_HERE, SubNav } from '../kit/sub-nav.tsx'
import { text } from '../text/en.ts'

const { pages } = text.settings
const PAGES = [
  { to: '/$workspaceId/settings/workspace', label: pages.workspace, isForAdmins: false },
  { to: '/$workspaceId/settings/members', label: pages.members, isForAdmins: false },
  { to: '/$workspaceId/settings/api-keys', label: pages.apiKeys, isForAdmins: true },
  { to: '/$workspaceId/settings/audit-log', label: pages.auditLog, isForAdmins: true },
  { to: '/$workspaceId/settings/security-log', label: pages.securityLog, isForAdmins: true },
  { to: '/$workspaceId/settings/abuse-reports', label: pages.abuseReports, isForAdmins: true },
  { to: '/$workspaceId/settings/billing', label: pages.billing, isForAdmins: true },
] as const

/** The settings that the role may see, and the chosen one. */
export function SettingsLayout() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const mayManage = useMay('admin')
  return (
    <>
      <PageHead title={text.settings.title} />
      <SubNav label={text.settings.title}>
        {PAGES.filter(({ isForAdmins }) => mayManage || !isForAdmins).map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            params={{ workspaceId }}
            activeOptions={{ includeSearch: false }}
            className={SUB_LINK}
            activeProps={{ className: SUB_LINK_HERE }}
          >
            {label}
          </Link>
        ))}
      </SubNav>
      <Outlet />
    </>
  )
}
