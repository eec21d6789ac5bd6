import type { Config } from '../config/config.ts'
import { shortUrlOf } from '../facts/short-url.ts'
import { createToShortUrl } from './short-urls.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { ClickExports } from '../services/analytics/export.ts'
import { toPeriods } from '../services/analytics/period.ts'
import type { QuestionDeps } from '../services/analytics/question.ts'
import type { PeriodQuery } from '../services/analytics/query.ts'
import { ClickReader } from '../services/analytics/reader.ts'
import { createReportNumbers } from '../services/analytics/report-numbers.ts'
import { SharedAnswers } from '../services/analytics/shared-answers.ts'
import { createAuditPages } from '../services/audit-log/pages.ts'
import { createConversionPages } from '../services/conversions/pages.ts'
import type { Jobs } from '../services/jobs/jobs.ts'
import { JobWorker } from '../services/jobs/worker.ts'
import { createLinkPages } from '../services/links/pages.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createReportExpiry } from '../services/reports/expiry.ts'
import { createReportKinds } from '../services/reports/kind.ts'
import { createReportMails } from '../services/reports/mails.ts'
import { createReports } from '../services/reports/reports.ts'
import { reportRoutes } from '../services/reports/routes.ts'
import { createSchedules } from '../services/reports/schedules.ts'

type Deps = Dependencies &
  QuestionDeps & {
    jobs: Jobs
    shortHost: () => ShortHost
  }

/** Reads of a report, which take longer than those of a request, and leave the budget of its user alone. */
const READ_LIMITS = { statementSeconds: 60, countingMs: 120_000, budgetSeconds: 3_600 }

/** Reports, and the worker of their jobs. */
export function openReports(deps: Deps, config: Config) {
  const { clock, jobs } = deps
  const toPeriod = (query: PeriodQuery) => toPeriods(clock(), query).current
  const checkPeriod = (query: PeriodQuery) => void toPeriod(query)
  const reader = new ClickReader(deps.clickhouse, READ_LIMITS)
  const toShortUrl = (hostname: string | null, slug: string) =>
    shortUrlOf(deps.shortHost(), hostname, slug)
  const counting = { ...deps, reader, toShortUrl, answers: new SharedAnswers() }
  const kinds = createReportKinds({
    ...deps,
    linkPages: createLinkPages(deps),
    numbers: createReportNumbers(counting),
    clickRows: new ClickExports({ ...deps, reader, toClickUrl: createToShortUrl(config) }),
    conversionPages: createConversionPages(deps),
    auditPages: createAuditPages(deps),
    sharedHost: () => deps.shortHost().domain,
    toPeriod,
  })
  return {
    routes: reportRoutes(createReports({ ...deps, checkPeriod })),
    services: [
      createSchedules(deps).service,
      createReportExpiry(deps).service,
      createReportMails({ ...deps, addressLimiter: deps.limiter('report-mail', 20, 86_400) })
        .service,
    ],
    // A worker of its own, since a file that gave its place up would have to be begun again.
    worker: new JobWorker({ ...deps, jobs, kinds, name: 'report jobs', sliceMs: Infinity }),
  }
}
