import { Registry } from 'prom-client'
import type { Clock } from '../../src/platform/core/clock.ts'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createEgressAgent } from '../../src/platform/egress/agent.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createAttempt, type Deadlines } from '../../src/webhooks/delivery/attempt.ts'
import { Engine, type EngineDeps } from '../../src/webhooks/delivery/engine.ts'
import { HostRate } from '../../src/webhooks/delivery/host-rate.ts'
import { MAX_IN_FLIGHT } from '../../src/webhooks/delivery/fair-share.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { asSystem } from './privileges.ts'

export const SCHEDULE = [30, 120, 600, 1_800, 3_600]
export const SECRET_KEY = 'a secret key for the tests of deliveries'

export type WorkerOptions = {
  sql: Sql
  clock: Clock
  ca?: string
  deadlines?: Deadlines
  registry?: Registry
  /** Deliveries a second to one host; all receivers of the tests are on one machine. */
  hostRate?: number
  onRetry?: (workspaceId: string) => void
  /** Changes what the engine is made of: for mutants, and for what cannot be brought about otherwise. */
  alter?: (deps: EngineDeps) => EngineDeps
}

/** An engine with real connections to receivers on loopback. */
export function createWorker(options: WorkerOptions) {
  const { sql, clock, ca, alter = (deps) => deps } = options
  const guard = createEgressGuard({ allowedCidrs: ['127.0.0.0/8', '::1/128'] })
  const hostRate = new HostRate(options.hostRate ?? 1_000_000)
  const dispatcher = createEgressAgent(guard, {
    connections: MAX_IN_FLIGHT,
    onConnected: (hostname, port, address) =>
      hostRate.connected(hostname, port, address, performance.now()),
    ...(ca === undefined ? {} : { ca }),
  })
  const engine = new Engine(
    alter({
      sql: asSystem(sql),
      secrets: createSecrets(SECRET_KEY),
      attempt: createAttempt({ dispatcher }, options.deadlines),
      clock,
      log: openLog('silent'),
      registry: options.registry ?? new Registry(),
      hostRate,
      schedule: SCHEDULE,
      onRetry: (workspaceId) => options.onRetry?.(workspaceId),
    }),
  )
  return { engine, close: () => dispatcher.destroy() }
}
