import type { Folds } from './folds.ts'
import { inLinks, type Scope } from './scope.ts'
import { clickSources, foldedSources, readFrom, type Bounds } from './sources.ts'
import { bucketOf, toSpan, type SourceRows } from './span.ts'

/** A page view is not a click. */
const IS_CLICK = "kind in ('human', 'bot', 'preview', 'prefetch')"
const IS_BOT = "kind in ('bot', 'preview', 'prefetch')"

export type Countable = { scope: Scope; folds: Folds; includeBots: boolean }

/**
 * `exact`: counted click by click, in periods without folded months. `estimated`: merged from the states of days
 * and hours, within about one percent.
 */
export type Visitors = 'exact' | 'estimated'

type Tally = {
  by: 'bucket' | 'link'
  bounds: Bounds
  visitors?: Visitors
  linkIds?: readonly string[]
}

export function isCounted({
  includeBots,
  scope,
}: Pick<Countable, 'includeBots' | 'scope'>): string {
  if (scope.isOfViews) return "kind = 'view'"
  return includeBots ? IS_CLICK : "kind = 'human'"
}

/** The finest rows that exist for a scope. */
export const ROWS = { workspace: 'hours', links: 'days', clicks: 'clicks' } as const

/**
 * A select of `label, clicks, visitors, bots` for each bucket or link that has rows. The label is the start of the
 * bucket in milliseconds, or the id of the link. Bots are not counted by link.
 *
 * ClickHouse uses a projection only if the aggregate functions are written exactly as in the projection
 * (docs/decisions/0025). States of different precision cannot be merged, so reads of single clicks use the same
 * aggregate functions.
 */
export function tallySql(question: Countable, { by, bounds, visitors, linkIds }: Tally): string {
  const { scope } = question
  const counted = isCounted(question)
  const filter = [
    ...(by === 'link' ? [`and ${counted}`] : []),
    ...(linkIds ? [`and ${inLinks(linkIds)}`] : []),
  ].join(' ')
  const keyOf = (rows: SourceRows) => (by === 'link' ? 'link_id' : bucketOf(bounds, rows))
  if (visitors === 'exact')
    return `
      select toString(${keyOf('clicks')}) as label, countIf(${counted}) as clicks,
        uniqExactIf(visitor, visitor != 0 and ${counted}) as visitors, countIf(${IS_BOT}) as bots
      from clicks where ${scope.where} and ${toSpan(bounds!, 'clicks').clicks} ${filter}
      group by label`
  const level = by === 'link' && scope.level === 'workspace' ? 'links' : scope.level
  const precision = level === 'workspace' ? '(14)' : ''
  const state = visitors ? `, uniqCombined64State${precision}(visitor) as v` : ''
  const foldedState = visitors
    ? `, ${level === 'workspace' ? 'workspace' : 'link'}_visitors as v`
    : ''
  const selects = [
    ...clickSources(question, bounds, ROWS[level]),
    ...foldedSources(question, bounds, 'visits'),
  ].map(({ rows, where }) =>
    rows === 'folded'
      ? `select kind, ${keyOf(rows)} as key, clicks as c${foldedState}
        from click_days where ${where} ${filter}`
      : `select kind, ${keyOf(rows)} as key, count() as c${state}
        from clicks where ${where} ${filter} group by kind, key
        ${readFrom(projectionOf(level, rows))}`,
  )
  const merged = visitors ? `uniqCombined64MergeIf${precision}(v, ${counted})` : 'toUInt64(0)'
  return `
    select toString(key) as label, sumIf(c, ${counted}) as clicks, ${merged} as visitors,
      sumIf(c, ${IS_BOT}) as bots
    from (${selects.join(' union all ')}) group by key`
}

/** The projection with the counts and visitors of whole days or hours. */
function projectionOf(level: Scope['level'], rows: SourceRows): string | null {
  if (rows === 'clicks') return null
  if (level === 'links') return 'visits'
  return rows === 'days' ? 'workspace_visits' : 'workspace_hours'
}

/** A select of `label, clicks`: the most clicked links. */
export function topLinksSql(
  question: Countable,
  bounds: Bounds,
  { limit, offset }: { limit: number; offset: number },
): string {
  return `
    select label, clicks from (${tallySql(question, { by: 'link', bounds })})
    order by clicks desc, label limit ${limit} offset ${offset}`
}
