import type { Publish } from '../../delivery/outbox.ts'
import type { TenantSql } from '../../storage/postgres.ts'
import type { Audit } from '../audit.ts'
import type { KeepAnswer } from '../kept-answers.ts'
import type { Limit, RequireCapability } from '../limits.ts'
import type { ListDeps } from './list-reads.ts'
import type { HashLinkPassword } from './password.ts'

/** Dependencies of the rules of links. */
export type LinkDeps = ListDeps & {
  sql: TenantSql
  audit: Audit
  limit: Limit
  requireCapability: RequireCapability
  publish: Publish
  keepAnswer: KeepAnswer
  hashLinkPassword: HashLinkPassword
}
