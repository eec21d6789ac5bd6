import type { Registry } from 'prom-client'
import type { Services } from './services.ts'
import type { Clock } from '../base/clock.ts'
import type { EgressGuard } from '../egress/guard.ts'
import type { Log } from '../base/log.ts'
import { openEgressClient } from '../egress/client.ts'
import { toPublicReason } from '../egress/public-reason.ts'
import type { Config } from '../config/config.ts'
import { createAttempt } from '../delivery/attempt.ts'
import { createChores } from '../delivery/chores.ts'
import { Engine } from '../delivery/engine.ts'
import { HostRate } from '../delivery/host-rate.ts'
import { MAX_IN_FLIGHT } from '../delivery/fair-share.ts'
import { DELIVERIES_CHANNEL } from '../delivery/outbox.ts'
import { QUEUE_PARAMETERS } from '../delivery/queue.ts'
import { registerQueueDepth } from '../delivery/queue-depth.ts'
import { createAudit } from '../services/audit.ts'
import type { Mails } from '../services/mail/mails.ts'
import { createPauseRecorder } from '../services/webhooks/auto-pause.ts'
import { closePostgres } from '../storage/postgres.ts'
import type { Stores } from '../storage/stores.ts'

type Deps = {
  config: Config
  log: Log
  clock: Clock
  stores: Stores
  services: Services
  guard: EgressGuard
  mails: Mails
  registry: Registry
}

/** The worker: delivers the webhook queue and drops old deliveries. */
export function openDeliveryRoom(deps: Deps) {
  const { config, log, clock, stores, services, guard, mails, registry } = deps
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
    secrets: services.secrets,
    attempt: createAttempt({
      dispatcher: agent,
      reasonOf: toPublicReason,
      allowHttp: config.webhookAllowHttp,
    }),
    clock,
    log,
    registry,
    hostRate,
    schedule: config.webhookRetrySchedule,
    onRetries: (workspaceId, count) => services.usage.count(workspaceId, count),
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
    recordPause: createPauseRecorder(createAudit(clock)),
    sendFailureMail: ({ to, recipientName, ...facts }) =>
      mails.webhookFailing(to, { ...facts, name: recipientName }),
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
