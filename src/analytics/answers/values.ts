import type { Principal } from '../../platform/routes/principal.ts'
import { ask, type AnalyticsDeps } from '../questions/ask.ts'
import type { Dimension } from '../questions/dimensions.ts'
import { labelsSql } from '../questions/labels-sql.ts'
import { readHostnames } from './breakdowns.ts'
import type { ValuesQuery } from './schema.ts'

type Value = { value: string; clicks: number; hostname?: string | null }

/** As many domains as a workspace has, and some that were deleted. */
const MAX_DOMAINS = 2_000

/**
 * Labels of a dimension for the picker of a filter: the ones that contain a text, in any case of letters, the most
 * clicked first. Domains are also found by their hosts.
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
  const having = `pair.1 = '${dimension}' and pair.2 != '' and positionCaseInsensitiveUTF8(pair.2, {q:String}) > 0`
  const { rows } = await ask(
    deps,
    principal,
    { name: `values ${dimension}`, query, signal },
    async (read, question) => {
      if (question.scope.isEmpty) return { rows: [] }
      const labels = labelsSql(question, { dimensions: [dimension], limit }, having)
      return {
        rows: await read<{ value: string; clicks: number }>({
          query: `select label as value, clicks from (${labels}) order by clicks desc, value`,
          params: { ...question.scope.params, q },
          isKept: true,
        }),
      }
    },
  )
  return rows
}
