import { bucketOf, toSpan, type Rows } from './span.ts'
import type { Folds } from './folds.ts'
import type { Scope } from './scope.ts'
import { lifetimeSources, selectFrom, sourcesOf } from './sources.ts'

/**
 * Clicks and visitors in buckets of time: totals are a series of one bucket, and a comparison with the
 * period before is one of two.
 */

/** A view of a page is no click. */
const IS_CLICK = "kind in ('human', 'bot', 'preview', 'prefetch')"
const IS_BOT = "kind in ('bot', 'preview', 'prefetch')"

export type Counting = {
  scope: Scope
  folds: Folds
  includeBots: boolean
  /**
   * `exact` visitors are counted click by click, in periods without folded months; `estimated` ones are
   * merged from the states of days and hours, within about one percent.
   */
  visitors: 'exact' | 'estimated'
}

export function isCounted({ includeBots, scope }: Pick<Counting, 'includeBots' | 'scope'>): string {
  if (scope.isOfViews) return "kind = 'view'"
  return includeBots ? IS_CLICK : "kind = 'human'"
}

/** Kinds of rows from which the clicks of a scope can be read. */
export function rowsOf({ level }: Scope): Rows {
  return ({ workspace: 'hours', links: 'days', clicks: 'clicks' } as const)[level]
}

/**
 * A select of `bucket, clicks, visitors, bots` for every bucket that has rows. `bucket` is its start in
 * milliseconds.
 * @param bounds starts of the buckets and the end of the last one
 */
export function visitsSql(counting: Counting, bounds: readonly number[]): string {
  return counting.visitors === 'exact'
    ? exactVisitsSql(counting, bounds)
    : estimatedVisitsSql(counting, bounds)
}

function exactVisitsSql(counting: Counting, bounds: readonly number[]): string {
  const counted = isCounted(counting)
  return `
    select ${bucketOf(bounds, 'clicks')} as bucket, countIf(${counted}) as clicks,
      uniqExactIf(visitor, visitor != 0 and ${counted}) as visitors, countIf(${IS_BOT}) as bots
    from clicks
    where ${counting.scope.where} and ${toSpan(bounds, 'clicks').clicks}
    group by bucket`
}

/**
 * The projections are used only where the name of the aggregate function is written as they have it
 * (docs/decisions/0025), so clicks that are read one by one use the same.
 */
function estimatedVisitsSql(counting: Counting, bounds: readonly number[]): string {
  const { scope } = counting
  const states = scope.level === 'workspace' ? 'workspace' : 'links'
  const precision = states === 'workspace' ? '(14)' : ''
  const counted = isCounted(counting)
  const selects = sourcesOf(counting, bounds, rowsOf(scope)).map((source) => {
    const keys = ['kind', `${bucketOf(bounds, source.rows)} as bucket`]
    return selectFrom(source, keys, 'kind, bucket', states)
  })
  return `
    select bucket, sumIf(c, ${counted}) as clicks,
      uniqCombined64MergeIf${precision}(v, ${counted}) as visitors, sumIf(c, ${IS_BOT}) as bots
    from (${selects.join(' union all ')}) group by bucket`
}

/** A select of `bucket, clicks`, without the states of visitors. */
export function countsSql(question: Omit<Counting, 'visitors'>, bounds: readonly number[]): string {
  const selects = sourcesOf(question, bounds, rowsOf(question.scope)).map((source) =>
    selectFrom(
      { ...source, where: `${source.where} and ${isCounted(question)}` },
      [`${bucketOf(bounds, source.rows)} as bucket`],
      'bucket',
    ),
  )
  return `select bucket, sum(c) as clicks from (${selects.join(' union all ')}) group by bucket`
}

/** A select of `clicks`: all that were ever counted. */
export function lifetimeSql(question: Omit<Counting, 'visitors'>): string {
  const selects = lifetimeSources(question).map((source) => selectFrom(source, ['kind'], 'kind'))
  return `
    select sumIf(c, ${isCounted(question)}) as clicks from (${selects.join(' union all ')})`
}
