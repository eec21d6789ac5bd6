import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Fragment, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { DAY_MS } from '../../platform/core/clock.ts'
import { checkCurrency } from '../../platform/resources/field-checks.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { toLabelConditions } from './filters.ts'
import { foldsOf, readFolds, type Folds } from './folds.ts'
import { toPeriods, type Period, type Periods } from './period.ts'
import type { LabelQuery, LinkQuery, PeriodQuery } from './query.ts'
import { INCOMPLETE, type Incomplete } from '../answers/schema.ts'
import { readScope, refuseForeignDomain, toLinksScope, toViewsScope, type Scope } from './scope.ts'

export type QuestionDeps = Pick<
  Dependencies,
  'sql' | 'reads' | 'clickhouse' | 'clock' | 'plans'
> & {
  /** Time up to which all clicks are stored; Infinity for all that were received. */
  shippedThroughMs: () => Promise<number>
}

/** A query with its period, scope and filters resolved. */
export type Question = Periods & {
  scope: Scope
  /** Months whose clicks are known by day. */
  folds: Folds
  /** Clicks that links had in other services: part of totals, and beside the clicks of series. */
  imported: number
  /** Days of analytics in the plan; null: all. */
  keptDays: number | null
  includeBots: boolean
  timezone: string
  currency: string
  /** Whether the workspace has any conversions. */
  hasConversions: boolean
  /** All clicks before this time are stored. It is read before they are counted. */
  asOfMs: number
}

export type QuestionQuery = PeriodQuery &
  LabelQuery &
  LinkQuery & {
    includeBots: boolean
    /** `usd` where an answer has no value. */
    currency?: string
  }

/** What a path names: a link, a campaign, a domain, a bio page, or nothing: the whole workspace. */
export type Subject = {
  linkId?: string
  campaignId?: string
  domainId?: string
  bioPageId?: string
}

/** Resolves a query: its scope, its periods, and the time up to which the answer is complete. */
export async function readQuestion(
  deps: QuestionDeps,
  principal: Principal,
  subject: Subject,
  query: QuestionQuery,
  signal?: AbortSignal,
): Promise<Question> {
  const nowMs = deps.clock()
  const asOfMs = Math.min(nowMs, await deps.shippedThroughMs())
  const { workspace, ...found } = await readSubject(deps, principal, subject, query, signal)
  const keptDays = deps.plans.find(workspace.plan)?.limits.analytics_retention_days ?? null
  const { includeBots, timezone, currency = 'usd' } = query
  return {
    ...toPeriods(nowMs, query, { oldestMs: toOldest(workspace, found.imported), keptDays }),
    ...found,
    keptDays,
    includeBots,
    timezone,
    currency: checkCurrency(currency, 'currency'),
    hasConversions: workspace.hasConversions,
    asOfMs,
  }
}

async function readSubject(
  { sql, reads }: QuestionDeps,
  principal: Principal,
  subject: Subject,
  query: QuestionQuery,
  signal?: AbortSignal,
) {
  const { workspaceId } = principal
  const { campaignId = query.campaignId, domainId = query.domainId } = subject
  const filters = {
    ...query,
    ...(campaignId !== undefined && { campaignId }),
    ...(domainId !== undefined && { domainId }),
  }
  const labels = toLabelConditions(filters)
  const readOwnScope = async (tx: Tx) => {
    const { bioPageId, linkId } = subject
    if (bioPageId === undefined && linkId === undefined)
      return readScope(tx, principal, filters, labels)
    await refuseForeignDomain(tx, principal, query)
    return linkId === undefined
      ? toViewsScope(workspaceId, bioPageId!, labels)
      : toLinksScope(workspaceId, [linkId], labels)
  }
  const readAll = async (tx: Tx) => ({
    scope: await readOwnScope(tx),
    workspace: await readWorkspace(tx, principal),
    folds: await readFolds(tx),
  })
  // Many links, and many imported clicks, are read within the bounds of heavy reads.
  const hasMany = [query.linkId, campaignId, query.folderId, query.tag].some(Boolean)
  const found = await (hasMany
    ? reads.read(principal, signal, readAll)
    : inWorkspace(sql, workspaceId, readAll))
  const { scope, workspace } = found
  // An imported file has one number per link: it is part of totals, unless days or labels are filtered.
  const isCounted = workspace.hasImported && !scope.isEmpty && scope.filtered.length === 0
  const imported = isCounted
    ? await reads.read(principal, signal, (tx) => readImported(tx, principal, scope))
    : 0
  return { ...found, imported }
}

type Workspace = {
  createdAt: Date
  plan: string
  hasConversions: boolean
  hasImported: boolean
  /** A UTC day. */
  firstImported: string | null
}

/** `interval=all` begins with the workspace, or with the first imported day of an answer that has any. */
function toOldest({ createdAt, firstImported }: Workspace, imported: number): number {
  const createdAtMs = createdAt.getTime()
  if (firstImported === null || imported === 0) return createdAtMs
  return Math.min(createdAtMs, Date.parse(firstImported))
}

async function readWorkspace(tx: Tx, { workspaceId }: Principal): Promise<Workspace> {
  const [row] = await tx<[Workspace]>`
    select created_at, plan,
      exists (select from conversions where workspace_id = ${workspaceId}) as has_conversions,
      exists (
        select from imported_clicks
        where workspace_id = ${workspaceId} and dimension is null and replaced_by is null
      ) as has_imported,
      (select min(day)::text from imported_clicks
        where workspace_id = ${workspaceId} and dimension is null and replaced_by is null
      ) as first_imported
    from workspaces where id = ${workspaceId}`
  return row
}

/** The clicks that the links of a scope had in other services (src/links/imports). */
async function readImported(tx: Tx, { workspaceId }: Principal, scope: Scope): Promise<number> {
  const [row] = await tx<[{ clicks: number }]>`
    select least(coalesce(sum(clicks), 0), ${Number.MAX_SAFE_INTEGER})::bigint as clicks
    from imported_clicks
    where workspace_id = ${workspaceId} and dimension is null and replaced_by is null ${inSets(tx, scope)}`
  return row.clicks
}

function inSets(tx: Tx, { linkSets }: Scope): Fragment {
  return linkSets.reduce<Fragment>(
    (others, { ids, isExcluded }) =>
      isExcluded
        ? tx`${others} and link_id <> all(${[...ids]}::text[])`
        : tx`${others} and link_id = any(${[...ids]}::text[])`,
    tx``,
  )
}

/** Imported clicks of each UTC day of a period, in order, at the noon of the day. */
export async function readImportedDays(
  { reads }: Pick<QuestionDeps, 'reads'>,
  principal: Principal,
  { imported, scope }: Question,
  { startMs, endMs }: Period,
  signal?: AbortSignal,
): Promise<readonly ImportedDay[]> {
  if (imported === 0) return []
  const rows = await reads.read(
    principal,
    signal,
    (tx) => tx<{ day: string; clicks: number }[]>`
      select day::text, least(sum(clicks), ${Number.MAX_SAFE_INTEGER})::bigint as clicks
      from imported_clicks
      where workspace_id = ${principal.workspaceId} and dimension is null and replaced_by is null
        and day between ${toDay(startMs)}::date and ${toDay(endMs)}::date ${inSets(tx, scope)}
      group by day order by day`,
  )
  return rows.map(({ day, clicks }) => ({ atMs: Date.parse(day) + DAY_MS / 2, clicks }))
}

export type ImportedDay = { atMs: number; clicks: number }

function toDay(ms: number): string {
  return toIso(ms).slice(0, 'yyyy-mm-dd'.length)
}

type Contents = {
  /** The answer has the visitors of labels. */
  hasLabelVisitors?: boolean
  /** A further period of the answer. */
  compared?: Period | undefined
  /** The currencies of the conversions of the period. */
  currencies?: readonly string[]
}

/** The fields of `meta` that every answer has. */
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
