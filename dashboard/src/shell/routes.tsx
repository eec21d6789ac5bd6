import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { setWorkspace } from '../api/client.ts'
import { setGateEnabled } from '../api/session-gate.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { readFigureSearch } from '../figures/search.ts'
import { readLinksSearch } from '../links/search.ts'
import { readAccountSearch } from '../account/search.ts'
import { readDeliverySearch } from '../webhooks/search.ts'
import { applyPreferences } from '../kit/preferences.ts'
import { Missing, RouteError } from './route-error.tsx'
import { Root } from './root.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  errorComponent: RouteError,
  notFoundComponent: Missing,
})

type Next = { next?: string | undefined }

/** A path of the dashboard to go to after the sign-in; addresses of other sites are dropped. */
const readNext = ({ next }: Record<string, unknown>): Next =>
  typeof next === 'string' && next.startsWith('/') && !next.startsWith('//') ? { next } : {}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    setGateEnabled(false)
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
    setGateEnabled(false)
    setWorkspace(null)
  },
})

const signIn = createRoute({
  getParentRoute: () => door,
  path: 'sign-in',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => door,
  path: 'sign-up',
  validateSearch: readNext,
  component: lazyRouteComponent(() => import('../sign-in/sign-up-page.tsx'), 'SignUpPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    setGateEnabled(false)
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } })
    setGateEnabled(true)
  },
})

const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: 'new-workspace',
  component: lazyRouteComponent(() => import('../workspaces/new-page.tsx'), 'NewWorkspacePage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  validateSearch: readAccountSearch,
  beforeLoad: ({ context: { queryClient } }) => {
    setWorkspace(null)
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    if (session) applyPreferences(session.preferences)
  },
  component: lazyRouteComponent(() => import('../account/account-layout.tsx'), 'AccountLayout'),
})
const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('../account/profile-page.tsx'), 'ProfilePage'),
})
const security = createRoute({
  getParentRoute: () => account,
  path: 'security',
  component: lazyRouteComponent(() => import('../account/security-page.tsx'), 'SecurityPage'),
})
const sessions = createRoute({
  getParentRoute: () => account,
  path: 'sessions',
  component: lazyRouteComponent(() => import('../account/sessions-page.tsx'), 'SessionsPage'),
})
const accountData = createRoute({
  getParentRoute: () => account,
  path: 'data',
  component: lazyRouteComponent(() => import('../account/data-page.tsx'), 'DataPage'),
})

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '$workspaceId',
  beforeLoad: ({ params }) => setWorkspace(params.workspaceId),
  loader: async ({ context: { queryClient }, params }) => {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery)
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    const zone = workspaces.find(({ id }) => id === params.workspaceId)?.timezone
    if (session) applyPreferences(session.preferences, zone)
    return workspaces
  },
  component: lazyRouteComponent(() => import('./workspace-layout.tsx'), 'WorkspaceLayout'),
})

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
})
const links = createRoute({
  getParentRoute: () => workspace,
  path: 'links',
  validateSearch: readLinksSearch,
  component: lazyRouteComponent(() => import('../links/links-page.tsx'), 'LinksPage'),
})
const link = createRoute({
  getParentRoute: () => workspace,
  path: 'links/$linkId',
  validateSearch: readFigureSearch,
  component: lazyRouteComponent(() => import('../links/link-page.tsx'), 'LinkPage'),
})
const analytics = createRoute({
  getParentRoute: () => workspace,
  path: 'analytics',
  validateSearch: readFigureSearch,
  component: lazyRouteComponent(() => import('../analytics/analytics-page.tsx'), 'AnalyticsPage'),
})
const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: 'webhooks',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

export const routeTree = root.addChildren([
  home,
  door.addChildren([signIn, signUp]),
  signedIn.addChildren([
    newWorkspace,
    account.addChildren([profile, security, sessions, accountData]),
    workspace.addChildren([overview, links, link, analytics, webhooks]),
  ]),
])
