/** The days of a log, both included, and whose entries it shows. */
export type LogSearch = {
  actorId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}
/** An `action` or `type` that the log does not know filters nothing; their long lists are not loaded with every page. */
export type AuditSearch = LogSearch & { action?: string | undefined }
export type SecuritySearch = LogSearch & {
  type?: string | undefined
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
  const { action } = search
  return { ...readLogSearch(search), ...(typeof action === 'string' ? { action } : {}) }
}

export function readSecuritySearch(search: Record<string, unknown>): SecuritySearch {
  const { type } = search
  const outcome = (['success', 'failure'] as const).find((each) => each === search.outcome)
  return {
    ...readLogSearch(search),
    ...(typeof type === 'string' ? { type } : {}),
    ...(outcome ? { outcome } : {}),
  }
}

export function readReportsSearch({ status, linkId }: Record<string, unknown>): ReportsSearch {
  const known = REPORT_STATUSES.find((each) => each === status)
  return {
    ...(known ? { status: known } : {}),
    ...(typeof linkId === 'string' && linkId !== '' ? { linkId } : {}),
  }
}
