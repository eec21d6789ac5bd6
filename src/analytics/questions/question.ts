import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { checkCurrency } from '../../platform/resources/currency.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toLabelConditions } from './filters.ts'
import { foldsOf, readFolds, type Folds } from './folds.ts'
import { hasImported, readImported } from '../answers/imported.ts'
import { toPeriods, type Period, type Periods } from './period.ts'
import type { LabelQuery, LinkQuery, PeriodQuery } from './query.ts'
import { INCOMPLETE, type Incomplete } from '../answers/schema.ts'
import type { ClickReader } from './reader.ts'
import { readScope, refuseForeignDomain, toLinkScope, toViewsScope, type Scope } from './scope.ts'
import type { SharedAnswers } from '../answers/shared-answers.ts'

export type QuestionDeps = Pick<
  Dependencies,
  'sql' | 'reads' | 'clickhouse' | 'clock' | 'plans'
> & {
  /** Time up to which all clicks are stored; Infinity for all that were received. */
  shippedThroughMs: () => Promise<number>
}

export type AnalyticsDeps = QuestionDeps & {
  /** The short URL of a slug; `hostname` is that of its domain, null for the shared host. */
  toShortUrl: (hostname: string | null, slug: string) => string
  reader: ClickReader
  answers: SharedAnswers
}

/** A query with its period, scope and filters resolved. */
export type Question = Periods & {
  scope: Scope
  /** Months whose clicks are known by day. */
  folds: Folds
  /** Clicks that links had in other services: part of totals alone. */
  imported: number
  /** Days of analytics in the plan; null: all. */
  keptDays: number | null
  includeBots: boolean
  timezone: string
  /** In lower case. */
  currency: string
  /** The workspace has some. */
  hasConversions: boolean
  /** All clicks before are stored. Read before they are counted. */
  asOfMs: number
}

export type QuestionQuery = PeriodQuery &
  LabelQuery &
  LinkQuery & {
    includeBots: boolean
    /** `usd` where an answer has no value. */
    currency?: string
  }

/** Subject that a path names: a link, a campaign, a domain or a bio page, or nothing but the workspace. */
export type Subject = {
  linkId?: string
  campaignId?: string
  domainId?: string
  bioPageId?: string
}

/** Reads the scope, the period and the moment of a question. */
export async function readQuestion(
  deps: QuestionDeps,
  principal: Principal,
  subject: Subject,
  query: QuestionQuery,
  signal?: AbortSignal,
): Promise<Question> {
  const nowMs = deps.clock()
  const asOfMs = Math.min(nowMs, await deps.shippedThroughMs())
  const { scope, workspace, folds, imported } = await readSubject(
    deps,
    principal,
    subject,
    query,
    signal,
  )
  const keptDays = deps.plans.find(workspace.plan)?.limits.analytics_retention_days ?? null
  const oldestMs = workspace.createdAt.getTime()
  const periods = toPeriods(nowMs, query, { oldestMs, keptDays })
  const { includeBots, timezone, currency = 'usd' } = query
  const { hasConversions } = workspace
  const asked = {
    includeBots,
    timezone,
    currency: checkCurrency(currency, 'currency'),
    hasConversions,
  }
  return { ...periods, ...asked, scope, folds, imported, keptDays, asOfMs }
}

type SubjectRows = {
  scope: Scope
  workspace: Workspace
  folds: Folds
  imported: number
}

/**
 * Links of a campaign, folder or tag may be many, and so may imported clicks, so they are read within the bounds of heavy
 * reads.
 */
async function readSubject(
  { sql, reads }: QuestionDeps,
  principal: Principal,
  subject: Subject,
  query: QuestionQuery,
  signal?: AbortSignal,
): Promise<SubjectRows> {
  const labels = toLabelConditions(query)
  const { campaignId = query.campaignId, domainId = query.domainId } = subject
  const { linkId, folderId, tag } = query
  const filters = {
    ...query,
    ...(campaignId !== undefined && { campaignId }),
    ...(domainId !== undefined && { domainId }),
  }
  const readOfSubject = async (tx: Tx) => {
    const { bioPageId, linkId: subjectId } = subject
    if (bioPageId === undefined && subjectId === undefined) return readScope(tx, principal, filters)
    await refuseForeignDomain(tx, principal, query)
    return subjectId === undefined
      ? toViewsScope(principal.workspaceId, bioPageId!, labels)
      : toLinkScope(principal.workspaceId, subjectId, labels)
  }
  const readAll = async (tx: Tx) => ({
    scope: await readOfSubject(tx),
    workspace: await readWorkspace(tx, principal),
    folds: await readFolds(tx),
    hasImported: await hasImported(tx, principal),
  })
  const isMany = [linkId, campaignId, folderId, tag].some((value) => value !== undefined)
  const found = await (isMany
    ? reads.read(principal, signal, readAll)
    : inWorkspace(sql, principal.workspaceId, readAll))
  if (!found.hasImported) return { ...found, imported: 0 }
  const imported = await reads.read(principal, signal, (tx) =>
    readImported(tx, principal, found.scope, filters),
  )
  return { ...found, imported }
}

type Workspace = { createdAt: Date; plan: string; hasConversions: boolean }

async function readWorkspace(tx: Tx, { workspaceId }: Principal): Promise<Workspace> {
  const [row] = await tx<Workspace[]>`
    select created_at, plan,
      exists (select from conversions where workspace_id = ${workspaceId}) as has_conversions
    from workspaces where id = ${workspaceId}`
  return row!
}

type Contents = {
  /** The answer has the visitors of labels. */
  hasLabelVisitors?: boolean
  /** A further period of the answer. */
  compared?: Period | undefined
  /** The currencies of the conversions of the period. */
  currencies?: readonly string[]
}

/** Fields of `meta` that every answer has. */
export function toMeta(question: Question, contents: Contents = {}) {
  const { current, timezone, asOfMs } = question
  const incomplete = toIncomplete(question, contents)
  return {
    period: toIsoPeriod(current),
    timezone,
    asOf: toIso(asOfMs),
    ...(contents.currencies && { currencies: [...contents.currencies] }),
    ...(incomplete.length > 0 && { incomplete }),
  }
}

/** Gaps in the answer for months of the period whose clicks were deleted. */
function toIncomplete(
  { folds, current, scope }: Question,
  { hasLabelVisitors = false, compared = current }: Contents,
): Incomplete[] {
  if (![current, compared].some((period) => foldsOf(folds, period).length > 0)) return []
  const isFiltered = scope.filtered.length > 0
  const reasons: Record<Incomplete, boolean> = {
    utc_days: true,
    filters: isFiltered,
    visitors: isFiltered || hasLabelVisitors,
  }
  return INCOMPLETE.filter((reason) => reasons[reason])
}

export function toIsoPeriod({ startMs, endMs }: Period): { start: string; end: string } {
  return { start: toIso(startMs), end: toIso(endMs) }
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
