import { DIMENSIONS, labelOfEmpty, type Dimension, type Group } from './dimensions.ts'
import type { Period } from './period.ts'
import type { Scope } from './scope.ts'
import { clickSources, foldedSources, readFrom } from './sources.ts'
import { toSpan } from './span.ts'
import { isCounted, ROWS, type Countable } from './tally.ts'

type Question = Countable & { current: Period }

type Labels = {
  dimensions: readonly Dimension[]
  /** Labels per dimension, the empty one first. The total tells how many clicks the others have. */
  limit: number
}

/**
 * A select of `section, label, clicks` with the most clicked labels of each dimension.
 * @param having a condition on the labels; `pair` is section and label
 */
export function labelsSql(question: Question, { dimensions, limit }: Labels, having = '1'): string {
  const { scope } = question
  const bounds = boundsOf(question)
  const counted = isCounted(question)
  const rows = ROWS[scope.level] === 'clicks' ? 'clicks' : 'days'
  const groups = Map.groupBy(dimensions, (name) => groupOf(name, scope.level))
  const foldedGroups = Map.groupBy(dimensions, (name) => DIMENSIONS[name].group)
  const selects = [
    ...clickSources(question, bounds, rows).flatMap((source) => {
      const from = `from clicks where ${source.where} and ${counted}`
      return source.rows === 'days'
        ? [...groups].map(([group, names]) =>
            groupSql(names, 'count()', from, readFrom(projectionOf(group, scope.level))),
          )
        : [allLabelsSql(dimensions, from)]
    }),
    ...[...foldedGroups].flatMap(([group, names]) =>
      foldedSources(question, bounds, group).map(({ where }) =>
        groupSql(names, 'sum(clicks)', `from click_days where ${where} and ${counted}`),
      ),
    ),
  ]
  return `
    select pair.1 as section, pair.2 as label, sum(c) as clicks
    from (${selects.join(' union all ')})
    array join pairs as pair
    group by pair
    having ${having}
    ${MOST_CLICKED_FIRST}
    limit ${limit} by pair.1`
}

/** The blank label comes first, so that no limit cuts it off. */
const MOST_CLICKED_FIRST = `order by pair.1, pair.2 = '' desc, clicks desc, pair.2`

/**
 * Selects `section, label, clicks, visitors` of the most clicked labels. It reads single clicks, since states by
 * label would take more space than the clicks themselves. When there are very many, it reads the clicks of one in
 * `sample` visitors and multiplies. Deleted months have no visitors by label.
 * @param sample a power of two; 1: every click
 */
export function labelVisitorsSql(
  question: Question,
  { dimensions, limit, sample }: Labels & { sample: number },
): string {
  const span = toSpan(boundsOf(question), 'clicks')
  const sampled = sample > 1 ? `and bitAnd(visitor, ${sample - 1}) = 0` : ''
  return `
    select pair.1 as section, pair.2 as label, sum(n) as clicks,
      toUInt64(uniqCombined64Merge(14)(v) * ${sample}) as visitors
    from (
      select ${pairsOf(dimensions)}[1] as pair, count() as n, uniqCombined64StateIf(14)(visitor, visitor != 0) as v
      from clicks
      where ${question.scope.where} and ${span.clicks} and ${isCounted(question)} ${sampled}
      group by ${setsOf(dimensions)}
      ${readFrom(null)}
    )
    group by pair
    ${MOST_CLICKED_FIRST}
    limit ${limit} by pair.1`
}

function boundsOf({ current }: Question): number[] {
  return [current.startMs, current.endMs]
}

/** The rows by link have the destinations among the sources. */
function groupOf(dimension: Dimension, level: Scope['level']): Group {
  const { group } = DIMENSIONS[dimension]
  return level === 'links' && group === 'destinations' ? 'sources' : group
}

function projectionOf(group: Group, level: Scope['level']): string {
  return level === 'workspace' ? `workspace_${group}` : group
}

/** Combinations of the labels of a group, from its projection. */
function groupSql(
  names: readonly Dimension[],
  clicks: string,
  from: string,
  settings = '',
): string {
  const columns = names.map((name) => DIMENSIONS[name].column).join(', ')
  return `
    select [${names.map(pairOf).join(', ')}] as pairs, c
    from (select ${columns}, ${clicks} as c ${from} group by ${columns} ${settings})`
}

/** Labels of every dimension in one pass over the clicks. */
function allLabelsSql(dimensions: readonly Dimension[], from: string): string {
  return `
    select ${pairsOf(dimensions)} as pairs, count() as c ${from} group by ${setsOf(dimensions)}
    ${readFrom(null)}`
}

function setsOf(dimensions: readonly Dimension[]): string {
  return `grouping sets (${dimensions.map((name) => `(${DIMENSIONS[name].column})`).join(', ')})`
}

function pairsOf(dimensions: readonly Dimension[]): string {
  const cases = dimensions.map(
    (name) => `grouping(${DIMENSIONS[name].column}) = 0, [${pairOf(name)}]`,
  )
  return `multiIf(${cases.join(', ')}, [('', '')])`
}

/** Section and label of a row. An empty label is shown as a word; an empty UTM parameter is not counted. */
function pairOf(name: Dimension): string {
  const { column } = DIMENSIONS[name]
  const word = labelOfEmpty(name)
  const label = word === null ? column : `if(${column} = '', '${word}', ${column})`
  return `('${name}', toString(${label}))`
}
