import type { Registry } from 'prom-client'
import type { Clock } from '../platform/core/clock.ts'
import type { EgressGuard } from '../platform/egress/guard.ts'
import type { Log } from '../platform/core/log.ts'
import { openEgressClient } from '../platform/egress/client.ts'
import type { Config } from '../platform/config/config.ts'
import { createAttempt } from './delivery/attempt.ts'
import { createChores } from './delivery/chores.ts'
import { Engine } from './delivery/engine.ts'
import { HostRate } from './delivery/host-rate.ts'
import { MAX_IN_FLIGHT } from './delivery/fair-share.ts'
import { DELIVERIES_CHANNEL } from './delivery/outbox.ts'
import { QUEUE_PARAMETERS } from './delivery/queue/queue.ts'
import { registerQueueDepth } from './delivery/meters.ts'
import { createAudit } from '../platform/audit/audit.ts'
import type { Mails } from '../platform/mail/mails.ts'
import { closePostgres } from '../platform/storage/postgres/postgres.ts'
import type { RateLimits } from '../platform/limits/rate-limits.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import { createDeliveries } from './endpoints/deliveries.ts'
import { createEndpoints } from './endpoints/endpoints.ts'
import { createListening } from './endpoints/listening.ts'
import { webhookRoutes } from './endpoints/routes.ts'
import { createSending } from './endpoints/sending.ts'
import type { Stores } from '../platform/storage/stores.ts'

type Deps = {
  config: Config
  log: Log
  clock: Clock
  stores: Stores
  /** Counts a retry as an API request of the workspace. */
  countRetry: (workspaceId: string) => void
  guard: EgressGuard
  mails: Mails
  registry: Registry
}

type RouteNeighbors = {
  config: Config
  checkUrl: (url: string) => Promise<void>
  rateLimits: Pick<RateLimits, 'limiter'>
}

export function openDeliveries(deps: Deps) {
  const { config, log, clock, stores, countRetry, guard, mails, registry } = deps
  const sql = stores.openPostgres('signpost-deliveries', 3, QUEUE_PARAMETERS)
  registerQueueDepth(registry, sql)
  const hostRate = new HostRate(config.webhookHostRate)
  const agent = openEgressClient(guard, {
    connections: MAX_IN_FLIGHT,
    onConnected: (hostname, port, address) =>
      hostRate.connected(hostname, port, address, performance.now()),
  })
  const engine = new Engine({
    sql,
    secrets: stores.secrets,
    attempt: createAttempt({
      dispatcher: agent,
      allowHttp: config.webhookAllowHttp,
    }),
    clock,
    log,
    registry,
    hostRate,
    schedule: config.webhookRetrySchedule,
    onRetry: countRetry,
  })
  stores.notices.subscribe(DELIVERIES_CHANNEL, {
    onNotice: (endpointIds) => engine.wake(endpointIds),
    onConnected: () => engine.wake(),
  })
  const chores = createChores({
    sql,
    clock,
    log,
    retentionDays: config.webhookRetentionDays,
    registry,
    audit: createAudit(clock),
    mails,
  })
  return {
    parts: [engine],
    chores,
    async [Symbol.asyncDispose]() {
      await agent.destroy()
      await closePostgres(sql)
    },
  }
}

export function openWebhookRoutes(
  deps: Dependencies,
  { config, checkUrl, rateLimits }: RouteNeighbors,
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
