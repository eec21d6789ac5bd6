import { api, ask, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import { toTimes } from '../kit/local-time.ts'
import { AUDIT_ACTIONS, SECURITY_TYPES } from './actions.ts'
import type { AuditSearch, ReportsSearch, SecuritySearch } from './search.ts'

export type AuditEntry = Schemas['AuditEntry']
export type SecurityEntry = Schemas['SecurityEntry']
export type AbuseReport = Schemas['AbuseReport']

export function auditQuery(workspaceId: string, search: AuditSearch) {
  const { actorId } = search
  const action = AUDIT_ACTIONS.find((each) => each === search.action)
  const filter = {
    ...toTimes(search),
    ...(action ? { action } : {}),
    ...(actorId ? { actorId } : {}),
  }
  return pagedQuery([workspaceId, 'audit-log', filter], (page, signal) =>
    ask(api.GET('/audit-log', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export function securityQuery(workspaceId: string, search: SecuritySearch) {
  const { outcome, actorId } = search
  const type = SECURITY_TYPES.find((each) => each === search.type)
  const filter = {
    ...toTimes(search),
    ...(type ? { type } : {}),
    ...(outcome ? { outcome } : {}),
    ...(actorId ? { actorId } : {}),
  }
  return pagedQuery([workspaceId, 'security-log', filter], (page, signal) =>
    ask(api.GET('/security-log', { params: { query: { ...page, ...filter } }, signal })),
  )
}

export function reportsQuery(workspaceId: string, { status, linkId }: ReportsSearch) {
  const filter = { ...(status ? { status } : {}), ...(linkId ? { linkId } : {}) }
  return pagedQuery([workspaceId, 'abuse-reports', filter], (page, signal) =>
    ask(api.GET('/abuse-reports', { params: { query: { ...page, ...filter } }, signal })),
  )
}
