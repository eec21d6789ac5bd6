import { SHARES } from '../../src/platform/limits/times.ts'
import { createAnalytics } from '../../src/analytics/answers/analytics.ts'
import { ClickReader } from '../../src/analytics/questions/reader.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { asTenant } from './privileges.ts'

/** A busy machine answers late: what is tested is the answer. */
const PATIENT = {
  statementSeconds: 120,
  countingMs: 120_000,
  share: { ...SHARES.analytics, seconds: 600, windowSeconds: 1_200 },
}

/** Analytics over databases of a test. Answers are new each time, unless the same one is used within a second. */
export function openAnalytics(sql: Sql, clickhouse: ClickHouseClient, nowMs: number) {
  return createAnalytics({
    sql: asTenant(sql),
    reads: heavyReadsOn(sql),
    clickhouse,
    reader: new ClickReader(clickhouse, PATIENT),
    clock: () => nowMs,
    plans: readPlans(null),
    toShortUrl: (hostname, slug) => `https://${hostname ?? 'sho.rt'}/${slug}`,
  })
}
