import { verifyAuditChain, type Verification } from '../accounts/audit-log/chain.ts'
import { recountLinks, type Recount } from '../analytics/retention/recount.ts'
import { recountConversions, type ConversionRecount } from '../conversions/conversions/recount.ts'
import type { ClickHouseClient } from '../platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../platform/storage/postgres/postgres.ts'

/** `broken` has the first hundred; a `brokenTotal` of a thousand means at least a thousand. */
export type VerifyAnswer = Verification & {
  brokenTotal: number
  counters: Recount
  conversions: ConversionRecount
}

const MAX_BROKEN_SHOWN = 100

export async function verify(
  deps: { systemSql: SystemSql; clickhouse: ClickHouseClient },
  options: { repair?: boolean } = {},
): Promise<VerifyAnswer> {
  const databases = { sql: deps.systemSql, clickhouse: deps.clickhouse }
  const repair = options.repair === true
  const chain = await verifyAuditChain(deps.systemSql)
  const counters = await recountLinks(databases, { repair })
  const conversions = await recountConversions(databases, { repair })
  return {
    ...chain,
    broken: chain.broken.slice(0, MAX_BROKEN_SHOWN),
    brokenTotal: chain.broken.length,
    counters,
    conversions,
  }
}
