import type { openDeliveries } from '../webhooks/open.ts'
import type { Service } from '../platform/core/service.ts'
import { copyAllLinkRanks } from '../clicks/shipping/cursor.ts'
import { forgetSilentJournals } from '../clicks/shipping/reports.ts'
import { partsOf } from '../platform/config/roles.ts'
import { ClickRetention } from '../analytics/retention/retention.ts'
import { chainAuditRows } from '../accounts/logs/chain.ts'
import { completeCampaigns } from '../links/campaigns/campaigns.ts'
import { copyConversions } from '../conversions/conversions/copy.ts'
import { readDueLabels } from '../conversions/conversions/labels.ts'
import { attributeWaiting } from '../conversions/conversions/waiting.ts'
import { deleteExpiredDeepLinks } from '../conversions/deferred/found.ts'
import { deleteExpired, deleteExpiredReservations } from '../links/history/expiry.ts'
import { checkAlerts } from '../analytics/alerts/watch.ts'
import { deleteUnwantedFiles } from '../analytics/reports/expiry.ts'
import { mailReports } from '../analytics/reports/mails.ts'
import { startDueReports } from '../analytics/reports/schedule.ts'
import { Sweeper, type Sweep } from '../platform/storage/sweeps.ts'
import { openRenewals } from '../domains/tls/open.ts'
import type { Registry } from 'prom-client'
import type { Config } from '../platform/config/config.ts'
import type { Platform } from './platform.ts'
import type { Services } from './services.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/core/clock.ts'

export type WorkDeps = Pick<Platform, 'stores' | 'guard' | 'mails'> & {
  config: Config
  registry: Registry
  services: Services
}

type Deliveries = Pick<ReturnType<typeof openDeliveries>, 'chores'>

/** @param deliveries null in a process without the worker */
export async function openSweeps(
  deps: WorkDeps,
  deliveries: Deliveries | null,
): Promise<Service[]> {
  const { config, stores, registry } = deps
  const { log, clock } = deps.services.deps
  const hasHttps = partsOf(config.role).edge && config.httpsPort !== null
  const sweeps = [
    ...(deliveries ? workerSweeps(deps, deliveries) : []),
    ...(hasHttps ? certificateSweeps(await openRenewals(config, { stores, log, clock })) : []),
  ]
  return sweeps.length > 0 ? [new Sweeper({ sql: stores.systemSql, log, registry }, sweeps)] : []
}

function workerSweeps({ config, services, guard }: WorkDeps, { chores }: Deliveries): Sweep[] {
  const { idempotentResponses, purge, jobs, operator, domains } = services
  const { systemSql: sql, limiter } = services.deps
  const { verification } = domains
  const deps = { ...services.deps, sql, jobs }
  const reportMails = { ...deps, addressLimiter: limiter('report-mail') }
  const alerts = {
    ...{ ...deps, guard },
    addressLimiter: limiter('alert-mail'),
    dispatcher: services.previews.dispatcher,
  }
  const retention = new ClickRetention({ ...deps, days: config.clickRetentionDays })
  return [
    sweep('audit-chain', 500, MINUTE_MS, (signal) => chainAuditRows(sql, signal)),
    sweep('blocks', 500, HOUR_MS, operator.abuse.applyBlocks),
    sweep('conversion-labels', 500, MINUTE_MS, (signal) => readDueLabels(deps, signal)),
    sweep('conversion-copy', 500, HOUR_MS, (signal) => copyConversions(deps, signal)),
    sweep('waiting-conversions', SECOND_MS, HOUR_MS, (signal) => attributeWaiting(deps, signal)),
    sweep('campaign-ends', 2 * SECOND_MS, MINUTE_MS, (signal) => completeCampaigns(deps, signal)),
    sweep('domain-checks', 2 * SECOND_MS, HOUR_MS, (signal) => verification.recheckDue(signal)),
    sweep('report-schedules', 2 * SECOND_MS, MINUTE_MS, (signal) => startDueReports(deps, signal)),
    sweep('report-mails', 2 * SECOND_MS, MINUTE_MS, (signal) => mailReports(reportMails, signal)),
    sweep('alerts', 10 * SECOND_MS, HOUR_MS, (signal) => checkAlerts(alerts, signal)),
    // Lists in the order of clicks may lag by ten seconds.
    sweep('link-ranks', 5 * SECOND_MS, MINUTE_MS, (signal) => copyAllLinkRanks(sql, signal)),
    sweep('purges', 5 * SECOND_MS, HOUR_MS, (signal) => purge.finishAll(signal)),
    sweep('subscription-ends', 5 * SECOND_MS, MINUTE_MS, operator.endSubscriptions),
    sweep('webhook-counts', 5 * SECOND_MS, MINUTE_MS, chores.foldCounts),
    sweep('webhook-secrets', 5 * SECOND_MS, MINUTE_MS, chores.deletePreviousSecrets),
    sweep('webhook-endpoints', 5 * SECOND_MS, HOUR_MS, chores.purgeEndpoints),
    sweep('webhook-pauses', 5 * SECOND_MS, MINUTE_MS, chores.pauseFailing),
    sweep('webhook-failure-mails', 5 * SECOND_MS, MINUTE_MS, chores.mailFailures),
    sweep('kept-answers', 5 * SECOND_MS, MINUTE_MS, (signal) =>
      idempotentResponses.deleteExpired(signal),
    ),
    sweep('report-files', 30 * SECOND_MS, HOUR_MS, (signal) => deleteUnwantedFiles(deps, signal)),
    sweep('undo', MINUTE_MS, HOUR_MS, (signal) => deleteExpired(deps, signal)),
    sweep('webhook-partitions', MINUTE_MS, MINUTE_MS, chores.maintainPartitions),
    sweep('deep-links', 10 * MINUTE_MS, HOUR_MS, (signal) => deleteExpiredDeepLinks(deps, signal)),
    sweep('unused-apps', 10 * MINUTE_MS, HOUR_MS, services.accounts.endUnusedApps),
    sweep('jobs', 10 * MINUTE_MS, HOUR_MS, (signal) => jobs.deleteFinished(signal)),
    sweep('abuse-reports', HOUR_MS, HOUR_MS, (signal) =>
      operator.abuse.reports.deleteOldReports(signal),
    ),
    sweep('click-folds', HOUR_MS, DAY_MS, (signal) => retention.once(signal)),
    sweep('freed-addresses', HOUR_MS, HOUR_MS, (signal) => deleteExpiredReservations(deps, signal)),
    sweep('journal-reports', HOUR_MS, MINUTE_MS, () => forgetSilentJournals(sql)),
    sweep('late-clicks', HOUR_MS, HOUR_MS, (signal) => purge.deleteLateClicks(signal)),
    sweep('webhook-attempt-counts', HOUR_MS, MINUTE_MS, chores.deleteOldAttemptCounts),
  ]
}

function certificateSweeps({
  addHosts,
  orderDue,
  deleteUnused,
}: Awaited<ReturnType<typeof openRenewals>>): Sweep[] {
  return [
    sweep('certificate-hosts', 2 * SECOND_MS, MINUTE_MS, addHosts),
    sweep('certificate-orders', 2 * SECOND_MS, HOUR_MS, orderDue),
    sweep('unused-certificates', HOUR_MS, MINUTE_MS, deleteUnused),
  ]
}

function sweep(name: string, everyMs: number, timeLimitMs: number, run: Sweep['run']): Sweep {
  return { name, everyMs, timeLimitMs, run }
}
