import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Route } from '../base/route.ts'
import { createSecrets, type Secrets } from '../base/secrets.ts'
import type { Config } from '../config/config.ts'
import { createOutbox } from '../delivery/outbox.ts'
import { createAuthService } from './auth.ts'
import { createOperatorRules } from './operator.ts'
import { accountRoutes as personRoutes } from '../services/accounts/routes.ts'
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
import { createUsage } from '../services/billing/usage.ts'
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
import type { ShortHost } from '../services/links/short-host.ts'
import { createMails, type Mails } from '../services/mail/mails.ts'
import { createMembers } from '../services/members/members.ts'
import { memberRoutes } from '../services/members/routes.ts'
import { readPlans } from '../services/plans.ts'
import { Purge } from '../services/purge.ts'
import { securityLogRoutes } from '../services/security-log/routes.ts'
import { createSecurityLog } from '../services/security-log/security-log.ts'
import { createSecurityRecorder, type RecordSecurity } from '../services/security.ts'
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
import type { RateLimiter, RateLimits } from '../storage/rate-limits.ts'
import type { Stores } from '../storage/stores.ts'

/** What every service stands on. */
export type Ground = {
  stores: Stores
  config: Config
  clock: Clock
  log: Log
  secrets: Secrets
  recordSecurity: RecordSecurity
  mails: Mails
  /** A limit of so many in so many seconds, tight when its store is gone. */
  limiter: (name: string, points: number, durationSeconds: number) => RateLimiter
}

export type ServicesDeps = Omit<Ground, 'secrets' | 'recordSecurity' | 'limiter'> & {
  rateLimits: Pick<RateLimits, 'limiter'>
  /** Where short links live; known with the port. */
  shortHost: () => ShortHost
  journalDir: string
  /** Where people reach this server; known with the port. */
  origin: () => string
  countryOf: (ip: string) => string | null
  /** @throws Error whose message says why this URL is never connected to */
  checkUrl: (url: string) => Promise<void>
}

/** @param publicOrigin where people reach this server; known with the port */
export function openMails(
  config: Config,
  publicOrigin: () => string,
  { clock, log }: Pick<Ground, 'clock' | 'log'>,
): Mails {
  const { smtpUrl, mailFrom } = config
  const outboxDir = join(config.dataDir, 'outbox')
  return createMails({ smtpUrl, mailFrom, outboxDir, publicOrigin, clock, log })
}

export type Services = Awaited<ReturnType<typeof createServices>>

/**
 * What workspaces and people may do, with the doors to it.
 * @throws OperatorError for settings that do not go together
 */
export async function createServices(deps: ServicesDeps) {
  const { stores, config, clock, log, mails, shortHost } = deps
  const { sql, systemSql, clickhouse } = stores
  const secrets = createSecrets(stores.secretKey)
  const plans = readPlans(config.plansFile, config.defaultPlan)
  const recordSecurity = createSecurityRecorder(clock, deps.countryOf)
  const limiter: Ground['limiter'] = (name, points, durationSeconds) =>
    deps.rateLimits.limiter({ name, points, durationSeconds, whenStoreIsGone: 'tight' })
  const ground: Ground = { ...deps, secrets, recordSecurity, limiter }
  const audit = createAudit(clock)
  const limit = createLimit(clock, plans)
  const requireCapability = createCapabilities(plans)
  const publish = createOutbox(clock)
  const reads = createHeavyReads(stores)
  const shared = { sql, reads, systemSql, clock, audit, limit, publish, security: recordSecurity }

  const apiKeys = createApiKeys(shared)
  const setActiveWorkspace: Auth['sessions']['setActiveWorkspace'] = (...args) =>
    auth.sessions.setActiveWorkspace(...args)
  const initialPlan = plans.initial.id
  const purge = new Purge({ sql: systemSql, clickhouse, clock, log })
  const maxOwned = config.maxWorkspacesPerUser
  const workspaces = createWorkspaces({
    ...shared,
    initialPlan,
    maxOwned,
    setActiveWorkspace,
    purge,
  })
  const invitations = createInvitations({
    ...shared,
    mails,
    signup: config.signup,
    addressLimiter: limiter('invitation', 3, 3_600),
    inviterLimiter: limiter('inviter', 300, 86_400),
    mailLimiter: limiter('invitation-mail', 10, 3_600),
    setActiveWorkspace,
  })
  const auth: ReturnType<typeof createAuthService> = createAuthService(ground, {
    hasInvitation: (email) => invitations.hasInvitation(email),
    ensureWorkspace: (tx, person) => workspaces.ensureFirst(tx, person),
    revokeKeysOf: (tx, caller, userId) => apiKeys.revokeEverywhere(tx, caller, userId),
  })
  const members = createMembers({
    ...shared,
    revokeKeysOf: apiKeys.revokeOf,
    cancelInvitationsBy: invitations.cancelBy,
  })
  const keyAuthentication = createKeyAuthentication({ systemSql, clock, log })

  const usage = createUsage({ systemSql, clock, plans, log })
  const setPlan = createSetPlan(shared)
  const operator = createOperatorRules({
    ...ground,
    ...{ reads, origin: deps.origin, audit, limit, plans, setPlan },
    ...{ auth, apiKeys, members, workspaces, purge },
  })
  const provider = await openStripe({
    secretKey: config.stripeSecretKey,
    webhookSecret: config.stripeWebhookSecret,
    origin: deps.origin,
    plans,
    clock,
    log,
  })
  const billing = createBilling({
    sql,
    clock,
    plans,
    usage,
    countClicks: createClickCounter(clickhouse),
    provider,
  })
  const links = createLinks({ ...shared, shortHost })
  const analytics = createAnalytics({
    sql,
    clickhouse,
    clock,
    shippedThroughMs: () => unshippedSinceMs(deps.journalDir),
  })
  const webhookDeps = { ...shared, secrets, recordSecurity, requireCapability }
  const endpoints = createEndpoints({
    ...webhookDeps,
    maxEndpoints: config.webhookMaxEndpoints,
    checkUrl: deps.checkUrl,
  })
  const sending = createSending({
    ...webhookDeps,
    calls: deps.rateLimits.limiter({
      name: 'webhook-calls',
      points: config.webhookCallsPerMinute,
      durationSeconds: 60,
      whenStoreIsGone: 'local',
    }),
    maxFanoutBytes: config.webhookMaxFanoutBytes,
  })

  const routes: Route[] = [
    ...linkRoutes(links),
    ...analyticsRoutes(analytics),
    ...webhookRoutes(
      endpoints,
      createDeliveries(webhookDeps),
      sending,
      createListening(webhookDeps),
    ),
    ...apiKeyRoutes(apiKeys),
    ...workspaceRoutes(workspaces),
    ...memberRoutes(members),
    ...invitationRoutes(invitations),
    ...auditLogRoutes(createAuditLog({ reads, requireCapability })),
    ...securityLogRoutes(createSecurityLog({ reads })),
    ...billingRoutes(billing),
    ...auth.routes,
    ...personRoutes(operator.accounts),
    ...workspaceAccountRoutes(workspaces),
    ...invitationAccountRoutes(invitations),
    ...invitationPageRoutes(
      createInvitationPage({
        ...{ systemSql, clock, invitations },
        signInMethods: { providers: auth.providers, signup: config.signup },
      }),
    ),
  ]
  return {
    routes,
    accountRoutes,
    events: webhookEvents(),
    secrets,
    plans,
    recordSecurity,
    keyAuthentication,
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
