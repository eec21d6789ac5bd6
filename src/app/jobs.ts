import type { Services } from './services.ts'
import type { Service } from '../platform/core/service.ts'
import { JOBS_CHANNEL } from '../platform/jobs/jobs.ts'
import type { Stores } from '../platform/storage/stores.ts'

/** The workers of jobs. */
export function openJobs(services: Services, { notices }: Stores): Service[] {
  const { jobWorkers } = services
  const wake = () => jobWorkers.forEach((worker) => worker.wake())
  notices.subscribe(JOBS_CHANNEL, { onNotice: wake, onConnected: wake })
  return jobWorkers
}
