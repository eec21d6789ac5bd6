import { startOfDay } from '../kit/local-time.ts'
import { AUDIT_ACTIONS, SECURITY_TYPES, type AuditAction, type SecurityType } from './actions.ts'

/** The days of a log, both included, and whose entries it shows. */
export type LogSearch = {
  actorId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}
export type AuditSearch = LogSearch & { action?: AuditAction | undefined }
export type SecuritySearch = LogSearch & {
  type?: SecurityType | undefined
  outcome?: 'success' | 'failure' | undefined
}

const REPORT_STATUSES = ['open', 'resolved'] as const
/** Filters of the list of reports of abuse. */
export type ReportsSearch = {
  status?: (typeof REPORT_STATUSES)[number] | undefined
  linkId?: string | undefined
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function readLogSearch({ actorId, from, to }: Record<string, unknown>): LogSearch {
  return {
    ...(typeof actorId === 'string' && actorId !== '' ? { actorId } : {}),
    ...(typeof from === 'string' && DAY.test(from) ? { from } : {}),
    ...(typeof to === 'string' && DAY.test(to) ? { to } : {}),
  }
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const action = AUDIT_ACTIONS.find((each) => each === search.action)
  return { ...readLogSearch(search), ...(action ? { action } : {}) }
}

export function readSecuritySearch(search: Record<string, unknown>): SecuritySearch {
  const type = SECURITY_TYPES.find((each) => each === search.type)
  const outcome = (['success', 'failure'] as const).find((each) => each === search.outcome)
  return { ...readLogSearch(search), ...(type ? { type } : {}), ...(outcome ? { outcome } : {}) }
}

export function readReportsSearch({ status, linkId }: Record<string, unknown>): ReportsSearch {
  const known = REPORT_STATUSES.find((each) => each === status)
  return {
    ...(known ? { status: known } : {}),
    ...(typeof linkId === 'string' && linkId !== '' ? { linkId } : {}),
  }
}

/** The times of a request: the start of the first day, and of the day after the last. */
export function toTimes({ from, to }: LogSearch): { from?: string; to?: string } {
  return {
    ...(from ? { from: startOfDay(from) } : {}),
    ...(to ? { to: startOfDay(to, 1) } : {}),
  }
}
