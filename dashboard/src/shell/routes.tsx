import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { setWorkspace } from '../api/client.ts'
import { closeGate, openGate } from '../api/session-gate.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { takeBuyer } from '../billing/buyer.ts'
import { readBioPagesSearch, readPageFiguresSearch } from '../bio-pages/search.ts'
import { readCampaignsSearch } from '../campaigns/search.ts'
import { readConversionsSearch } from '../conversions/search.ts'
import { readDashboardsSearch } from '../dashboards/search.ts'
import { readDomainSearch, readDomainsSearch } from '../domains/search.ts'
import { readAlertsSearch } from '../alerts/search.ts'
import { readFigureSearch } from '../figures/search.ts'
import { readImportSearch } from '../imports/search.ts'
import { readLinksSearch, readLinkSearch } from '../links/search.ts'
import { readSharedPage } from '../tools/shared-page.ts'
import { readMediaSearch } from '../media/search.ts'
import { readAccountSearch } from '../account/search.ts'
import { readAuditSearch, readReportsSearch, readSecuritySearch } from '../logs/search.ts'
import {
  readBlocksSearch,
  readServerReportsSearch,
  readServerSearch,
  readUsersSearch,
  readWorkspacesSearch,
} from '../server/search.ts'
import { readDeliverySearch, readEndpointSearch } from '../webhooks/search.ts'
import { lazyPart, withTexts } from '../kit/lazy-part.tsx'
import { readNewSearch } from '../kit/list-search.ts'
import { applyPreferences } from '../kit/preferences.ts'
import { RouteError } from './route-error.tsx'
import { Root } from './root.tsx'

/** A page is loaded when it is first opened, also where the server is away at that moment. */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => withTexts(load), name)

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  errorComponent: RouteError,
  notFoundComponent: lazyPart(() => import('./missing.tsx'), 'Missing'),
})

type Next = { next?: string | undefined }

/** A path of the dashboard to go to after the sign-in; addresses of other sites are dropped. */
const readNext = ({ next }: Record<string, unknown>): Next =>
  typeof next === 'string' && next.startsWith('/') && !next.startsWith('//') ? { next } : {}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    closeGate()
    const session = await queryClient.fetchQuery(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in' })
    const workspaces = await queryClient.fetchQuery(workspacesQuery)
    const workspace = workspaces.find(({ id }) => id === session.workspace?.id) ?? workspaces[0]
    if (!workspace) throw redirect({ to: '/new-workspace' })
    throw redirect({ to: '/$workspaceId', params: { workspaceId: workspace.id } })
  },
})

/** Pages without a session. */
const door = createRoute({
  getParentRoute: () => root,
  id: 'door',
  beforeLoad: () => {
    closeGate()
    setWorkspace(null)
  },
})

/** Parameters of a page without a session: a path to go to, and an invitation with its address. */
type DoorSearch = Next & { invitation?: string | undefined; email?: string | undefined }

const readDoor = (given: Record<string, unknown>): DoorSearch => {
  const { invitation, email } = given
  const isToken = typeof invitation === 'string' && /^[\w-]{1,100}$/.test(invitation)
  return {
    ...readNext(given),
    ...(isToken && { invitation }),
    ...(typeof email === 'string' && { email }),
  }
}

const signIn = createRoute({
  getParentRoute: () => door,
  path: 'sign-in',
  validateSearch: readDoor,
  component: lazyPage(() => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => door,
  path: 'sign-up',
  validateSearch: readDoor,
  component: lazyPage(() => import('../sign-in/sign-up-page.tsx'), 'SignUpPage'),
})
const forgot = createRoute({
  getParentRoute: () => door,
  path: 'forgot-password',
  component: lazyPage(() => import('../sign-in/forgot-page.tsx'), 'ForgotPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } })
    openGate(session.user)
  },
})

const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: 'new-workspace',
  component: lazyPage(() => import('../workspaces/new-page.tsx'), 'NewWorkspacePage'),
})

/** Asks whether an app or a device may have a key. */
const allow = createRoute({
  getParentRoute: () => signedIn,
  path: 'allow',
  validateSearch: ({ request }: Record<string, unknown>): { request?: string } =>
    typeof request === 'string' ? { request } : {},
  beforeLoad: () => setWorkspace(null),
  component: lazyPage(() => import('../api-keys/allow-page.tsx'), 'AllowPage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  validateSearch: readAccountSearch,
  beforeLoad: ({ context: { queryClient } }) => {
    setWorkspace(null)
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    if (session) applyPreferences(session.preferences, null)
  },
  component: lazyPage(() => import('../account/account-layout.tsx'), 'AccountLayout'),
})
const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyPage(() => import('../account/profile-page.tsx'), 'ProfilePage'),
})
const security = createRoute({
  getParentRoute: () => account,
  path: 'security',
  component: lazyPage(() => import('../account/security-page.tsx'), 'SecurityPage'),
})
const sessions = createRoute({
  getParentRoute: () => account,
  path: 'sessions',
  component: lazyPage(() => import('../account/sessions-page.tsx'), 'SessionsPage'),
})
const accountData = createRoute({
  getParentRoute: () => account,
  path: 'data',
  component: lazyPage(() => import('../account/data-page.tsx'), 'DataPage'),
})

const server = createRoute({
  getParentRoute: () => signedIn,
  path: 'server',
  validateSearch: readServerSearch,
  beforeLoad: () => setWorkspace(null),
  component: lazyPage(() => import('../server/server-layout.tsx'), 'ServerLayout'),
})
const serverWorkspaces = createRoute({
  getParentRoute: () => server,
  path: '/',
  validateSearch: readWorkspacesSearch,
  component: lazyPage(() => import('../server/workspaces-page.tsx'), 'WorkspacesPage'),
})
const serverUsers = createRoute({
  getParentRoute: () => server,
  path: 'users',
  validateSearch: readUsersSearch,
  component: lazyPage(() => import('../server/users-page.tsx'), 'UsersPage'),
})
const serverReports = createRoute({
  getParentRoute: () => server,
  path: 'reports',
  validateSearch: readServerReportsSearch,
  component: lazyPage(() => import('../server/reports-page.tsx'), 'ReportsPage'),
})
const serverBlocks = createRoute({
  getParentRoute: () => server,
  path: 'blocks',
  validateSearch: readBlocksSearch,
  component: lazyPage(() => import('../server/blocks-page.tsx'), 'BlocksPage'),
})
const serverHealth = createRoute({
  getParentRoute: () => server,
  path: 'health',
  component: lazyPage(() => import('../server/health-page.tsx'), 'HealthPage'),
})

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '$workspaceId',
  beforeLoad: ({ params }) => setWorkspace(params.workspaceId),
  loader: async ({ context: { queryClient }, params }) => {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery)
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    const zone = workspaces.find(({ id }) => id === params.workspaceId)?.timezone
    if (session) applyPreferences(session.preferences, zone ?? null)
    return workspaces
  },
  component: lazyPage(() => import('./workspace-layout.tsx'), 'WorkspaceLayout'),
})

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyPage(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
})
const links = createRoute({
  getParentRoute: () => workspace,
  path: 'links',
  validateSearch: readLinksSearch,
  component: lazyPage(() => import('../links/links-page.tsx'), 'LinksPage'),
})
const link = createRoute({
  getParentRoute: () => workspace,
  path: 'links/$linkId',
  validateSearch: readLinkSearch,
  component: lazyPage(() => import('../links/link-page.tsx'), 'LinkPage'),
})
const analytics = createRoute({
  getParentRoute: () => workspace,
  path: 'analytics',
  validateSearch: readFigureSearch,
  component: lazyPage(() => import('../analytics/analytics-page.tsx'), 'AnalyticsPage'),
})
const alerts = createRoute({
  getParentRoute: () => workspace,
  path: 'alerts',
  validateSearch: readAlertsSearch,
  component: lazyPage(() => import('../alerts/alerts-page.tsx'), 'AlertsPage'),
})
const conversions = createRoute({
  getParentRoute: () => workspace,
  path: 'conversions',
  validateSearch: readConversionsSearch,
  component: lazyPage(() => import('../conversions/conversions-page.tsx'), 'ConversionsPage'),
})
const linkImport = createRoute({
  getParentRoute: () => workspace,
  path: 'links/import',
  validateSearch: readImportSearch,
  component: lazyPage(() => import('../imports/import-page.tsx'), 'ImportPage'),
})
const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: 'webhooks',
  validateSearch: readDeliverySearch,
  component: lazyPage(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const endpoint = createRoute({
  getParentRoute: () => workspace,
  path: 'webhooks/$endpointId',
  validateSearch: readEndpointSearch,
  component: lazyPage(() => import('../webhooks/endpoint-page.tsx'), 'EndpointPage'),
})
const more = createRoute({
  getParentRoute: () => workspace,
  path: 'more',
  component: lazyPage(() => import('./more-page.tsx'), 'MorePage'),
})
const campaigns = createRoute({
  getParentRoute: () => workspace,
  path: 'campaigns',
  validateSearch: readCampaignsSearch,
  component: lazyPage(() => import('../campaigns/campaigns-page.tsx'), 'CampaignsPage'),
})
const campaign = createRoute({
  getParentRoute: () => workspace,
  path: 'campaigns/$campaignId',
  validateSearch: readFigureSearch,
  component: lazyPage(() => import('../campaigns/campaign-page.tsx'), 'CampaignPage'),
})
const dashboards = createRoute({
  getParentRoute: () => workspace,
  path: 'dashboards',
  validateSearch: readDashboardsSearch,
  component: lazyPage(() => import('../dashboards/dashboards-page.tsx'), 'DashboardsPage'),
})
const bioPages = createRoute({
  getParentRoute: () => workspace,
  path: 'bio-pages',
  validateSearch: readBioPagesSearch,
  component: lazyPage(() => import('../bio-pages/bio-pages-page.tsx'), 'BioPagesPage'),
})
const bioPage = createRoute({
  getParentRoute: () => workspace,
  path: 'bio-pages/$pageId',
  component: lazyPage(() => import('../bio-pages/editor-page.tsx'), 'EditorPage'),
})
const bioPageFigures = createRoute({
  getParentRoute: () => workspace,
  path: 'bio-pages/$pageId/figures',
  validateSearch: readPageFiguresSearch,
  component: lazyPage(() => import('../bio-pages/figures-page.tsx'), 'FiguresPage'),
})
const media = createRoute({
  getParentRoute: () => workspace,
  path: 'media',
  validateSearch: readMediaSearch,
  component: lazyPage(() => import('../media/media-page.tsx'), 'MediaPage'),
})
const reports = createRoute({
  getParentRoute: () => workspace,
  path: 'reports',
  validateSearch: readNewSearch,
  component: lazyPage(() => import('../reports/reports-page.tsx'), 'ReportsPage'),
})
const domains = createRoute({
  getParentRoute: () => workspace,
  path: 'domains',
  validateSearch: readDomainsSearch,
  component: lazyPage(() => import('../domains/domains-page.tsx'), 'DomainsPage'),
})
const domain = createRoute({
  getParentRoute: () => workspace,
  path: 'domains/$domainId',
  validateSearch: readDomainSearch,
  component: lazyPage(() => import('../domains/domain-page.tsx'), 'DomainPage'),
})
const templates = createRoute({
  getParentRoute: () => workspace,
  path: 'utm-templates',
  validateSearch: readNewSearch,
  component: lazyPage(() => import('../utm-templates/templates-page.tsx'), 'TemplatesPage'),
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazyPage(() => import('../settings/settings-layout.tsx'), 'SettingsLayout'),
})
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$workspaceId/settings/workspace', params, replace: true })
  },
})
const workspaceSettings = createRoute({
  getParentRoute: () => settings,
  path: 'workspace',
  component: lazyPage(() => import('../settings/workspace-page.tsx'), 'WorkspacePage'),
})
const members = createRoute({
  getParentRoute: () => settings,
  path: 'members',
  component: lazyPage(() => import('../members/members-page.tsx'), 'MembersPage'),
})
const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: 'api-keys',
  component: lazyPage(() => import('../api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const tools = createRoute({
  getParentRoute: () => settings,
  path: 'tools',
  component: lazyPage(() => import('../tools/tools-page.tsx'), 'ToolsPage'),
})
const auditLog = createRoute({
  getParentRoute: () => settings,
  path: 'audit-log',
  validateSearch: readAuditSearch,
  component: lazyPage(() => import('../logs/audit-page.tsx'), 'AuditPage'),
})
const securityLog = createRoute({
  getParentRoute: () => settings,
  path: 'security-log',
  validateSearch: readSecuritySearch,
  component: lazyPage(() => import('../logs/security-page.tsx'), 'SecurityPage'),
})
const abuseReports = createRoute({
  getParentRoute: () => settings,
  path: 'abuse-reports',
  validateSearch: readReportsSearch,
  component: lazyPage(() => import('../logs/reports-page.tsx'), 'ReportsPage'),
})
const billing = createRoute({
  getParentRoute: () => settings,
  path: 'billing',
  component: lazyPage(() => import('../billing/billing-page.tsx'), 'BillingPage'),
})

/** Where the bookmarklet and the share menu of a phone lead, which know no workspace. */
const newLink = createRoute({
  getParentRoute: () => signedIn,
  path: 'new-link',
  validateSearch: readSharedPage,
  beforeLoad: async ({ context: { queryClient }, search: { url } }) => {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery)
    const session = await queryClient.ensureQueryData(sessionQuery)
    const { id } =
      workspaces.find((each) => each.id === session?.workspace?.id) ?? workspaces[0] ?? {}
    if (id === undefined) throw redirect({ to: '/new-workspace' })
    const search = { new: true as const, ...(url !== undefined && { url }) }
    throw redirect({
      to: '/$workspaceId/links',
      params: { workspaceId: id },
      search,
      replace: true,
    })
  },
})

/** The page to which the payment provider returns the browser, without the workspace. */
const billingReturn = createRoute({
  getParentRoute: () => signedIn,
  path: 'billing',
  beforeLoad: async ({ context: { queryClient } }) => {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery)
    const session = await queryClient.ensureQueryData(sessionQuery)
    const wanted = takeBuyer() ?? session?.workspace?.id
    const { id } = workspaces.find((each) => each.id === wanted) ?? workspaces[0] ?? {}
    if (id === undefined) throw redirect({ to: '/new-workspace' })
    throw redirect({ to: '/$workspaceId/settings/billing', params: { workspaceId: id } })
  },
})

export const routeTree = root.addChildren([
  home,
  door.addChildren([signIn, signUp, forgot]),
  signedIn.addChildren([
    newWorkspace,
    allow,
    account.addChildren([profile, security, sessions, accountData]),
    server.addChildren([serverWorkspaces, serverUsers, serverReports, serverBlocks, serverHealth]),
    billingReturn,
    newLink,
    workspace.addChildren([
      overview,
      links,
      link,
      analytics,
      alerts,
      conversions,
      webhooks,
      endpoint,
      linkImport,
      more,
      campaigns,
      campaign,
      dashboards,
      bioPages,
      bioPage,
      bioPageFigures,
      media,
      reports,
      domains,
      domain,
      templates,
      settings.addChildren([
        settingsHome,
        workspaceSettings,
        members,
        apiKeys,
        tools,
        auditLog,
        securityLog,
        abuseReports,
        billing,
      ]),
    ]),
  ]),
])
