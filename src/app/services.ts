import { join } from 'node:path'
import type { Route } from '../base/route.ts'
import { createSecrets } from '../base/secrets.ts'
import type { Config } from '../config/config.ts'
import { createOutbox } from '../delivery/outbox.ts'
import { createAuthService } from './auth.ts'
import type { Dependencies } from './dependencies.ts'
import { createOperatorRules } from './operator.ts'
import { accountRoutes as userRoutes } from '../services/accounts/routes.ts'
import { createAnalytics } from '../services/analytics/analytics.ts'
import { analyticsRoutes } from '../services/analytics/routes.ts'
import { createApiKeys } from '../services/api-keys/api-keys.ts'
import { createKeyAuthentication } from '../services/api-keys/authentication.ts'
import { apiKeyRoutes } from '../services/api-keys/routes.ts'
import { createAudit } from '../services/audit.ts'
import { createAuditLog } from '../services/audit-log/audit-log.ts'
import { auditLogRoutes } from '../services/audit-log/routes.ts'
import type { Auth } from '../services/auth/auth.ts'
import { createBilling } from '../services/billing/billing.ts'
import { createClickCounter } from '../services/billing/clicks.ts'
import { createSubscriptionEnds } from '../services/billing/ends.ts'
import { createProviderEvents } from '../services/billing/events.ts'
import { billingRoutes } from '../services/billing/routes.ts'
import { createSetPlan } from '../services/billing/set-plan.ts'
import { openStripe } from '../services/billing/stripe.ts'
import { Usage } from '../services/billing/usage.ts'
import { createInvitations } from '../services/invitations/invitations.ts'
import { createInvitationPage } from '../services/invitations/invitation-page.ts'
import {
  invitationAccountRoutes,
  invitationPageRoutes,
  invitationRoutes,
} from '../services/invitations/routes.ts'
import { createCapabilities, createLimit } from '../services/limits.ts'
import { createLinks } from '../services/links/links.ts'
import { linkRoutes } from '../services/links/routes.ts'
import type { RoutedName } from '../services/resources.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createMails, type Mails } from '../services/mail/mails.ts'
import { createMembers } from '../services/members/members.ts'
import { memberRoutes } from '../services/members/routes.ts'
import { readPlans } from '../services/plans.ts'
import { Purge } from '../services/purge.ts'
import { securityLogRoutes } from '../services/security-log/routes.ts'
import { createSecurityLog } from '../services/security-log/security-log.ts'
import { createSecurityRecorder } from '../services/security.ts'
import { createDeliveries } from '../services/webhooks/deliveries.ts'
import { createEndpoints } from '../services/webhooks/endpoints.ts'
import { createListening } from '../services/webhooks/listening.ts'
import { webhookEvents } from '../services/webhooks/event-shapes.ts'
import { webhookRoutes } from '../services/webhooks/routes.ts'
import { createSending } from '../services/webhooks/sending.ts'
import { workspaceAccountRoutes, workspaceRoutes } from '../services/workspaces/routes.ts'
import { createWorkspaces } from '../services/workspaces/workspaces.ts'
import { createHeavyReads } from '../storage/heavy-reads.ts'
import { unshippedSinceMs } from '../journal/age.ts'
import type { RateLimits } from '../storage/rate-limits.ts'

export type ServicesDeps = Pick<
  Dependencies,
  'stores' | 'config' | 'clock' | 'log' | 'mails' | 'origin'
> & {
  rateLimits: Pick<RateLimits, 'limiter'>
  /** Host of short links; set once the server has its port. */
  shortHost: () => ShortHost
  journalDir: string
  countryOf: (ip: string) => string | null
  /** @throws Error whose message says why the server never connects to this URL */
  checkUrl: (url: string) => Promise<void>
}

/** @param publicOrigin public address of this server; set once it has its port */
export function openMails(
  config: Config,
  publicOrigin: () => string,
  { clock, log }: Pick<Dependencies, 'clock' | 'log'>,
): Mails {
  const { smtpUrl, mailFrom } = config
  const outboxDir = join(config.dataDir, 'outbox')
  return createMails({ smtpUrl, mailFrom, outboxDir, publicOrigin, clock, log })
}

export type Services = Awaited<ReturnType<typeof createServices>>

/**
 * The rules of every resource, and the routes to them.
 * @throws OperatorError for settings that contradict each other
 */
export async function createServices(input: ServicesDeps) {
  const deps = shareDependencies(input)
  const { clock, log, plans, secrets, recordSecurity } = deps
  const { systemSql } = deps.stores
  const accounts = createAccountServices(deps)
  const { auth, apiKeys, workspaces, members, invitations, operator, purge, setPlan } = accounts
  const { billing, usage, provider } = await createBillingServices(deps)
  const analytics = createAnalytics({
    sql: deps.stores.sql,
    clickhouse: deps.stores.clickhouse,
    clock,
    shippedThroughMs: () => unshippedSinceMs(input.journalDir),
  })
  const invitationPage = createInvitationPage({
    systemSql,
    clock,
    invitations,
    signInMethods: { providers: auth.providers, signup: deps.config.signup },
  })
  // A resource without its line here does not compile.
  const mounted: Record<RoutedName, Route[]> = {
    links: linkRoutes(createLinks({ ...shared(deps), shortHost: input.shortHost })),
    analytics: analyticsRoutes(analytics),
    webhooks: createWebhookRoutes(deps, input),
    apiKeys: apiKeyRoutes(apiKeys),
    workspaces: workspaceRoutes(workspaces),
    members: [...memberRoutes(members), ...invitationRoutes(invitations)],
    auditLog: auditLogRoutes(createAuditLog(deps)),
    securityLog: securityLogRoutes(createSecurityLog(deps)),
    billing: billingRoutes(billing),
  }
  const accountRoutes: Route[] = [
    ...auth.routes,
    ...userRoutes(operator.accounts),
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
    keyAuthentication: createKeyAuthentication({ systemSql, clock, log }),
    sessions: auth.sessions,
    usage,
    billingEvents: provider
      ? createProviderEvents({ systemSql, clock, plans, setPlan, provider, log })
      : null,
    bootstrap: operator.bootstrap,
    operator,
    purge,
    subscriptionEnds: createSubscriptionEnds({ systemSql, clock, provider, log }),
  }
}

function shareDependencies(input: ServicesDeps): Dependencies {
  const { stores, config, clock, log, mails, origin } = input
  const plans = readPlans(config.plansFile, config.defaultPlan)
  return {
    stores,
    config,
    clock,
    log,
    mails,
    origin,
    plans,
    secrets: createSecrets(stores.secretKey),
    reads: createHeavyReads(stores),
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    requireCapability: createCapabilities(plans),
    publish: createOutbox(clock),
    recordSecurity: createSecurityRecorder(clock, input.countryOf),
    limiter: (name, points, durationSeconds) =>
      input.rateLimits.limiter({ name, points, durationSeconds, whenStoreIsGone: 'tight' }),
  }
}

/** The dependencies of most rules, with the two connections and the security log under their names there. */
function shared(deps: Dependencies) {
  const { stores, reads, clock, audit, limit, publish, recordSecurity } = deps
  const { sql, systemSql } = stores
  return { sql, systemSql, reads, clock, audit, limit, publish, security: recordSecurity }
}

/** Users and what they belong to: workspaces, members, invitations, keys, sign-in, and the operator's commands. */
function createAccountServices(deps: Dependencies) {
  const { stores, config, clock, log, limiter } = deps
  const { systemSql, clickhouse } = stores
  const rules = shared(deps)
  const apiKeys = createApiKeys(rules)
  const setActiveWorkspace: Auth['sessions']['setActiveWorkspace'] = (...args) =>
    auth.sessions.setActiveWorkspace(...args)
  const purge = new Purge({ sql: systemSql, clickhouse, clock, log })
  const workspaces = createWorkspaces({
    ...rules,
    initialPlan: deps.plans.initial.id,
    maxOwned: config.maxWorkspacesPerUser,
    setActiveWorkspace,
    purge,
  })
  const invitations = createInvitations({
    ...rules,
    mails: deps.mails,
    signup: config.signup,
    addressLimiter: limiter('invitation', 3, 3_600),
    inviterLimiter: limiter('inviter', 300, 86_400),
    mailLimiter: limiter('invitation-mail', 10, 3_600),
    setActiveWorkspace,
  })
  const auth: ReturnType<typeof createAuthService> = createAuthService(deps, {
    hasInvitation: (email) => invitations.hasInvitation(email),
    ensureWorkspace: (tx, user) => workspaces.ensureFirst(tx, user),
    revokeKeysOf: (tx, caller, userId) => apiKeys.revokeEverywhere(tx, caller, userId),
  })
  const members = createMembers({
    ...rules,
    revokeKeysOf: apiKeys.revokeOf,
    cancelInvitationsBy: invitations.cancelBy,
  })
  const setPlan = createSetPlan(rules)
  const operator = createOperatorRules(deps, {
    setPlan,
    auth,
    apiKeys,
    members,
    workspaces,
    purge,
  })
  return { auth, apiKeys, workspaces, members, invitations, operator, purge, setPlan }
}

async function createBillingServices({ stores, config, clock, log, plans, origin }: Dependencies) {
  const { sql, systemSql, clickhouse } = stores
  const usage = new Usage({ systemSql, clock, plans, log })
  const provider = await openStripe({
    secretKey: config.stripeSecretKey,
    webhookSecret: config.stripeWebhookSecret,
    origin,
    plans,
    clock,
    log,
  })
  const countClicks = createClickCounter(clickhouse)
  const billing = createBilling({ sql, clock, plans, usage, countClicks, provider })
  return { billing, usage, provider }
}

function createWebhookRoutes(
  deps: Dependencies,
  { checkUrl, rateLimits }: Pick<ServicesDeps, 'checkUrl' | 'rateLimits'>,
): Route[] {
  const { config, secrets, recordSecurity, requireCapability } = deps
  const rules = { ...shared(deps), secrets, recordSecurity, requireCapability }
  const calls = rateLimits.limiter({
    name: 'webhook-calls',
    points: config.webhookCallsPerMinute,
    durationSeconds: 60,
    whenStoreIsGone: 'local',
  })
  return webhookRoutes(
    createEndpoints({ ...rules, maxEndpoints: config.webhookMaxEndpoints, checkUrl }),
    createDeliveries(rules),
    createSending({ ...rules, calls, maxFanoutBytes: config.webhookMaxFanoutBytes }),
    createListening(rules),
  )
}
