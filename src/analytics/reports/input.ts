import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { checkCurrency } from '../../platform/resources/field-checks.ts'
import { checkTimeZone } from '../../platform/resources/zone.ts'
import { toPeriods } from '../questions/period.ts'
import { refuseForeignIds } from '../questions/scope.ts'
import type { ReportFilters } from './schema.ts'

type PeriodQuery = {
  days: number
  start?: string
  end?: string
  timezone: string
}

export type ClickQuery = PeriodQuery & {
  includeBots: false
  linkId?: string
  campaignId?: string
  domainId?: string
  /** Label of the domain of the click: `default` for the shared host. */
  domain?: string
  currency?: string
}

const DEFAULT_DAYS = 30

export function toPeriodQuery(filters: ReportFilters, timezone: string): PeriodQuery {
  const { days, start, end } = filters
  return {
    days: days ?? DEFAULT_DAYS,
    timezone: filters.timezone ?? timezone,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  }
}

export function toClickQuery(filters: ReportFilters, period: PeriodQuery): ClickQuery {
  const { linkIds, campaignId, domainId, currency } = filters
  return {
    ...period,
    includeBots: false,
    ...(currency !== undefined && { currency }),
    ...(linkIds && { linkId: linkIds.map(escapeFilter).join(',') }),
    ...(campaignId !== undefined && { campaignId: escapeFilter(campaignId) }),
    ...(domainId !== undefined && { domainId: escapeFilter(domainId) }),
  }
}

/** Commas, backslashes and a leading hyphen have a meaning in the filters of the analytics. */
export function escapeFilter(id: string): string {
  return id.replaceAll(/[\\,]|^-/g, '\\$&')
}

/** @throws ApiError VALIDATION_ERROR with the path of the field below `filters` */
export function checkFilters(filters: ReportFilters, nowMs: number): ReportFilters {
  const { timezone, currency } = filters
  const checked = {
    ...filters,
    ...(currency !== undefined && { currency: checkCurrency(currency, 'filters.currency') }),
    ...(timezone !== undefined && { timezone: checkTimeZone(timezone, 'filters.timezone') }),
  }
  if (filters.days !== undefined && (filters.start ?? filters.end) !== undefined)
    throw new ApiError('VALIDATION_ERROR', 'filters.days and filters.start exclude each other.', [
      { path: 'filters.days', message: 'Omit it beside start or end.', code: 'invalid' },
    ])
  try {
    toPeriods(nowMs, toPeriodQuery(checked, 'UTC'))
  } catch (error) {
    throw withPrefix(error)
  }
  return checked
}

/** @throws ApiError FORBIDDEN for a row of another workspace; an unknown id matches nothing */
export async function refuseForeignFilters(
  tx: Tx,
  principal: Principal,
  { linkIds = [], campaignId, domainId }: ReportFilters,
): Promise<void> {
  const campaignIds = campaignId ? [campaignId] : []
  const domainIds = domainId ? [domainId] : []
  await refuseForeignIds(tx, principal, 'links', 'filters.linkIds', linkIds)
  await refuseForeignIds(tx, principal, 'campaigns', 'filters.campaignId', campaignIds)
  await refuseForeignIds(tx, principal, 'domains', 'filters.domainId', domainIds)
}

function withPrefix(error: unknown): unknown {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return error
  const details = (error.details as ErrorDetail[]).map((detail) => ({
    ...detail,
    path: `filters.${detail.path}`,
  }))
  return new ApiError(error.code, `filters.${error.message}`, details)
}
