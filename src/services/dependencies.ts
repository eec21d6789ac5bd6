import type { RateName } from '../base/limits/rates.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Secrets } from '../base/secrets.ts'
import type { Publish } from '../delivery/outbox.ts'
import type { ClickHouseClient } from '../storage/clickhouse.ts'
import type { HeavyReads } from '../storage/heavy-reads.ts'
import type { SystemSql, TenantSql } from '../storage/postgres.ts'
import type { RateLimiter } from '../storage/rate-limits.ts'
import type { Audit } from './audit.ts'
import type { KeepAnswer } from './kept-answers.ts'
import type { Limit, RequireCapability } from './limits.ts'
import type { Mails } from './mail/mails.ts'
import type { Plans } from './plans.ts'
import type { RecordSecurity } from './security.ts'

/** A rate limit; throws RATE_LIMITED when that of a key is reached. */
export type Limiter = { consume(key: string): Promise<unknown> }

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
  keepAnswer: KeepAnswer
  recordSecurity: RecordSecurity
  limiter: (name: RateName) => RateLimiter
  /** Public address of this server; set once it has its port. */
  origin: () => string
  /** SIGNUP: `closed` refuses new accounts, also of invited users. */
  signup: 'open' | 'invite' | 'closed'
  /** REQUIRE_EMAIL_VERIFICATION. */
  requireEmailVerification: boolean
}
