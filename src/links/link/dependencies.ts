import type { Publish } from '../../platform/resources/dependencies.ts'
import type { TenantSql } from '../../platform/storage/postgres/postgres.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import type { SaveIdempotentResponse } from '../../platform/resources/idempotent-responses.ts'
import type { Limit, RequireCapability } from '../../platform/plans/limits.ts'
import type { ListDeps } from '../list/list-reads.ts'
import type { HashLinkPassword } from '../write/password.ts'

/** Dependencies of the rules of links. */
export type LinkDeps = ListDeps & {
  sql: TenantSql
  audit: Audit
  limit: Limit
  requireCapability: RequireCapability
  publish: Publish
  saveIdempotentResponse: SaveIdempotentResponse
  hashLinkPassword: HashLinkPassword
}
