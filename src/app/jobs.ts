import type { Services } from './services.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Service } from '../base/service.ts'
import type { Config } from '../config/config.ts'
import { ClickRetention } from '../services/analytics/retention.ts'
import { JOBS_CHANNEL } from '../services/jobs/jobs.ts'
import type { Stores } from '../storage/stores.ts'

type Deps = { config: Config; log: Log; clock: Clock; stores: Stores; services: Services }

/** The workers of jobs, and the retention of clicks. */
export function openJobs({ config, log, clock, stores, services }: Deps): Service[] {
  const { jobWorkers } = services
  const wake = () => jobWorkers.forEach((worker) => worker.wake())
  const { systemSql: sql, clickhouse } = stores
  const days = config.clickRetentionDays
  const retention = new ClickRetention({ sql, clickhouse, clock, log, days }).service
  stores.notices.subscribe(JOBS_CHANNEL, { onNotice: wake, onConnected: wake })
  return [...jobWorkers, retention]
}
