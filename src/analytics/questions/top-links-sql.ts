import type { Period } from './period.ts'
import { selectFrom, sourcesOf, type Source } from './sources.ts'
import { toSpan } from './span.ts'
import { isCounted, type Counting } from './visits-sql.ts'

/** Clicks and visitors by link, read from the rows of each link and day. */

type Question = Omit<Counting, 'visitors'> & { period: Period }

/** A select of `label, clicks`: the links with the most clicks, by id. */
export function topLinksSql(question: Question, page: { limit: number; offset: number }): string {
  const selects = countedOf(question).map((source) => selectFrom(source, ['link_id'], 'link_id'))
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
  const selects = countedOf(question, isOne).map((source) =>
    selectFrom(source, ['link_id'], 'link_id', 'links'),
  )
  return `
    select link_id as label, sum(c) as clicks, uniqCombined64Merge(v) as visitors
    from (${selects.join(' union all ')}) group by link_id`
}

function countedOf(question: Question, condition = '1'): Source[] {
  const { scope, period } = question
  const rows = scope.level === 'clicks' ? 'clicks' : 'days'
  const sources = sourcesOf(question, [period.startMs, period.endMs], rows)
  const isOf = `${condition} and ${isCounted(question)}`
  return sources.map((source) => ({ ...source, where: `${source.where} and ${isOf}` }))
}

/** @throws for a text that is not the id of a link */
export function quoteId(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Error('this is not the id of a link')
  return id
}
