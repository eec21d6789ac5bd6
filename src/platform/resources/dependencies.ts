import type { RateName } from '../limits/rates.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Secrets } from '../core/secrets.ts'
import type { ClickHouseClient } from '../storage/clickhouse/clickhouse.ts'
import type { HeavyReads } from '../storage/postgres/heavy-reads.ts'
import type { SystemSql, TenantSql, Tx } from '../storage/postgres/postgres.ts'
import type { RateLimiter } from '../limits/rate-limits.ts'
import type { Audit } from '../audit/audit.ts'
import type { SaveIdempotentResponse } from './idempotent-responses.ts'
import type { Limit, RequireCapability } from '../plans/limits.ts'
import type { Mails } from '../mail/mails.ts'
import type { Plans } from '../plans/plans.ts'
import type { RecordSecurity } from '../audit/security.ts'

export type Limiter = { consume(key: string): Promise<unknown> }

export type Event = {
  type: string
  workspaceId: string
  data: Record<string, unknown>
  id?: string
}

/** Call it in the transaction of the change. */
export type Publish = (tx: Tx, ...events: Event[]) => Promise<void>

export type Dependencies = {
  sql: TenantSql
  systemSql: SystemSql
  reads: HeavyReads
  clickhouse: ClickHouseClient
  clock: Clock
  log: Log
  secrets: Secrets
  plans: Plans
  mails: Mails
  audit: Audit
  limit: Limit
  requireCapability: RequireCapability
  publish: Publish
  saveIdempotentResponse: SaveIdempotentResponse
  recordSecurity: RecordSecurity
  limiter: (name: RateName) => RateLimiter
  origin: () => string
  /** SIGNUP; `closed` refuses invited users too. */
  signup: 'open' | 'invite' | 'closed'
  requireEmailVerification: boolean
}
