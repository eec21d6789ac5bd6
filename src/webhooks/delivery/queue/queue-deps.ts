import type { Clock } from '../../../platform/core/clock.ts'
import type { SystemSql } from '../../../platform/storage/postgres/postgres.ts'

/** Dependencies of the statements of one worker. */
export type QueueDeps = {
  sql: SystemSql
  /** Deliveries are due by the database's clock with the offset of this one; leases ignore the offset. */
  clock: Clock
  /** A UUID that no other worker has ever had. */
  workerId: string
  host: string
}
