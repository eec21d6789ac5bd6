import type { Services } from './services.ts'
import { partsOf } from './roles.ts'
import type { Log } from '../base/log.ts'
import type { Service } from '../base/service.ts'
import type { Config } from '../config/config.ts'
import { JOBS_CHANNEL } from '../services/jobs/jobs.ts'
import { createListener } from '../storage/listen.ts'
import type { Stores } from '../storage/stores.ts'

type Deps = { config: Config; log: Log; stores: Stores; services: Services }

/**
 * The worker of jobs. It receives the notices of its own process directly; a process that runs no API gets
 * those of others through LISTEN.
 */
export function openJobs({ config, log, stores, services }: Deps): Service[] {
  const { jobWorker } = services
  stores.notices.subscribe(JOBS_CHANNEL, () => jobWorker.wake())
  if (partsOf(config.role).api !== null) return [jobWorker]
  const listener = createListener({
    name: 'jobs-listener',
    channel: JOBS_CHANNEL,
    openSql: () => stores.openPostgres('signpost-jobs-listener'),
    onChange: () => jobWorker.wake(),
    onConnected: () => jobWorker.wake(),
    onConfirmed: () => {},
    onDisconnected: () => {},
    log,
  })
  return [jobWorker, listener]
}
