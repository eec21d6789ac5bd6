import { invalid } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { LinkClicks } from '../analytics/link-clicks.ts'
import type { Link, ListLinks } from './schema.ts'

export type PeriodClicksDeps = { linkClicks: LinkClicks }

/** Period of the clicks that a list shows; null: none. */
export type ClickPeriod = { days: number; timezone: string }

const DEFAULT_CURRENCY = 'usd'

/** @throws ApiError VALIDATION_ERROR for an order by clicks of no period */
export function toClickPeriod({ clickDays, timezone, sortBy }: ListLinks): ClickPeriod | null {
  if (clickDays !== undefined) return { days: clickDays, timezone: timezone ?? 'UTC' }
  if (sortBy === 'periodClicks')
    throw invalid(
      'sortBy',
      'sortBy=periodClicks needs clickDays, the number of days of the period.',
    )
  return null
}

/** Links with their clicks of a period, and the fields of `meta` that say which these are. */
export async function withPeriodClicks(
  { linkClicks }: PeriodClicksDeps,
  who: Who,
  period: ClickPeriod,
  links: readonly Link[],
  signal?: AbortSignal,
) {
  const ids = links.map(({ id }) => id)
  const { clicks, meta } = await linkClicks.ofLinks(who, { ...period, ids }, signal)
  return {
    links: links.map((link) => ({ ...link, periodClicks: clicks.get(link.id) ?? 0 })),
    meta,
  }
}

/** Links with their conversions of a period, and all currencies of these. */
export async function withPeriodConversions<Some extends Link>(
  { linkClicks }: PeriodClicksDeps,
  who: Who,
  { currency = DEFAULT_CURRENCY, ...period }: ClickPeriod & { currency: string | undefined },
  links: readonly Some[],
  signal?: AbortSignal,
) {
  const ids = links.map(({ id }) => id)
  const earned = await linkClicks.earnedBy(who, { ...period, ids, currency }, signal)
  return {
    links: links.map((link) => {
      const { conversions = 0, value = 0 } = earned.links.get(link.id) ?? {}
      return { ...link, periodConversions: conversions, periodValue: value }
    }),
    meta: { currencies: [...earned.currencies] },
  }
}
