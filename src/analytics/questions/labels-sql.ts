import { DIMENSIONS, labelOfEmpty, type Dimension, type Group } from './dimensions.ts'
import type { Period } from './period.ts'
import type { Scope } from './scope.ts'
import { foldedGroup, sourcesOf } from './sources.ts'
import { toSpan } from './span.ts'
import { isCounted, rowsOf, type Counting } from './visits-sql.ts'

/** Clicks, and visitors, by the labels of some dimensions. */

type Question = Pick<Counting, 'scope' | 'folds' | 'includeBots'> & {
  period: Period
  dimensions: readonly Dimension[]
  /** Labels that are read per dimension, the empty one first. The others follow from the total. */
  labels: number
  /** Of the labels; `pair` is section and label. */
  having?: string
}

/** A select of `section, label, clicks` with the most clicked labels of each dimension. */
export function labelsSql(question: Question): string {
  const { scope, period, dimensions, labels } = question
  const bounds = [period.startMs, period.endMs]
  const rows = rowsOf(scope) === 'clicks' ? 'clicks' : 'days'
  const groups = [...new Set(dimensions.map((name) => groupOf(name, scope.level)))]
  const selects = sourcesOf(question, bounds, rows)
    .filter(({ table }) => table === 'clicks')
    .flatMap((source) => {
      const where = `${source.where} and ${isCounted(question)}`
      return source.rows === 'days'
        ? groups.map((group) => groupSql(group, question, where))
        : [clicksSql(question, where)]
    })
    .concat(foldedSql(question, bounds))
  return `
    select pair.1 as section, pair.2 as label, sum(c) as clicks
    from (${selects.join(' union all ')})
    array join pairs as pair
    group by pair
    having ${question.having ?? '1'}
    ${MOST_CLICKED_FIRST}
    limit ${labels} by pair.1`
}

/** The blank label comes first, so that no limit cuts it off. */
const MOST_CLICKED_FIRST = `order by pair.1, pair.2 = '' desc, clicks desc, pair.2`

/**
 * A select of `section, label, clicks, visitors` of the labels with the most clicks. States by label would
 * take more space than the clicks, so these are read click by click; of very many, one in
 * `sample` visitors, whose number is multiplied. Those of deleted months are not known.
 * @param sample a power of two; 1: every click
 */
export function labelVisitorsSql(
  question: Question & { sample: number; isExact: boolean },
): string {
  const { scope, period, dimensions, labels, sample, isExact } = question
  const span = toSpan([period.startMs, period.endMs], 'clicks')
  const columns = dimensions.map((name) => DIMENSIONS[name].column)
  const state = isExact ? 'uniqExactState' : 'uniqCombined64State'
  const merge = isExact ? 'uniqExactMerge' : 'uniqCombined64Merge'
  const sampled = sample > 1 ? `and bitAnd(visitor, ${sample - 1}) = 0` : ''
  const pair = `multiIf(${caseOf(dimensions).join(', ')}, [('', '')])[1]`
  return `
    select pair, sum(n) as clicks, toUInt64(${merge}(v) * ${sample}) as visitors
    from (
      select ${pair} as pair, count() as n, ${state}If(visitor, visitor != 0) as v
      from clicks
      where ${scope.where} and ${span.clicks} and ${isCounted(question)} ${sampled}
      group by grouping sets (${columns.map((column) => `(${column})`).join(', ')})
    )
    group by pair
    ${MOST_CLICKED_FIRST}
    limit ${labels} by pair.1`
}

function groupOf(dimension: Dimension, level: Scope['level']): Group {
  const { group } = DIMENSIONS[dimension]
  return level === 'links' && group === 'destinations' ? 'sources' : group
}

/** Combinations of a group's labels, from its projection. */
function groupSql(group: Group, { scope, dimensions }: Question, where: string): string {
  const members = dimensions.filter((name) => groupOf(name, scope.level) === group)
  const columns = members.map((name) => DIMENSIONS[name].column).join(', ')
  const labels = members.map(pairOf)
  return `
    select [${labels.join(', ')}] as pairs, c
    from (select ${columns}, count() as c from clicks where ${where} group by ${columns})`
}

/** Labels of deleted months, by group. A group that cannot be filtered as the question is has none: its clicks are among the others. */
function foldedSql(question: Question, bounds: readonly number[]): string[] {
  const groups = Map.groupBy(question.dimensions, (name) => DIMENSIONS[name].group)
  return [...groups].flatMap(([group, names]) => {
    const columns = names.map((name) => DIMENSIONS[name].column).join(', ')
    return foldedGroup(question.scope, group) === null
      ? []
      : sourcesOf(question, bounds, 'clicks', group)
          .filter(({ table }) => table === 'click_days')
          .map(
            ({ where }) => `
            select [${names.map(pairOf).join(', ')}] as pairs, c
            from (select ${columns}, sum(clicks) as c from click_days
              where ${where} and ${isCounted(question)} group by ${columns})`,
          )
  })
}

/** Labels of every dimension in one pass over the clicks. */
function clicksSql({ dimensions }: Question, where: string): string {
  const sets = dimensions.map((name) => `(${DIMENSIONS[name].column})`)
  return `
    select multiIf(${caseOf(dimensions).join(', ')}, [('', '')]) as pairs, count() as c
    from clicks where ${where}
    group by grouping sets (${sets.join(', ')})`
}

function caseOf(dimensions: readonly Dimension[]): string[] {
  return dimensions.map((name) => `grouping(${DIMENSIONS[name].column}) = 0, [${pairOf(name)}]`)
}

/** Section and label of a row. A click without the label may be one of a word; one without a UTM parameter is not. */
function pairOf(name: Dimension): string {
  const { column } = DIMENSIONS[name]
  const word = labelOfEmpty(name)
  const label = word === null ? column : `if(${column} = '', '${word}', ${column})`
  return `('${name}', toString(${label}))`
}
