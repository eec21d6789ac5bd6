import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Link, ListLinks } from '../link/schema.ts'

export type ClickPeriod = { days: number; timezone: string }

type Counted = Promise<{
  clicks: ReadonlyMap<string, number>
  meta: { period: { start: string; end: string }; timezone: string; asOf: string }
}>

/** Human clicks and conversions in a period; links without any are left out. */
export type LinkClicks = {
  ofLinks(
    principal: Principal,
    of: ClickPeriod & { ids: readonly string[] },
    signal?: AbortSignal,
  ): Counted
  /** The most clicked links of the workspace, including deleted ones, most clicks first. */
  mostClicked(
    principal: Principal,
    of: ClickPeriod & { most: number },
    signal?: AbortSignal,
  ): Counted
  earnedBy(
    principal: Principal,
    of: ClickPeriod & { ids: readonly string[]; currency: string },
    signal?: AbortSignal,
  ): Promise<{
    links: ReadonlyMap<string, { conversions: number; value: number }>
    currencies: readonly string[]
  }>
}

export type PeriodClicksDeps = { linkClicks: LinkClicks }

const DEFAULT_CURRENCY = 'usd'

export function toClickPeriod({ clickDays, timezone, sortBy }: ListLinks): ClickPeriod | null {
  if (clickDays !== undefined) return { days: clickDays, timezone: timezone ?? 'UTC' }
  if (sortBy === 'periodClicks')
    throw invalid(
      'sortBy',
      'sortBy=periodClicks needs clickDays, the number of days of the period.',
    )
  return null
}

export async function withPeriodClicks(
  { linkClicks }: PeriodClicksDeps,
  principal: Principal,
  period: ClickPeriod,
  links: readonly Link[],
  signal?: AbortSignal,
) {
  const ids = links.map(({ id }) => id)
  const { clicks, meta } = await linkClicks.ofLinks(principal, { ...period, ids }, signal)
  return {
    links: links.map((link) => ({ ...link, periodClicks: clicks.get(link.id) ?? 0 })),
    meta,
  }
}

export async function withPeriodConversions<Some extends Link>(
  { linkClicks }: PeriodClicksDeps,
  principal: Principal,
  { currency = DEFAULT_CURRENCY, ...period }: ClickPeriod & { currency: string | undefined },
  links: readonly Some[],
  signal?: AbortSignal,
) {
  const ids = links.map(({ id }) => id)
  const earned = await linkClicks.earnedBy(principal, { ...period, ids, currency }, signal)
  return {
    links: links.map((link) => {
      const { conversions = 0, value = 0 } = earned.links.get(link.id) ?? {}
      return { ...link, periodConversions: conversions, periodValue: value }
    }),
    meta: { currencies: [...earned.currencies] },
  }
}
