import type { Who } from '../../base/who.ts'
import { count } from './counting.ts'
import { readQuestion, type QuestionDeps, type QuestionQuery } from './question.ts'
import type { ClickReader } from './reader.ts'
import { linkVisitsSql } from './top-links-sql.ts'

type Deps = QuestionDeps & { reader: ClickReader }

type Query = Omit<QuestionQuery, 'includeBots'>
export type LinkVisits = { clicks: number; visitors: number }

export type ReportNumbers = ReturnType<typeof createReportNumbers>

const NONE: LinkVisits = { clicks: 0, visitors: 0 }

/** Numbers of human clicks for reports, page by page. */
export function createReportNumbers(deps: Deps) {
  /**
   * Works the period out once, so that all links of a report are counted in the same one.
   * @returns counts links by their ids
   */
  async function openLinkVisits(who: Who, query: Query) {
    const question = await readQuestion(deps, who, {}, { ...query, includeBots: false })
    const { isApproximate } = await deps.reader.run(who, undefined, (read) =>
      count(read, question, {}),
    )
    const visitors = isApproximate ? 'estimated' : 'exact'
    const counting = { ...question, period: question.current, visitors } as const

    return async (ids: readonly string[]): Promise<(id: string) => LinkVisits> => {
      if (ids.length === 0) return () => NONE
      const rows = await deps.reader.run(who, undefined, (read) =>
        read<LinkVisits & { label: string }>({
          query: linkVisitsSql(counting, ids),
          params: question.scope.params,
        }),
      )
      const byId = new Map(rows.map((row) => [row.label, row]))
      return (id) => byId.get(id) ?? NONE
    }
  }
  return { openLinkVisits }
}
