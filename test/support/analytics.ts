import { createAnalytics } from '../../src/services/analytics/analytics.ts'
import { readPlans } from '../../src/services/plans.ts'
import type { ClickHouseClient } from '../../src/storage/clickhouse.ts'
import type { Sql } from '../../src/storage/postgres.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { asTenant } from './privileges.ts'

/** Analytics over databases of a test. Answers are new each time, unless the same one is used within a second. */
export function openAnalytics(sql: Sql, clickhouse: ClickHouseClient, nowMs: number) {
  return createAnalytics({
    sql: asTenant(sql),
    reads: heavyReadsOn(sql),
    clickhouse,
    clock: () => nowMs,
    plans: readPlans(null),
    toShortUrl: (slug) => `https://sho.rt/${slug}`,
  })
}
