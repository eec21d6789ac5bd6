import type { Period } from './period.ts'
import { toSpan } from './span.ts'
import { isCounted, type Counting } from './visits-sql.ts'

/** Clicks and visitors by link, read from the rows of each link and day. */

type Question = Omit<Counting, 'visitors'> & { period: Period }

/** A select of `label, clicks`: the links with the most clicks, by id. */
export function topLinksSql(question: Question, page: { limit: number; offset: number }): string {
  const counted = isCounted(question)
  const selects = spansOf(question).map(
    (condition) => `
      select link_id, count() as c from clicks
      where ${question.scope.where} and ${condition} and ${counted} group by link_id`,
  )
  return `
    select link_id as label, sum(c) as clicks
    from (${selects.join(' union all ')})
    group by link_id order by clicks desc, link_id limit ${page.limit} offset ${page.offset}`
}

/** A select of `label, clicks, visitors` of these links. Ids are those that ClickHouse has answered. */
export function linkVisitsSql(
  question: Question & Pick<Counting, 'visitors'>,
  ids: readonly string[],
): string {
  const isOne = `link_id in ('${ids.map(quoteId).join("', '")}')`
  const counted = isCounted(question)
  if (question.visitors === 'exact') {
    const { clicks } = toSpan([question.period.startMs, question.period.endMs], 'clicks')
    return `
      select link_id as label, count() as clicks, uniqExactIf(visitor, visitor != 0) as visitors
      from clicks where ${question.scope.where} and ${isOne} and ${clicks} and ${counted}
      group by link_id`
  }
  const selects = spansOf(question).map(
    (condition) => `
      select link_id, count() as c, uniqCombined64State(visitor) as v from clicks
      where ${question.scope.where} and ${isOne} and ${condition} and ${counted} group by link_id`,
  )
  return `
    select link_id as label, sum(c) as clicks, uniqCombined64Merge(v) as visitors
    from (${selects.join(' union all ')}) group by link_id`
}

function spansOf({ scope, period }: Question): string[] {
  const rows = scope.level === 'clicks' ? 'clicks' : 'days'
  const { days, clicks } = toSpan([period.startMs, period.endMs], rows)
  return [days, clicks].filter((condition) => condition !== null)
}

function quoteId(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Error('this is not the id of a link')
  return id
}
