import type { Who } from '../../base/who.ts'
import { labelsSql } from './breakdowns-sql.ts'
import type { Dimension } from './dimensions.ts'
import { readQuestion, type AnalyticsDeps } from './question.ts'
import type { ValuesQuery } from './schema.ts'

/**
 * Labels of a dimension for the picker of a filter: those that contain a text, in any case of letters, the
 * most clicked first.
 */
export async function values(
  deps: AnalyticsDeps,
  who: Who,
  dimension: Dimension,
  query: ValuesQuery,
  signal?: AbortSignal,
) {
  const { q = '', limit } = query
  const question = await readQuestion(deps, who, {}, query, signal)
  if (question.scope.isEmpty) return []
  const key = JSON.stringify(['values', who.workspaceId, dimension, query])
  return deps.answers.ask(key, signal, (stop) =>
    deps.reader.run(who, stop, (read) =>
      read<{ value: string; clicks: number }>({
        query: `
          select label as value, clicks
          from (${labelsSql({
            ...question,
            period: question.current,
            dimensions: [dimension],
            labels: limit,
            having: `pair.1 = '${dimension}' and pair.2 != '' and positionCaseInsensitiveUTF8(pair.2, {q:String}) > 0`,
          })})
          order by clicks desc, value`,
        params: { ...question.scope.params, q },
      }),
    ),
  )
}
