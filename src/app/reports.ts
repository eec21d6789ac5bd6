import type { Dependencies } from '../services/dependencies.ts'
import { toPeriods } from '../services/analytics/period.ts'
import type { QuestionDeps } from '../services/analytics/question.ts'
import { ClickReader } from '../services/analytics/reader.ts'
import { createReportNumbers } from '../services/analytics/report-numbers.ts'
import type { Jobs } from '../services/jobs/jobs.ts'
import { JobWorker } from '../services/jobs/worker.ts'
import { createLinkPages } from '../services/links/pages.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createReportKinds } from '../services/reports/kind.ts'
import { createReports } from '../services/reports/reports.ts'
import { reportRoutes } from '../services/reports/routes.ts'

type Deps = Dependencies &
  QuestionDeps & {
    jobs: Jobs
    shortHost: () => ShortHost
  }

/** Reads of a report, which take longer than those of a request, and leave the budget of its user alone. */
const READ_LIMITS = { statementSeconds: 60, countingMs: 120_000, budgetSeconds: 3_600 }

/** Reports, and the worker of their jobs. */
export function openReports(deps: Deps) {
  const { clock, jobs } = deps
  const checkPeriod = (query: Parameters<typeof toPeriods>[1]) => void toPeriods(clock(), query)
  const reader = new ClickReader(deps.clickhouse, READ_LIMITS)
  const kinds = createReportKinds({
    ...deps,
    linkPages: createLinkPages(deps),
    numbers: createReportNumbers({ ...deps, reader }),
  })
  return {
    routes: reportRoutes(createReports({ ...deps, checkPeriod })),
    // A worker of its own, since a file that gave its place up would have to be begun again.
    worker: new JobWorker({ ...deps, jobs, kinds, name: 'report jobs', sliceMs: Infinity }),
  }
}
