import { CLICKS_CHANNEL } from '../clicks/shipping/cursor.ts'
import { partsOf } from '../platform/config/roles.ts'
import type { Service } from '../platform/core/service.ts'
import { JOBS_CHANNEL } from '../platform/jobs/jobs.ts'
import { openDeliveries } from '../webhooks/open.ts'
import { openSweeps, type WorkDeps } from './sweeps.ts'

/** What a server process does beside requests: the live feed, deliveries, jobs and sweeps. */
export async function openWork(deps: WorkDeps, opening: AsyncDisposableStack): Promise<Service[]> {
  const { config, stores, services } = deps
  const { api, worker } = partsOf(config.role)
  const { log, clock } = services.deps
  const { live } = services.analytics
  const hasServices = api === 'whole' || api === 'behind'
  if (hasServices) wakeBy(stores, CLICKS_CHANNEL, () => live.wake())
  const { jobWorkers } = services
  if (worker) wakeBy(stores, JOBS_CHANNEL, () => jobWorkers.forEach((jobs) => jobs.wake()))
  const countRetry = (id: string) => services.operator.usage.count(id, 1)
  const deliveries = worker
    ? opening.use(openDeliveries({ ...deps, log, clock, countRetry }))
    : null
  return [
    ...(deliveries?.parts ?? []),
    ...(hasServices ? live.services : []),
    ...(worker ? jobWorkers : []),
    stores.listener,
    ...(await openSweeps(deps, deliveries)),
  ]
}

function wakeBy({ notices }: WorkDeps['stores'], channel: string, wake: () => void): void {
  notices.subscribe(channel, { onNotice: wake, onConnected: wake })
}
