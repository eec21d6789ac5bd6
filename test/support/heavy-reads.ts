import {
  createHeavyReads,
  type HeavyReads,
} from '../../src/platform/storage/postgres/heavy-reads.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { asSystem, asTenant } from './privileges.ts'

/** Heavy reads on a pool that a test has already, for rules that are put together by hand. */
export function heavyReadsOn(sql: Sql): HeavyReads {
  return createHeavyReads({ readSql: asTenant(sql), systemReadSql: asSystem(sql) })
}
