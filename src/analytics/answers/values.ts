import type { Principal } from '../../platform/routes/principal.ts'
import { labelsSql } from './breakdowns-sql.ts'
import type { Dimension } from './dimensions.ts'
import { readHostnames } from './hostnames.ts'
import { readQuestion, type AnalyticsDeps } from './question.ts'
import type { ValuesQuery } from '../answers/schema.ts'

type Value = { value: string; clicks: number; hostname?: string | null }

/** As many domains as a workspace has, and some that were deleted. */
const MAX_DOMAINS = 2_000

/**
 * Labels of a dimension for the picker of a filter: those that contain a text, in any case of letters, the
 * most clicked first. Those of domains are found by their hosts as well.
 */
export async function values(
  deps: AnalyticsDeps,
  principal: Principal,
  dimension: Dimension,
  query: ValuesQuery,
  signal?: AbortSignal,
): Promise<Value[]> {
  if (dimension !== 'domain') return readValues(deps, principal, dimension, query, signal)
  const { q = '', limit, ...rest } = query
  const rows = await readValues(deps, principal, dimension, { ...rest, limit: MAX_DOMAINS }, signal)
  const ids = rows.map(({ value }) => value)
  const names = await readHostnames(deps, principal, ids)
  return rows
    .map((row) => ({ ...row, hostname: names.get(row.value) ?? null }))
    .filter(({ value, hostname }) =>
      `${value}\n${hostname ?? ''}`.toLowerCase().includes(q.toLowerCase()),
    )
    .slice(0, limit)
}

async function readValues(
  deps: AnalyticsDeps,
  principal: Principal,
  dimension: Dimension,
  query: ValuesQuery,
  signal?: AbortSignal,
): Promise<Value[]> {
  const { q = '', limit } = query
  const question = await readQuestion(deps, principal, {}, query, signal)
  if (question.scope.isEmpty) return []
  const key = JSON.stringify(['values', principal.workspaceId, dimension, query])
  return deps.answers.ask(key, signal, (stop) =>
    deps.reader.run(principal, stop, (read) =>
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
