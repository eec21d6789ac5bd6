import { invalid } from '../../platform/core/errors.ts'
import { itIs } from '../../platform/routes/refused-value.ts'
import { beforePeriod, toPeriods, type Period } from './period.ts'
import type { PeriodQuery } from './query.ts'
import type { Question } from './question.ts'

/**
 * The question over the period that `compare` names: `previous`, `year` (the same dates a year before), or
 * `start,end` as the query has them.
 * @throws ApiError VALIDATION_ERROR for anything else
 */
export function toComparison(
  question: Question,
  compare: string,
  query: PeriodQuery,
  nowMs: number,
): Question {
  const current = toComparedPeriod(question, compare, query, nowMs)
  return { ...question, current, previous: beforePeriod(current, question.zone) }
}

function toComparedPeriod(
  { current, previous, zone, keptDays }: Question,
  compare: string,
  { timezone }: PeriodQuery,
  nowMs: number,
): Period {
  if (compare === 'previous') return previous
  if (compare === 'year') {
    const yearBefore = (ms: number) => {
      const date = new Date(zone.toLocal(ms))
      date.setUTCFullYear(date.getUTCFullYear() - 1)
      return zone.fromLocal(date.getTime())
    }
    return { startMs: yearBefore(current.startMs), endMs: yearBefore(current.endMs) }
  }
  const [start, end, ...rest] = compare.split(',')
  if (!start || !end || rest.length > 0)
    throw invalid(
      'compare',
      `compare must be previous, year, or a start and an end such as 2026-01-01,2026-01-31${itIs('compare', compare)}.`,
    )
  try {
    const bounds = { oldestMs: nowMs, keptDays }
    return toPeriods(nowMs, { days: 1, timezone, start, end }, bounds).current
  } catch (error) {
    throw invalid('compare', (error as Error).message)
  }
}
