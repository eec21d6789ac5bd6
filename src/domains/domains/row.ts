import { ownTable } from '../../platform/resources/ownership.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import { withRoute, type Routing } from './records.ts'
import type {
  Domain,
  DomainRecord,
  FailureReason,
  SslFailureReason,
  SslStatus,
  Status,
  UrlField,
} from './schema.ts'

export type DomainRow = {
  id: string
  workspaceId: string
  hostname: string
  token: string
  status: Status
  failureReason: FailureReason | null
  isDefault: boolean
  caseSensitive: boolean
  rootRedirectUrl: string | null
  notFoundUrl: string | null
  expiredUrl: string | null
  blockedUrls: UrlField[]
  appleAppSiteAssociation: Record<string, unknown> | null
  assetLinks: unknown[] | null
  records: DomainRecord[] | null
  lastCheckedAt: Date | null
  verifiedAt: Date | null
  misconfiguredSince: Date | null
  nextCheckAt: Date
  sslStatus: SslStatus
  sslFailureReason: SslFailureReason | null
  sslNextAttemptAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const PROOF_PATH = '/.well-known/signpost-verify/'

export function toProofUrl({ hostname, token }: Pick<DomainRow, 'hostname' | 'token'>): string {
  return `http://${hostname}${PROOF_PATH}${token}`
}

export function isServed({ status }: Pick<DomainRow, 'status'>): boolean {
  return status === 'verified' || status === 'misconfigured'
}

export function toDomain(row: DomainRow, routing?: Routing): Domain {
  const { token, records: _records, misconfiguredSince: _since, nextCheckAt: _next, ...shown } = row
  return {
    ...shown,
    verification: { token, proofUrl: toProofUrl(row), ...withRoute(row, routing) },
    lastCheckedAt: isoOrNull(row.lastCheckedAt),
    verifiedAt: isoOrNull(row.verifiedAt),
    sslNextAttemptAt: isoOrNull(row.sslNextAttemptAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export const COLUMNS = `
    id, workspace_id, hostname, token, status, failure_reason, is_default, case_sensitive,
    root_redirect_url, not_found_url, expired_url, blocked_urls, apple_app_site_association, asset_links, records,
    last_checked_at, verified_at, misconfigured_since, next_check_at, ssl_status, ssl_failure_reason,
    ssl_next_attempt_at, created_at, updated_at`

export const {
  find: findDomain,
  load: loadDomain,
  list: listDomains,
} = ownTable<DomainRow>('domains', 'domain', COLUMNS)

export function toJsonValue(tx: Tx, value: unknown): Fragment {
  return tx`${value === null ? null : JSON.stringify(value)}::text::json`
}
