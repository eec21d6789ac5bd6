import { DAY_MS, type Clock } from '../../platform/core/clock.ts'
import type { ClickPeriod, LinkClicks } from '../../links/list/period-clicks.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { foldsOf, readFolds } from '../questions/folds.ts'
import { toPeriods } from '../questions/period.ts'
import { toIso, toIsoPeriod } from '../questions/question.ts'
import type { ClickReader } from '../questions/reader.ts'
import { toLinksScope, toScope, type Scope } from '../questions/scope.ts'
import { tallySql } from '../questions/tally.ts'
import { countConversions } from './conversions.ts'

type Deps = {
  systemSql: SystemSql
  clock: Clock
  reader: ClickReader
  shippedThroughMs: () => Promise<number>
}

/** CLICK_RETENTION_DAYS is not less, so younger clicks are in no fold. */
const LEAST_RETENTION_DAYS = 31

/** The human clicks of links in the last calendar days, for lists of links: the `periodClicks` of their analytics. */
export function createLinkClicks({ systemSql, clock, reader, shippedThroughMs }: Deps): LinkClicks {
  return { ofLinks, mostClicked, earnedBy }

  function ofLinks(
    principal: Principal,
    { ids, ...days }: ClickPeriod & { ids: readonly string[] },
    signal?: AbortSignal,
  ) {
    return count(principal, days, toLinksScope(principal.workspaceId, ids), '', signal)
  }

  function mostClicked(
    principal: Principal,
    { most, ...days }: ClickPeriod & { most: number },
    signal?: AbortSignal,
  ) {
    const order = `order by clicks desc, linkId desc limit ${most}`
    return count(principal, days, toScope(principal.workspaceId, []), order, signal)
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

  async function count(
    principal: Principal,
    { days, timezone }: ClickPeriod,
    scope: Scope,
    order: string,
    signal: AbortSignal | undefined,
  ) {
    const nowMs = clock()
    const { current } = toPeriods(nowMs, { days, timezone })
    // Read before the count, so that every click before `asOf` is counted.
    const asOfMs = Math.min(nowMs, await shippedThroughMs())
    const isKept = nowMs - current.startMs < LEAST_RETENTION_DAYS * DAY_MS
    const rows = scope.isEmpty
      ? []
      : await reader.run(principal, signal, async (read) => {
          const folds = isKept ? [] : foldsOf(await readFolds(systemSql), current)
          const bounds = [current.startMs, current.endMs]
          const tally = tallySql({ scope, folds, includeBots: false }, { by: 'link', bounds })
          const query = `select label as linkId, clicks from (${tally}) ${order}`
          return read<{ linkId: string; clicks: number }>({ query, params: scope.params })
        })
    return {
      clicks: new Map(rows.map(({ linkId, clicks }) => [linkId, clicks])),
      meta: { period: toIsoPeriod(current), timezone, asOf: toIso(asOfMs) },
    }
  }
}

async function hasConversions(sql: SystemSql, { workspaceId }: Principal): Promise<boolean> {
  const [row] = await sql<[{ some: boolean }]>`
    select exists (select from conversions where workspace_id = ${workspaceId}) as some`
  return row.some
}
