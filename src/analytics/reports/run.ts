import { ApiError } from '../../platform/core/errors.ts'
import {
  roleAtLeast,
  scopeCovers,
  type Role,
  type Principal,
} from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Jobs, JobKind } from '../../platform/jobs/jobs.ts'
import type { CheckCapability } from '../../platform/plans/limits.ts'
import type { ReportType } from './schema.ts'

/** Rights that a requester must have at each run, by the kind of the job. */
export const KINDS = {
  reports: { role: 'member', scope: 'reports:write' },
  // Those of GET /audit-log.
  'reports.audit_log': { role: 'admin', scope: 'audit-log:read' },
} as const satisfies Record<string, JobKind['requires']>
export type KindName = keyof typeof KINDS

/** Scopes that read the data of a report by other routes. Every page of a pdf has figures. */
const DATA_SCOPES: Record<ReportType, readonly string[]> = {
  links: ['links:read', 'analytics:read'],
  clicks: ['analytics:read'],
  conversions: ['analytics:read'],
  campaign: ['campaigns:read', 'analytics:read'],
  domains: ['domains:read', 'analytics:read'],
  summary: ['analytics:read'],
  audit_log: [KINDS['reports.audit_log'].scope],
}

export type RunInput = { reportId: string; isScheduled: boolean }

export function kindOf(type: ReportType): KindName {
  return type === 'audit_log' ? 'reports.audit_log' : 'reports'
}

/** The lowest role that may read the file of such a report. */
export function readerOf(type: ReportType): Role {
  return type === 'audit_log' ? KINDS['reports.audit_log'].role : 'viewer'
}

/**
 * Rights that some reports need in addition: audit-log reports require access to the audit log, for example.
 * @throws ApiError FORBIDDEN, PLAN_CAPABILITY_REQUIRED
 */
export async function requireRights(
  requireCapability: CheckCapability,
  tx: Tx,
  principal: Principal,
  type: ReportType,
): Promise<void> {
  const missing = DATA_SCOPES[type].find((scope) => !scopeCovers(principal.scopes, scope))
  if (missing !== undefined)
    throw new ApiError('FORBIDDEN', `A report of the type ${type} needs the scope ${missing}.`, {
      requiredScope: missing,
    })
  if (type !== 'audit_log') return
  const { role } = KINDS['reports.audit_log']
  if (!roleAtLeast(principal.role, role))
    throw new ApiError('FORBIDDEN', `A report of the audit log needs the role ${role}.`)
  await requireCapability(tx, principal.workspaceId, 'audit_log')
}

/** @returns the id of the run and of its job */
export function startRun(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  principal: Principal,
  { id, type, isScheduled }: { id: string; type: ReportType; isScheduled: boolean },
): Promise<string> {
  const input: RunInput = { reportId: id, isScheduled }
  return jobs.enqueue(tx, principal, kindOf(type), input, { prefix: 'run' })
}
