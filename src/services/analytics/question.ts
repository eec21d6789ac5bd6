import type { Who } from '../../base/who.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import type { Dependencies } from '../dependencies.ts'
import { toLabelConditions } from './filters.ts'
import { toPeriods, type Period, type Periods } from './period.ts'
import type { LabelQuery, LinkQuery, PeriodQuery } from './query.ts'
import type { ClickReader } from './reader.ts'
import { readScope, toLinkScope, type Scope } from './scope.ts'
import type { SharedAnswers } from './shared-answers.ts'

export type QuestionDeps = Pick<Dependencies, 'sql' | 'reads' | 'clickhouse' | 'clock'> & {
  /** Time up to which all clicks are stored; Infinity for all that were received. */
  shippedThroughMs: () => Promise<number>
}

export type AnalyticsDeps = QuestionDeps & {
  /** The short URL of a slug on the default domain. */
  toShortUrl: (slug: string) => string
  reader: ClickReader
  answers: SharedAnswers
}

/** What a query asks about, worked out. */
export type Question = Periods & {
  scope: Scope
  includeBots: boolean
  timezone: string
  /** All clicks before are stored. Read before they are counted. */
  asOfMs: number
}

type QuestionQuery = PeriodQuery & LabelQuery & LinkQuery & { includeBots: boolean }

/** What a path names: a link or a campaign, or nothing but the workspace. */
export type Subject = { linkId?: string; campaignId?: string }

/** Reads the scope, the period and the moment of a question. */
export async function readQuestion(
  deps: QuestionDeps,
  who: Who,
  subject: Subject,
  query: QuestionQuery,
  signal?: AbortSignal,
): Promise<Question> {
  const nowMs = deps.clock()
  const asOfMs = Math.min(nowMs, await deps.shippedThroughMs())
  const { scope, createdAt } = await readSubject(deps, who, subject, query, signal)
  const periods = toPeriods(nowMs, query, { oldestMs: createdAt.getTime(), keptMs: -Infinity })
  const { includeBots, timezone } = query
  return { ...periods, scope, includeBots, timezone, asOfMs }
}

/** Links of a campaign, folder or tag may be many, so they are read within the bounds of heavy reads. */
async function readSubject(
  { sql, reads }: QuestionDeps,
  who: Who,
  subject: Subject,
  query: QuestionQuery,
  signal?: AbortSignal,
): Promise<{ scope: Scope; createdAt: Date }> {
  const labels = toLabelConditions(query)
  const { linkId, campaignId = subject.campaignId, folderId, tag } = query
  const filters = { ...query, ...(campaignId !== undefined && { campaignId }) }
  const readBoth = async (tx: Tx) => ({
    scope:
      subject.linkId === undefined
        ? await readScope(tx, who, filters)
        : toLinkScope(who.workspaceId, subject.linkId, labels),
    createdAt: await readCreatedAt(tx, who),
  })
  const isMany = [linkId, campaignId, folderId, tag].some((value) => value !== undefined)
  return isMany ? reads.read(who, signal, readBoth) : inWorkspace(sql, who.workspaceId, readBoth)
}

async function readCreatedAt(tx: Tx, { workspaceId }: Who): Promise<Date> {
  const [row] = await tx<{ createdAt: Date }[]>`
    select created_at from workspaces where id = ${workspaceId}`
  return row!.createdAt
}

/** Fields of `meta` that every answer has. */
export function toMeta({ current, timezone, asOfMs }: Question) {
  return { period: toIsoPeriod(current), timezone, asOf: toIso(asOfMs) }
}

export function toIsoPeriod({ startMs, endMs }: Period): { start: string; end: string } {
  return { start: toIso(startMs), end: toIso(endMs) }
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
