import { SHARES } from '../../base/limits/times.ts'
import type { Clock } from '../../base/clock.ts'
import { openKeys } from '../../base/secrets.ts'
import { ClickExports } from '../../services/analytics/export.ts'
import { toPeriods } from '../../services/analytics/period.ts'
import { ClickReader } from '../../services/analytics/reader.ts'
import { createReportNumbers } from '../../services/analytics/report-numbers.ts'
import { SharedAnswers } from '../../services/analytics/shared-answers.ts'
import { createAuditPages } from '../../services/audit-log/pages.ts'
import { createConversionPages } from '../../services/conversions/pages.ts'
import { createLinkPages } from '../../services/links/pages.ts'
import { createPlans } from '../../services/plans.ts'
import { storePiece } from '../../services/reports/files.ts'
import type { WriteDeps } from '../../services/reports/write-file.ts'
import { shortUrlOf } from '../../facts/short-url.ts'
import { openClickHouse } from '../../storage/clickhouse.ts'
import { createHeavyReads, READ_PARAMETERS } from '../../storage/heavy-reads.ts'
import { Notices } from '../../storage/notices.ts'
import { createPools } from '../../storage/pools.ts'
import { createToShortUrl } from '../short-urls.ts'
import type { Order } from './messages.ts'

/** Of each pool. Two files are made at a time, and each has one read at a time. */
const MAX_CONNECTIONS = 2
/** Clicks of one read: some MB. They may be many, since no redirect waits for a turn of this thread. */
const PAGE_CLICKS = 2_000
/** Reads of a report, which take longer than those of a request, and leave the budget of its user alone. */
const READ_LIMITS = {
  statementSeconds: 60,
  countingMs: 120_000,
  share: { ...SHARES.analytics, seconds: 3_600, windowSeconds: 7_200 },
}

/** Readers of the rows of reports, and the store of their pieces, on connections of the calling thread. */
export function openSources(
  { settings, shortHost, plans, databases, keys }: Order,
  clock: Clock,
  opening: AsyncDisposableStack,
): WriteDeps {
  // A report changes nothing that another part would have to learn.
  const notices = new Notices(null)
  const { openTenant, openSystem } = createPools({ ...databases, notices }, opening)
  const options = { maxConnections: MAX_CONNECTIONS }
  const sql = openTenant('signpost-reports', options)
  const limited = { ...options, parameters: READ_PARAMETERS }
  const reads = createHeavyReads({
    readSql: openTenant('signpost-report-reads', limited),
    // Opens no connection, since a report is of one workspace.
    systemReadSql: openSystem('signpost-report-reads', limited),
  })
  const clickhouse = openClickHouse(databases.clickhouseUrl, {
    ...options,
    cluster: databases.clickhouseCluster,
  })
  opening.defer(() => clickhouse.close())
  const questions = {
    ...{ sql, reads, clickhouse, clock },
    plans: createPlans(plans.all, plans.initial),
    // No file names the moment as of which its clicks are stored.
    shippedThroughMs: async () => Infinity,
  }
  const secrets = openKeys(keys)
  return {
    sql,
    storePiece: (...piece) => storePiece({ sql, secrets, clock }, ...piece),
    linkPages: createLinkPages({ sql, clock, shortHost: () => shortHost }),
    numbers: createReportNumbers({
      ...questions,
      reader: new ClickReader(clickhouse, READ_LIMITS),
      toShortUrl: (hostname, slug) => shortUrlOf(shortHost, hostname, slug),
      answers: new SharedAnswers(),
    }),
    clickRows: new ClickExports(
      { ...questions, toClickUrl: createToShortUrl(settings) },
      PAGE_CLICKS,
    ),
    conversionPages: createConversionPages({ sql }),
    auditPages: createAuditPages({ sql }),
    sharedHost: () => shortHost.domain,
    toPeriod: (query) => toPeriods(clock(), query).current,
  }
}
