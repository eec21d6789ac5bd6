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

/** A rate limit; throws RATE_LIMITED when that of a key is reached. */
export type Limiter = { consume(key: string): Promise<unknown> }

/** An event of the catalog, for webhooks. */
export type Event = {
  type: string
  workspaceId: string
  data: Record<string, unknown>
  /** Set when the cause determines it (`evt_` + the click's ULID); otherwise generated. */
  id?: string
}

/** Publishes events in the transaction of the change that caused them. */
export type Publish = (tx: Tx, ...events: Event[]) => Promise<void>

/** Dependencies that rules share; the type of each rule picks those that it uses. */
export type Dependencies = {
  /** Of the request role: sees one workspace inside `inWorkspace`. */
  sql: TenantSql
  /** Sees every workspace: a user may belong to several or to none, and a key or an event determines the workspace. */
  systemSql: SystemSql
  reads: HeavyReads
  clickhouse: ClickHouseClient
  clock: Clock
  log: Log
  secrets: Secrets
  plans: Plans
  /** Every mail is sent in the background. */
  mails: Mails
  audit: Audit
  limit: Limit
  requireCapability: RequireCapability
  publish: Publish
  saveIdempotentResponse: SaveIdempotentResponse
  recordSecurity: RecordSecurity
  limiter: (name: RateName) => RateLimiter
  /** Public address of this server; set once it has its port. */
  origin: () => string
  /** SIGNUP: `closed` refuses new accounts, also of invited users. */
  signup: 'open' | 'invite' | 'closed'
  /** REQUIRE_EMAIL_VERIFICATION. */
  requireEmailVerification: boolean
}
