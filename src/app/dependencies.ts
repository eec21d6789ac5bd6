import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Secrets } from '../base/secrets.ts'
import type { Config } from '../config/config.ts'
import type { Publish } from '../delivery/outbox.ts'
import type { Audit } from '../services/audit.ts'
import type { Limit, RequireCapability } from '../services/limits.ts'
import type { Mails } from '../services/mail/mails.ts'
import type { Plans } from '../services/plans.ts'
import type { RecordSecurity } from '../services/security.ts'
import type { HeavyReads } from '../storage/heavy-reads.ts'
import type { RateLimiter } from '../storage/rate-limits.ts'
import type { Stores } from '../storage/stores.ts'

/** Dependencies that services share. */
export type Dependencies = {
  stores: Stores
  config: Config
  clock: Clock
  log: Log
  secrets: Secrets
  plans: Plans
  mails: Mails
  reads: HeavyReads
  audit: Audit
  limit: Limit
  requireCapability: RequireCapability
  publish: Publish
  recordSecurity: RecordSecurity
  /** A limit of `points` in `durationSeconds`; a tight one while its store is unavailable. */
  limiter: (name: string, points: number, durationSeconds: number) => RateLimiter
  /** Public address of this server; set once it has its port. */
  origin: () => string
}
