import type { Clock } from '../../base/clock.ts'
import type { Who } from '../../base/who.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { countConversions, type EarnedParts } from './conversions.ts'
import { foldsOf, inFolds, isNotFolded, readFolds, type Folds } from './folds.ts'
import { toPeriods, type Period } from './period.ts'
import type { ClickReader } from './reader.ts'
import { toLinksScope } from './scope.ts'
import { toSpan } from './span.ts'

type Deps = {
  systemSql: SystemSql
  clock: Clock
  reader: ClickReader
  shippedThroughMs: () => Promise<number>
}

type Days = { days: number; timezone: string }

export type LinkClicks = ReturnType<typeof createLinkClicks>

const DAY_MS = 86_400_000
/** CLICK_RETENTION_DAYS is not less, so that younger clicks are in no fold. */
const LEAST_RETENTION_DAYS = 31
const LINK_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The human clicks of links in the last calendar days, for lists of links: what the analytics of each link
 * answer as `periodClicks`, without imported ones.
 */
export function createLinkClicks({ systemSql, clock, reader, shippedThroughMs }: Deps) {
  return { ofLinks, mostClicked, earnedBy }

  /** The clicks of these links; those without a click are left out. */
  function ofLinks(
    who: Who,
    { ids, ...days }: Days & { ids: readonly string[] },
    signal?: AbortSignal,
  ) {
    for (const id of ids) if (!LINK_ID.test(id)) throw new Error('this is not the id of a link')
    const isOne = ids.length === 0 ? null : `link_id in ('${ids.join("', '")}')`
    return count(who, days, isOne, '', signal)
  }

  /** The links of the workspace with the most clicks, in that order, deleted ones included. */
  function mostClicked(who: Who, { most, ...days }: Days & { most: number }, signal?: AbortSignal) {
    return count(who, days, '1', `order by clicks desc, link_id desc limit ${most}`, signal)
  }

  /** The conversions of these links in the same days, with their value in a currency; those without one are left out. */
  async function earnedBy(
    who: Who,
    { ids, currency, ...period }: Days & { ids: readonly string[]; currency: string },
    signal?: AbortSignal,
  ): Promise<Pick<EarnedParts, 'links' | 'currencies'>> {
    if (ids.length === 0 || !(await hasConversions(systemSql, who)))
      return { links: new Map(), currencies: [] }
    const { current } = toPeriods(clock(), period)
    const scope = toLinksScope(who.workspaceId, ids)
    const question = { scope, current, currency: currency.toLowerCase(), hasConversions: true }
    return reader.run(who, signal, (read) => countConversions(read, question, { linkIds: ids }))
  }

  /** @param condition on the links; null for none of them */
  async function count(
    who: Who,
    { days, timezone }: Days,
    condition: string | null,
    order: string,
    signal: AbortSignal | undefined,
  ) {
    const nowMs = clock()
    const { current } = toPeriods(nowMs, { days, timezone })
    // Read before the count, so that every click before `asOf` is counted.
    const asOfMs = Math.min(nowMs, await shippedThroughMs())
    const params = { workspaceId: who.workspaceId }
    const rows =
      condition === null
        ? []
        : await reader.run(who, signal, async (read) => {
            const isKept = nowMs - current.startMs < LEAST_RETENTION_DAYS * DAY_MS
            const folds = isKept ? [] : foldsOf(await readFolds(systemSql), current)
            const query = countSql(current, folds, condition, order)
            return read<{ linkId: string; clicks: number }>({ query, params })
          })
    return {
      clicks: new Map(rows.map(({ linkId, clicks }) => [linkId, clicks])),
      meta: {
        period: { start: toIso(current.startMs), end: toIso(current.endMs) },
        timezone,
        asOf: toIso(asOfMs),
      },
    }
  }
}

async function hasConversions(sql: SystemSql, { workspaceId }: Who): Promise<boolean> {
  const [row] = await sql<[{ some: boolean }]>`
    select exists (select from conversions where workspace_id = ${workspaceId}) as some`
  return row.some
}

/**
 * Whole UTC days from the projection by link and day, and the rest of the period click by click. Folded months
 * have UTC days alone.
 */
function countSql(period: Period, folds: Folds, condition: string, order: string): string {
  const human = `workspace_id = {workspaceId:String} and ${condition} and kind = 'human'`
  const stored = isNotFolded(folds)
  const { days, clicks } = toSpan([period.startMs, period.endMs], 'days')
  const selects = [days, clicks]
    .filter((range) => range !== null)
    .map(
      (range) => `
        select link_id, count() as c from clicks
        where ${human} and ${range} ${stored === null ? '' : `and ${stored}`} group by link_id`,
    )
  if (folds.length > 0)
    selects.push(`
        select link_id, sum(clicks) as c from click_days
        where ${human} and grp = 'visits' and ${inFolds(folds)}
          and day >= ${nearestDay(period.startMs)} and day < ${nearestDay(period.endMs)}
        group by link_id`)
  return `
    select link_id as linkId, sum(c) as clicks from (${selects.join(' union all ')})
    group by link_id ${order}`
}

/** The UTC day of a local midnight. */
function nearestDay(ms: number): string {
  return `toDate('${toIso(Math.round(ms / DAY_MS) * DAY_MS).slice(0, 10)}')`
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
