import type { Clock } from '../../platform/core/clock.ts'
import type { ClickPeriod, LinkClicks } from '../../links/list/period-clicks.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { countConversions } from './conversions.ts'
import { foldsOf, inFolds, isNotFolded, readFolds, type Folds } from '../questions/folds.ts'
import { toPeriods, type Period } from '../questions/period.ts'
import type { ClickReader } from '../questions/reader.ts'
import { toLinksScope } from '../questions/scope.ts'
import { toSpan } from '../questions/span.ts'

type Deps = {
  systemSql: SystemSql
  clock: Clock
  reader: ClickReader
  shippedThroughMs: () => Promise<number>
}

const DAY_MS = 86_400_000
/** CLICK_RETENTION_DAYS is not less, so that younger clicks are in no fold. */
const LEAST_RETENTION_DAYS = 31
const LINK_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The human clicks of links in the last calendar days, for lists of links: what the analytics of each link
 * answer as `periodClicks`, without imported ones.
 */
export function createLinkClicks({ systemSql, clock, reader, shippedThroughMs }: Deps): LinkClicks {
  return { ofLinks, mostClicked, earnedBy }

  function ofLinks(
    principal: Principal,
    { ids, ...days }: ClickPeriod & { ids: readonly string[] },
    signal?: AbortSignal,
  ) {
    for (const id of ids) if (!LINK_ID.test(id)) throw new Error('this is not the id of a link')
    const isOne = ids.length === 0 ? null : `link_id in ('${ids.join("', '")}')`
    return count(principal, days, isOne, '', signal)
  }

  function mostClicked(
    principal: Principal,
    { most, ...days }: ClickPeriod & { most: number },
    signal?: AbortSignal,
  ) {
    return count(principal, days, '1', `order by clicks desc, link_id desc limit ${most}`, signal)
  }

  async function earnedBy(
    principal: Principal,
    { ids, currency, ...period }: ClickPeriod & { ids: readonly string[]; currency: string },
    signal?: AbortSignal,
  ) {
    if (ids.length === 0 || !(await hasConversions(systemSql, principal)))
      return { links: new Map(), currencies: [] }
    const { current } = toPeriods(clock(), period)
    const scope = toLinksScope(principal.workspaceId, ids)
    const question = { scope, current, currency: currency.toLowerCase(), hasConversions: true }
    return reader.run(principal, signal, (read) =>
      countConversions(read, question, { linkIds: ids }),
    )
  }

  /** @param condition on the links; null for none of them */
  async function count(
    principal: Principal,
    { days, timezone }: ClickPeriod,
    condition: string | null,
    order: string,
    signal: AbortSignal | undefined,
  ) {
    const nowMs = clock()
    const { current } = toPeriods(nowMs, { days, timezone })
    // Read before the count, so that every click before `asOf` is counted.
    const asOfMs = Math.min(nowMs, await shippedThroughMs())
    const params = { workspaceId: principal.workspaceId }
    const rows =
      condition === null
        ? []
        : await reader.run(principal, signal, async (read) => {
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

async function hasConversions(sql: SystemSql, { workspaceId }: Principal): Promise<boolean> {
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
