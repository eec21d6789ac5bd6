import { aborted, sleep } from '../base/service.ts'
import type { Config } from '../config/config.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { toPeriods } from '../services/analytics/period.ts'
import type { PeriodQuery } from '../services/analytics/query.ts'
import type { Jobs } from '../services/jobs/jobs.ts'
import { JobWorker } from '../services/jobs/worker.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createReportKinds } from '../services/reports/kind.ts'
import { createReports } from '../services/reports/reports.ts'
import { reportRoutes } from '../services/reports/routes.ts'
import type { Addresses } from '../storage/stores.ts'
import { ReportFiles } from './report-files/report-files.ts'
import type { ThreadFailures } from './thread-failures.ts'

/**
 * After a stop files have this time to reach their next piece, with which their jobs are given back. One that reads for longer ends
 * with its thread, and is begun again like a file whose thread failed.
 */
const LAST_PIECES_MS = 5_000

type Deps = Dependencies & {
  jobs: Jobs
  shortHost: () => ShortHost
  /** Of the databases, for the thread that makes the files. */
  addresses: Addresses
  threadFailures: ThreadFailures
}

/** Reports, and the worker of their jobs. */
export function openReports(deps: Deps, config: Config) {
  const { clock } = deps
  const checkPeriod = (query: PeriodQuery) => void toPeriods(clock(), query)
  const files = new ReportFiles({ ...deps, config })
  const kinds = createReportKinds({
    ...deps,
    writeFile: (...file) => files.write(...file),
  })
  // A worker of its own, since a file that gave its place up would have to be begun again.
  const worker = new JobWorker({ ...deps, kinds, name: 'report jobs', sliceMs: Infinity })
  return {
    routes: reportRoutes(createReports({ ...deps, checkPeriod })),
    worker: {
      name: worker.name,
      wake: () => worker.wake(),
      async run(signal: AbortSignal) {
        const over = new AbortController()
        const running = worker.run(signal).finally(() => over.abort())
        const isLate = aborted(signal).then(() => sleep(LAST_PIECES_MS, over.signal))
        await Promise.race([running, isLate])
        await files.stop()
        await running
      },
    },
  }
}
