import type { Principal } from '../../platform/routes/principal.ts'
import { count } from '../questions/counting.ts'
import type { BreakdownName } from '../questions/dimensions.ts'
import type { Period } from '../questions/period.ts'
import type { AnalyticsDeps } from '../questions/ask.ts'
import { readQuestion, type QuestionQuery } from '../questions/question.ts'
import { tallySql } from '../questions/tally.ts'
import { countAll, toEarned } from './conversions.ts'
import { changePercent } from './overview.ts'
import { summary } from './summary.ts'

type Query = Omit<QuestionQuery, 'includeBots'>
type LinkVisits = { clicks: number; visitors: number }
export type GroupNumbers = LinkVisits & { conversions: number; value: number }
export type Metric = {
  metric: string
  value: number
  previous: number
  changePercent: number
  hasEarlierPeriod: boolean
}
export type Overview = {
  period: Period
  metrics: Metric[]
  /** Clicks of each bucket of the period, with its start as an ISO timestamp. */
  series: { start: string; clicks: number }[]
}

export type ReportNumbers = ReturnType<typeof createReportNumbers>

const NONE: LinkVisits = { clicks: 0, visitors: 0 }

export function createReportNumbers(deps: AnalyticsDeps) {
  /**
   * Resolves the period once, so that all links of a report are counted in the same one.
   * @returns counts links by their ids
   */
  async function openLinkVisits(principal: Principal, query: Query) {
    const question = await readQuestion(deps, principal, {}, { ...query, includeBots: false })
    const { isApproximate } = await deps.reader.run(principal, undefined, (read) =>
      count(read, question, {}),
    )
    const visitors = isApproximate ? 'estimated' : 'exact'
    const bounds = [question.current.startMs, question.current.endMs]

    return async (ids: readonly string[]): Promise<(id: string) => LinkVisits> => {
      if (ids.length === 0) return () => NONE
      const rows = await deps.reader.run(principal, undefined, (read) =>
        read<LinkVisits & { label: string }>({
          query: tallySql(question, { by: 'link', bounds, visitors, linkIds: ids }),
          params: question.scope.params,
        }),
      )
      const byId = new Map(rows.map((row) => [row.label, row]))
      return (id) => byId.get(id) ?? NONE
    }
  }

  async function countGroup(principal: Principal, query: Query): Promise<GroupNumbers> {
    const question = await readQuestion(deps, principal, {}, { ...query, includeBots: false })
    return deps.reader.run(principal, undefined, async (read) => {
      const { counted, earned } = await countAll(read, question, {})
      const { clicks, visitors } = counted.current
      return { clicks, visitors, ...toEarned(earned) }
    })
  }

  /** @param dimensions adds the clicks of the most clicked labels of these */
  async function readOverview(
    principal: Principal,
    query: Query,
    dimensions: readonly BreakdownName[] = [],
  ): Promise<Overview> {
    const own = { ...query, includeBots: false, compare: 'previous' }
    const { data, meta } = await summary(deps, principal, own)
    const { totals, breakdowns, series } = data
    const before = data.comparison!
    const names = ['clicks', 'uniqueVisitors', 'botClicks', 'conversions', 'value'] as const
    return {
      period: { startMs: Date.parse(meta.period.start), endMs: Date.parse(meta.period.end) },
      metrics: [
        ...names.map((name) => toMetric(name, totals[name], before[name])),
        ...dimensions.flatMap((name) =>
          breakdowns[name].map(({ label, clicks, comparedClicks }) =>
            toMetric(`clicks.${name}.${label}`, clicks, comparedClicks ?? 0),
          ),
        ),
      ],
      series,
    }
  }

  /** The period of a query within what the plan of the workspace keeps. */
  async function readPeriod(principal: Principal, query: Query): Promise<Period> {
    return (await readQuestion(deps, principal, {}, { ...query, includeBots: false })).current
  }

  return { openLinkVisits, countGroup, readOverview, readPeriod }
}

function toMetric(metric: string, value: number, previous: number): Metric {
  return {
    metric,
    value,
    previous,
    changePercent: changePercent(value, previous),
    hasEarlierPeriod: previous !== 0,
  }
}
