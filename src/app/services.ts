import type { Route } from '../base/route.ts'
import type { Config } from '../config/config.ts'
import { createOutbox } from '../delivery/outbox.ts'
import { createAbuse } from './abuse.ts'
import { createAuthService } from './auth.ts'
import { createBioPageRoutes, movePages } from './bio-pages.ts'
import { openConversions } from './conversions.ts'
import { createDeferredRoutes } from './deferred.ts'
import { routingByConfig } from './domains.ts'
import { createToShortUrl } from './short-urls.ts'
import { createLinkRoutes } from './links.ts'
import { outboxDirOf, toTerminal } from './mails.ts'
import { openMedia } from './media.ts'
import { createOperatorRules } from './operator.ts'
import { openReports } from './reports.ts'
import { createAccounts } from '../services/accounts/accounts.ts'
import { accountRoutes as userRoutes } from '../services/accounts/routes.ts'
import type { Countries } from '../facts/country.ts'
import { shortUrlOf } from '../facts/short-url.ts'
import { createAnalytics, type Analytics } from '../services/analytics/analytics.ts'
import { eventRoutes } from '../services/analytics/events-routes.ts'
import { createLinkClicks } from '../services/analytics/link-clicks.ts'
import { LiveClicks } from '../services/analytics/live.ts'
import { liveRoutes } from '../services/analytics/live-routes.ts'
import { ClickReader } from '../services/analytics/reader.ts'
import { analyticsRoutes } from '../services/analytics/routes.ts'
import { createApiKeys } from '../services/api-keys/api-keys.ts'
import { createKeyAuthentication } from '../services/api-keys/authentication.ts'
import { apiKeyRoutes } from '../services/api-keys/routes.ts'
import { createAudit } from '../services/audit.ts'
import { createAuditLog } from '../services/audit-log/audit-log.ts'
import { auditLogRoutes } from '../services/audit-log/routes.ts'
import type { Auth } from '../services/auth/auth.ts'
import { voidPendingSignUps } from '../services/auth/pending-sign-ups.ts'
import { GONE_SESSION_COOKIE, revokeSessions } from '../services/auth/sessions.ts'
import { readUser, requireOwner } from '../services/auth/users.ts'
import { requireSession } from '../services/acting.ts'
import { createBilling } from '../services/billing/billing.ts'
import { createClickCounter } from '../services/billing/clicks.ts'
import { createProviderEvents } from '../services/billing/events.ts'
import { billingRoutes } from '../services/billing/routes.ts'
import { createSetPlan } from '../services/billing/set-plan.ts'
import { openStripe } from '../services/billing/stripe.ts'
import { Usage } from '../services/billing/usage.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { createDashboards } from '../services/dashboards/dashboards.ts'
import { createDashboardPasswords } from '../services/dashboards/guesses.ts'
import { dashboardRoutes, publicDashboardRoutes } from '../services/dashboards/routes.ts'
import { createVisitedDashboards } from '../services/dashboards/visited.ts'
import { createDashboardVisits } from '../services/dashboards/visits.ts'
import { createDomains } from '../services/domains/domains.ts'
import { domainRoutes } from '../services/domains/routes.ts'
import { createVerification } from '../services/domains/verification.ts'
import { groupClearingKind } from '../services/group-clearing.ts'
import { createFolders } from '../services/folders/folders.ts'
import { folderRoutes } from '../services/folders/routes.ts'
import { createGeoip } from '../services/geoip/geoip.ts'
import { geoipRoutes } from '../services/geoip/routes.ts'
import { createInvitations } from '../services/invitations/invitations.ts'
import { createInvitationPage } from '../services/invitations/invitation-page.ts'
import {
  invitationAccountRoutes,
  invitationPageRoutes,
  invitationRoutes,
} from '../services/invitations/routes.ts'
import { createImportFiles } from '../services/imports/files.ts'
import { createImportKind } from '../services/imports/kind.ts'
import { createJobs, type Jobs } from '../services/jobs/jobs.ts'
import { JobWorker } from '../services/jobs/worker.ts'
import { createCampaigns } from '../services/campaigns/campaigns.ts'
import { campaignRoutes } from '../services/campaigns/routes.ts'
import { createCapabilities, createLimit } from '../services/limits.ts'
import type { LinkDeps } from '../services/links/dependencies.ts'
import { checkDestination } from '../services/links/destination.ts'
import { createLinkWrites } from '../services/links/import-writes.ts'
import { moveToSharedHost } from '../services/links/move-to-shared.ts'
import { checkPassword, createHashLinkPassword, PASSWORD_MASK } from '../services/links/password.ts'
import { createKeptAnswers } from '../services/kept-answers.ts'
import type { createLinkPreviews } from '../services/links/preview.ts'
import type { RoutedName } from '../services/resources.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createMails, type Mails } from '../services/mail/mails.ts'
import { createMemberActivity } from '../services/members/activity.ts'
import { createMembers } from '../services/members/members.ts'
import { memberRoutes } from '../services/members/routes.ts'
import { readPlans } from '../services/plans.ts'
import { Purge } from '../services/purge.ts'
import { searchRoutes } from '../services/search/routes.ts'
import { createSearch } from '../services/search/search.ts'
import { securityLogRoutes } from '../services/security-log/routes.ts'
import { createSecurityLog } from '../services/security-log/security-log.ts'
import { createSecurityRecorder } from '../services/security.ts'
import { tagChangeKind } from '../services/tags/change.ts'
import { tagRoutes } from '../services/tags/routes.ts'
import { createTags } from '../services/tags/tags.ts'
import { utmTemplateRoutes } from '../services/utm-templates/routes.ts'
import { createUtmTemplates } from '../services/utm-templates/utm-templates.ts'
import { createDeliveries } from '../services/webhooks/deliveries.ts'
import { createEndpoints } from '../services/webhooks/endpoints.ts'
import { createListening } from '../services/webhooks/listening.ts'
import { webhookEvents } from '../services/webhooks/event-shapes.ts'
import { webhookRoutes } from '../services/webhooks/routes.ts'
import { createSending } from '../services/webhooks/sending.ts'
import { workspaceAccountRoutes, workspaceRoutes } from '../services/workspaces/routes.ts'
import { createWorkspaces } from '../services/workspaces/workspaces.ts'
import { createHeavyReads } from '../storage/heavy-reads.ts'
import type { RateLimits } from '../storage/rate-limits.ts'
import type { Stores } from '../storage/stores.ts'

export type ServicesDeps = Pick<Dependencies, 'clock' | 'log' | 'mails' | 'origin'> & {
  stores: Stores
  config: Config
  rateLimits: Pick<RateLimits, 'limiter'>
  /** Host of short links; set once the server has its port. */
  shortHost: () => ShortHost
  /** Time before which every click that any edge answered is stored. */
  shippedThroughMs: () => Promise<number>
  countries: Pick<Countries, 'describe'>
  /** @throws Error whose message says why the server never connects to this URL */
  checkUrl: (url: string) => Promise<void>
  previews: Parameters<typeof createLinkPreviews>[0]
  domainLookups: Parameters<typeof createVerification>[0]['lookups']
}

/** @param publicOrigin public address of this server; set once it has its port */
export function openMails(
  config: Config,
  publicOrigin: () => string,
  { clock, log }: Pick<Dependencies, 'clock' | 'log'>,
): Mails {
  const { smtpUrl, mailFrom } = config
  const outboxDir = outboxDirOf(config)
  const sayLink = toTerminal(process.stdout, config.logFormat)
  return createMails({ smtpUrl, mailFrom, outboxDir, publicOrigin, sayLink, clock, log })
}

export type Services = Awaited<ReturnType<typeof createServices>>

/**
 * The rules of every resource, and the routes to them.
 * @throws OperatorError for settings that contradict each other
 */
export async function createServices(input: ServicesDeps) {
  const opened = new AsyncDisposableStack()
  const { config, shortHost, shippedThroughMs } = input
  const keptAnswers = openKeptAnswers(input)
  const deps = shareDependencies(input, keptAnswers.keep)
  const { plans, secrets, recordSecurity } = deps
  const users = createUserServices(deps, input)
  const { auth, apiKeys, workspaces, members, invitations, accounts } = users
  const { billing, usage, provider } = await createBillingServices(deps, config)
  const clickReads = { ...deps, shippedThroughMs, reader: new ClickReader(deps.clickhouse) }
  const analytics = openAnalytics(clickReads, shortHost)
  const live = new LiveClicks({ ...deps, toShortUrl: createToShortUrl(config) })
  const signInMethods = { providers: auth.providers, signup: config.signup }
  const invitationPage = createInvitationPage({ ...deps, invitations, signInMethods })
  const linkDeps = {
    ...deps,
    shortHost,
    linkClicks: createLinkClicks(clickReads),
    hashLinkPassword: createHashLinkPassword(deps.secrets),
  }
  const jobs = createJobs(deps)
  const uploads = opened.use(openMedia({ ...deps, shortHost }))
  const files = opened.use(createImportFiles())
  const abuse = createAbuse(deps, config, { linkDeps, workspaces: users.operator.workspaces })
  const domains = createDomainServices(linkDeps, input)
  const shared = createSharedDashboards(linkDeps, analytics)
  const { stores } = input
  const reports = openReports({ ...deps, jobs, shortHost, stores }, config)
  // A resource without its line here does not compile.
  const mounted: Record<RoutedName, Route[]> = {
    ...createLinkRoutes({ ...linkDeps, jobs, uploads, files, previews: input.previews }),
    ...createGroupRoutes({ ...deps, jobs }),
    analytics: createAnalyticsRoutes(clickReads, analytics, config, live),
    dashboards: shared.routes,
    domains: domains.routes,
    bioPages: createBioPageRoutes(linkDeps),
    deferred: createDeferredRoutes({ ...clickReads, toDomain: abuse.toDomain }, input),
    conversions: openConversions(linkDeps),
    reports: reports.routes,
    webhooks: createWebhookRoutes(deps, input),
    apiKeys: apiKeyRoutes(apiKeys),
    workspaces: workspaceRoutes(workspaces),
    members: [...memberRoutes(members), ...invitationRoutes(invitations)],
    ...createLookUpRoutes(deps, input),
    abuse: abuse.routes,
    billing: billingRoutes(billing),
  }
  const accountRoutes: Route[] = [
    ...auth.routes,
    ...userRoutes(accounts),
    ...workspaceAccountRoutes(workspaces),
    ...invitationAccountRoutes(invitations),
    ...invitationPageRoutes(invitationPage),
  ]
  return {
    routes: [...Object.values(mounted).flat(), ...accountRoutes],
    events: webhookEvents(),
    secrets,
    plans,
    recordSecurity,
    keptAnswers,
    keyAuthentication: createKeyAuthentication(deps),
    noteActivity: createMemberActivity(deps),
    sessions: auth.sessions,
    usage,
    billingEvents: provider && createProviderEvents({ ...deps, setPlan: users.setPlan, provider }),
    abuse,
    findSharedPage: shared.findPage,
    live,
    bootstrap: users.operator.bootstrap,
    operator: { ...users.operator, ...abuse.operator },
    purge: users.purge,
    jobWorkers: [openJobWorker({ ...deps, jobs }, linkDeps), reports.worker],
    sweepDeps: { ...deps, provider, jobs, verification: domains.verification },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function openKeptAnswers({ stores, config, clock, rateLimits }: ServicesDeps) {
  return createKeptAnswers({
    sql: stores.sql,
    systemSql: stores.systemSql,
    secrets: stores.secrets,
    clock,
    keys: rateLimits.limiter('idempotency-keys', { points: config.idempotencyKeysPerDay }),
  })
}

function shareDependencies(
  input: ServicesDeps,
  keepAnswer: Dependencies['keepAnswer'],
): Dependencies {
  const { stores, config, clock, log, mails, origin } = input
  const plans = readPlans(config.plansFile, config.defaultPlan)
  return {
    sql: stores.sql,
    systemSql: stores.systemSql,
    clickhouse: stores.clickhouse,
    clock,
    log,
    mails,
    origin,
    plans,
    secrets: stores.secrets,
    reads: createHeavyReads(stores),
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    requireCapability: createCapabilities(plans),
    publish: createOutbox(clock),
    keepAnswer,
    recordSecurity: createSecurityRecorder(
      clock,
      (ip) => input.countries.describe(ip).location.country,
    ),
    limiter: (name) => input.rateLimits.limiter(name),
    signup: config.signup,
    requireEmailVerification: config.requireEmailVerification,
  }
}

/** Users and what they belong to: workspaces, members, invitations, keys, sign-in, and the operator's commands. */
function createUserServices(
  deps: Dependencies,
  { config, shortHost }: Pick<ServicesDeps, 'config' | 'shortHost'>,
) {
  const { systemSql, clickhouse, clock, log, limiter } = deps
  const apiKeys = createApiKeys(deps)
  const setActiveWorkspace: Auth['sessions']['setActiveWorkspace'] = (...args) =>
    auth.sessions.setActiveWorkspace(...args)
  const purge = new Purge({ sql: systemSql, clickhouse, clock, log })
  const workspaces = createWorkspaces({
    ...deps,
    initialPlan: deps.plans.initial.id,
    maxOwned: config.maxWorkspacesPerUser,
    setActiveWorkspace,
    purge,
  })
  const invitations = createInvitations({
    ...deps,
    addressLimiter: limiter('invitation'),
    inviterLimiter: limiter('inviter'),
    mailLimiter: limiter('invitation-mail'),
    setActiveWorkspace,
  })
  const auth: ReturnType<typeof createAuthService> = createAuthService(deps, config, {
    hasInvitation: (email) => invitations.hasInvitation(email),
    findInvitation: (...args) => invitations.findForSignUp(...args),
    joinInvited: (...args) => invitations.join(...args),
    shortHost,
    ensureWorkspace: (tx, user) => workspaces.ensureFirst(tx, user),
    revokeKeysOf: (tx, caller, userId) => apiKeys.revokeEverywhere(tx, caller, userId),
  })
  const members = createMembers({
    ...deps,
    revokeKeysOf: apiKeys.revokeOf,
    cancelInvitationsBy: invitations.cancelBy,
  })
  const accounts = createAccounts({
    ...deps,
    members,
    workspaces,
    confirmOwner: async (caller, password) => {
      const session = requireSession(caller)
      const { emailKey } = await readUser(systemSql, session)
      await auth.throttle.guess(caller, emailKey)
      const owner = { systemSql, clock, passwords: auth.passwords }
      return requireOwner(owner, session, password, 'password')
    },
    voidPendingSignUps,
    revokeSessions: (tx, userId) => revokeSessions(tx, userId, null),
    goneCookie: GONE_SESSION_COOKIE,
  })
  const setPlan = createSetPlan(deps)
  const operator = createOperatorRules(deps, { setPlan, auth, apiKeys, accounts, purge })
  return { auth, apiKeys, workspaces, members, invitations, accounts, operator, purge, setPlan }
}

async function createBillingServices(deps: Dependencies, config: Config) {
  const usage = new Usage(deps)
  const provider = await openStripe({
    ...deps,
    secretKey: config.stripeSecretKey,
    webhookSecret: config.stripeWebhookSecret,
  })
  const countClicks = createClickCounter(deps.clickhouse)
  return { billing: createBilling({ ...deps, usage, countClicks, provider }), usage, provider }
}

function createDomainServices(
  deps: Dependencies & LinkDeps,
  { config, shortHost, domainLookups: lookups }: ServicesDeps,
) {
  const own = [config.publicUrl, config.shortUrl].flatMap((url) =>
    url ? new URL(url).hostname : [],
  )
  const ownHosts = new Set([...own, ...(config.cnameTarget ? [config.cnameTarget] : [])])
  const routing = routingByConfig(config)
  const domains = createDomains({
    ...deps,
    checkDestination: (url, path) => checkDestination(url, shortHost().isOwn, path),
    moveToSharedHost: (tx, who, links) => moveToSharedHost(deps, tx, who, links),
    movePagesToSharedHost: (tx, who, domainId) => movePages(deps, tx, who, domainId),
    isOwnHost: (hostname) => ownHosts.has(hostname),
    readRouting: lookups.readRouting,
    routing,
  })
  const verification = createVerification({
    ...deps,
    lookups,
    routing,
    domainRate: deps.limiter('domain-check'),
    workspaceRate: deps.limiter('domain-checks'),
  })
  return { routes: domainRoutes(domains, verification), verification }
}

type ClickReads = Dependencies & Pick<ServicesDeps, 'shippedThroughMs'> & { reader: ClickReader }

function openAnalytics(deps: ClickReads, shortHost: () => ShortHost): Analytics {
  const toShortUrl = (hostname: string | null, slug: string) =>
    shortUrlOf(shortHost(), hostname, slug)
  return createAnalytics({ ...deps, toShortUrl })
}

function createAnalyticsRoutes(
  deps: ClickReads,
  analytics: Analytics,
  config: Config,
  live: LiveClicks,
): Route[] {
  return [
    ...analyticsRoutes(analytics),
    ...eventRoutes({ ...deps, toClickUrl: createToShortUrl(config) }),
    ...liveRoutes(live),
  ]
}

/** Shared dashboards: their management, and what visitors get. */
function createSharedDashboards(
  deps: Dependencies & Pick<LinkDeps, 'hashLinkPassword'>,
  analytics: Pick<Analytics, 'shared'>,
) {
  const visited = createVisitedDashboards(deps)
  const dashboards = createDashboards({
    ...deps,
    hashPassword: deps.hashLinkPassword,
    checkPassword,
    forget: visited.forget,
  })
  const passwords = createDashboardPasswords(deps)
  const visits = createDashboardVisits({ visited, passwords, countShared: analytics.shared })
  const routes = [...dashboardRoutes(dashboards), ...publicDashboardRoutes(visits)]
  return { routes, findPage: visits.preview }
}

/** The worker of every job but those of reports. */
function openJobWorker(deps: Dependencies & { jobs: Jobs }, linkDeps: LinkDeps) {
  const importKind = createImportKind({
    ...deps,
    links: createLinkWrites(linkDeps),
    createFolder: createFolders(deps).create,
    passwordMask: PASSWORD_MASK,
    shortHost: linkDeps.shortHost,
  })
  return new JobWorker({ ...deps, kinds: [groupClearingKind, tagChangeKind, importKind] })
}

/** Routes that only read. */
function createLookUpRoutes(deps: Dependencies, input: ServicesDeps) {
  return {
    search: searchRoutes(createSearch({ ...deps, shortHost: input.shortHost })),
    geoip: geoipRoutes(createGeoip(input)),
    auditLog: auditLogRoutes(createAuditLog(deps)),
    securityLog: securityLogRoutes(createSecurityLog(deps)),
  } satisfies Partial<Record<RoutedName, Route[]>>
}

function createGroupRoutes(deps: Dependencies & { jobs: Jobs }) {
  return {
    folders: folderRoutes(createFolders(deps)),
    tags: tagRoutes(createTags(deps)),
    campaigns: campaignRoutes(createCampaigns(deps)),
    utmTemplates: utmTemplateRoutes(createUtmTemplates(deps)),
  } satisfies Partial<Record<RoutedName, Route[]>>
}

function createWebhookRoutes(
  deps: Dependencies,
  { config, checkUrl, rateLimits }: Pick<ServicesDeps, 'config' | 'checkUrl' | 'rateLimits'>,
): Route[] {
  const calls = rateLimits.limiter('webhook-calls', { points: config.webhookCallsPerMinute })
  return webhookRoutes(
    createEndpoints({ ...deps, maxEndpoints: config.webhookMaxEndpoints, checkUrl }),
    createDeliveries(deps),
    createSending({
      ...deps,
      calls,
      maxFanoutBytes: config.webhookMaxFanoutBytes,
      maxEndpoints: config.webhookMaxEndpoints,
    }),
    createListening(deps),
  )
}
