import { SHARES } from '../../platform/limits/times.ts'
import { ClickExports } from '../clicks/export.ts'
import { toPeriods } from '../questions/period.ts'
import { ClickReader } from '../questions/reader.ts'
import { createReportNumbers } from '../answers/report-numbers.ts'
import { SharedAnswers } from '../answers/shared-answers.ts'
import { createAuditPages } from '../../accounts/audit-log/pages.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { createLinkPages } from '../../links/list/pages.ts'
import type { ShortHost } from '../../links/link/short-host.ts'
import { storePiece } from './files.ts'
import type { WriteDeps } from './write-file.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import { createHeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import { createToShortUrl, type Origins } from '../../platform/facts/short-urls.ts'

/** Reads of a report, which take longer than those of a request, and leave the budget of its user alone. */
const READ_LIMITS = {
  statementSeconds: 60,
  countingMs: 120_000,
  share: { ...SHARES.analytics, seconds: 3_600, windowSeconds: 7_200 },
}

type Deps = Pick<Dependencies, 'sql' | 'clickhouse' | 'clock' | 'plans' | 'secrets'> & {
  conversionPages: WriteDeps['conversionPages']
  stores: Pick<Stores, 'readSql' | 'systemReadSql'>
  shortHost: () => ShortHost
}

/** Readers of the rows of reports, and the store of their pieces. */
export function openReportSources(settings: Origins, deps: Deps): WriteDeps {
  const { sql, clickhouse, clock, plans, secrets, shortHost } = deps
  const questions = {
    ...{ sql, clickhouse, clock, plans },
    // Their time is not that of the user's requests.
    reads: createHeavyReads(deps.stores),
    // No file names the moment as of which its clicks are stored.
    shippedThroughMs: async () => Infinity,
  }
  return {
    sql,
    storePiece: (...piece) => storePiece({ sql, secrets, clock }, ...piece),
    linkPages: createLinkPages({ sql, clock, shortHost }),
    numbers: createReportNumbers({
      ...questions,
      reader: new ClickReader(clickhouse, READ_LIMITS),
      toShortUrl: (hostname, slug) => shortUrlOf(shortHost(), hostname, slug),
      answers: new SharedAnswers(),
    }),
    clickRows: new ClickExports({ ...questions, toClickUrl: createToShortUrl(settings) }),
    conversionPages: deps.conversionPages,
    auditPages: createAuditPages({ sql }),
    sharedHost: () => shortHost().domain,
    toPeriod: (query) => toPeriods(clock(), query).current,
  }
}
