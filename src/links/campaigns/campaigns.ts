import { bindDeps } from '../../platform/core/functions.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inTransaction, inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { getChanges, isDifferent } from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { clearGroup } from '../group-clearing.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { countRows, matchesName, pageMeta, toNameOrder } from '../../platform/resources/lists.ts'
import { noSuch, ownTable } from '../../platform/resources/ownership.ts'
import { clampLimit, toDate, toIsoTimes } from '../../platform/resources/shapes.ts'
import { checkTags, NO_UTM, toUtmColumns, type Utm } from '../labels.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import {
  NAME_MAX_CHARS,
  SORT_KEYS,
  type Campaign,
  type CreateCampaign,
  type ListCampaigns,
  type Status,
  type UpdateCampaign,
} from './schema.ts'
import { invalid } from '../../platform/core/errors.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { systemActing } from '../../platform/audit/acting.ts'

type Deps = Pick<
  Dependencies,
  'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'publish' | 'saveIdempotentResponse'
> & {
  jobs: Pick<Jobs, 'enqueue'>
}

export type Campaigns = ReturnType<typeof createCampaigns>

const NO_LINKS: Counts = { linkCount: 0, clicks: 0 }
const NO_VALUES = {
  description: null,
  status: 'active' as const,
  startsAt: null,
  endsAt: null,
  goal: null,
  ...NO_UTM,
  tags: null,
  completedAt: null,
}
const UNSET: Partial<Campaign> = { ...NO_VALUES, tags: [] }
const COLUMNS = `id, workspace_id, name, description, status, starts_at, ends_at, goal, utm_source,
  utm_medium, utm_campaign, utm_term, utm_content, tags, completed_at, is_completion_published,
  created_at, updated_at`
const DERIVED = ['id', 'workspaceId', 'linkCount', 'clicks', 'createdAt', 'updatedAt'] as const

const { find, load } = ownTable<CampaignRow>('campaigns', 'campaign', COLUMNS)

/**
 * The campaigns of a workspace:
 *
 *   draft ──▶ active ⇄ paused ──PATCH, or endsAt (completion.ts)──▶ completed ──▶ archived
 *
 * A PATCH may go from any status to any other. The first completion is published in its transaction;
 * a campaign that is completed again is not published again.
 */
export const createCampaigns = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, remove })

async function get({ reads }: Deps, principal: Principal, id: string, signal?: AbortSignal) {
  return reads.read(principal, signal, async (tx) => {
    const [row, countOf] = await Promise.all([
      load(tx, principal, id),
      countCampaigns(tx, principal.workspaceId, [id]),
    ])
    return toCampaign(row, countOf(id))
  })
}

async function list(
  { reads }: Deps,
  principal: Principal,
  query: ListCampaigns,
  signal?: AbortSignal,
) {
  const { workspaceId } = principal
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const isPart = Boolean(query.search || query.status)
  const [campaigns, counted] = await reads.read(principal, signal, async (tx) => {
    const where = tx`
      workspace_id = ${workspaceId} and ${matchesName(tx, query.search) ?? tx`true`}
      ${query.status ? tx`and status = ${query.status}` : tx``}`
    const total = countRows(tx, tx`campaigns where ${where}`, isPart)
    const rows = await tx<CampaignRow[]>`
      select ${tx.unsafe(COLUMNS)} from campaigns where ${where}
      order by ${toNameOrder(tx, SORT_KEYS, query)} limit ${slice.limit} offset ${slice.offset}`
    const countOf = await countCampaigns(
      tx,
      workspaceId,
      rows.map(({ id }) => id),
    )
    return [rows.map((row) => toCampaign(row, countOf(row.id))), await total] as const
  })
  return page(campaigns, pageMeta(counted, isPart, slice))
}

async function create(deps: Deps, principal: Principal, input: CreateCampaign): Promise<Campaign> {
  const nowMs = deps.clock()
  const now = new Date(nowMs)
  const { workspaceId } = principal
  const columns = checkFields({ status: 'active', ...input }, null, now)
  const row = {
    id: newId('cmp', nowMs),
    workspaceId,
    ...NO_VALUES,
    ...columns,
    isCompletionPublished: columns.status === 'completed',
    createdAt: now,
    updatedAt: now,
  } as CampaignRow
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.limit(tx, workspaceId, 'campaigns')
    await tx`insert into campaigns ${tx({ ...row, workspaceId } as never)}`
    const campaign = toCampaign(row, NO_LINKS)
    const changes = getChanges(UNSET as Campaign, campaign, DERIVED)
    await deps.audit(tx, principal, {
      action: 'campaign.created',
      target: toTarget(campaign),
      changes,
    })
    if (row.isCompletionPublished) await publishCompleted(deps, tx, campaign)
    return deps.saveIdempotentResponse(tx, principal, campaign)
  })
}

async function update(deps: Deps, principal: Principal, id: string, input: UpdateCampaign) {
  const { workspaceId } = principal
  // Read within the bounds of heavy reads and before any write, since the cost grows with the campaign.
  const countOf = await deps.reads.read(principal, undefined, (tx) =>
    countCampaigns(tx, workspaceId, [id]),
  )
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const before = await load(tx, principal, id, 'for update')
    const campaignBefore = toCampaign(before, countOf(id))
    requireMatch(principal, campaignBefore)
    const now = changeTime(deps.clock(), before)
    const columns = checkFields(input, before, now)
    if (!isDifferent(before, columns)) return campaignBefore
    const isPublished = before.isCompletionPublished
    const after: CampaignRow = {
      ...before,
      ...columns,
      isCompletionPublished: isPublished || columns.status === 'completed',
      updatedAt: now,
    }
    const { isCompletionPublished } = after
    await tx`
      update campaigns set ${tx({ ...columns, isCompletionPublished, updatedAt: now } as never)}
      where id = ${id} and workspace_id = ${workspaceId}`
    const campaign = toCampaign(after, countOf(id))
    const changes = getChanges(campaignBefore, campaign, DERIVED)
    await deps.audit(tx, principal, {
      action: 'campaign.updated',
      target: toTarget(campaign),
      changes,
    })
    if (isCompletionPublished && !isPublished) await publishCompleted(deps, tx, campaign)
    return campaign
  })
}

async function remove(deps: Deps, principal: Principal, id: string): Promise<void> {
  const { workspaceId } = principal
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.limit(tx, workspaceId, 'campaigns', -1)
    const [row] = await tx<CampaignRow[]>`
      delete from campaigns where id = ${id} and workspace_id = ${workspaceId}
      returning ${tx.unsafe(COLUMNS)}`
    if (!row) throw noSuch('campaign')
    await clearGroup(deps.jobs, tx, principal, { kind: 'campaign', id })
    const campaign = toCampaign(row, NO_LINKS)
    const changes = { name: { old: row.name, new: null } }
    await deps.audit(tx, principal, {
      action: 'campaign.deleted',
      target: toTarget(campaign),
      changes,
    })
  })
}

async function publishCompleted({ publish }: Pick<Deps, 'publish'>, tx: Tx, campaign: Campaign) {
  const { workspaceId } = campaign
  await publish(tx, { type: 'campaign.completed', workspaceId, data: campaign })
}

export type CampaignRow = Utm & {
  id: string
  workspaceId: string
  name: string
  description: string | null
  status: Status
  startsAt: Date | null
  endsAt: Date | null
  goal: Campaign['goal']
  tags: string[] | null
  completedAt: Date | null
  /** `campaign.completed` is published once per campaign. */
  isCompletionPublished: boolean
  createdAt: Date
  updatedAt: Date
}

export type Counts = { linkCount: number; clicks: number }

function toCampaign(row: CampaignRow, { linkCount, clicks }: Counts): Campaign {
  const { isCompletionPublished: _published, completedAt, createdAt, updatedAt, ...columns } = row
  const times = { completedAt, createdAt, updatedAt }
  return toIsoTimes({ ...columns, tags: row.tags ?? [], linkCount, clicks, ...times })
}

async function countCampaigns(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<(id: string) => Counts> {
  const rows =
    ids.length === 0
      ? []
      : await tx<(Counts & { id: string })[]>`
          select l.campaign_id as id, count(*) as link_count,
            coalesce(sum(c.clicks), 0)::bigint as clicks
          from links l left join link_clicks c on c.link_id = l.id
          where l.workspace_id = ${workspaceId} and l.campaign_id = any(${[...ids]}::text[])
          group by 1`
  const counts = new Map(rows.map((row) => [row.id, row]))
  return (id) => counts.get(id) ?? { linkCount: 0, clicks: 0 }
}

type Before = Pick<CampaignRow, 'status' | 'startsAt' | 'endsAt' | 'completedAt'>

const NEW: Before = { status: 'draft', startsAt: null, endsAt: null, completedAt: null }

function checkFields(input: UpdateCampaign, before: Before | null, now: Date) {
  const { name, description, tags, goal } = input
  const columns: Partial<CampaignRow> = {
    ...(name !== undefined && { name: checkName(name, 'name', NAME_MAX_CHARS) }),
    ...(description !== undefined && { description: description?.trim() || null }),
    ...(tags !== undefined && { tags: checkTags(tags) }),
    ...(goal !== undefined && { goal: goal && { metric: goal.metric, target: goal.target } }),
    ...(input.startsAt !== undefined && { startsAt: toDateOrNull(input.startsAt, 'startsAt') }),
    ...(input.endsAt !== undefined && { endsAt: toDateOrNull(input.endsAt, 'endsAt') }),
    ...(input.status !== undefined && { status: input.status }),
    ...toUtmColumns(input),
  }
  const { startsAt, endsAt } = { ...(before ?? NEW), ...columns }
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalid('endsAt', 'endsAt must be after startsAt.')
  return { ...columns, ...toCompletion(columns, before ?? NEW, now) }
}

function isRunning(status: Status): boolean {
  return status === 'active' || status === 'paused'
}

/** A campaign that starts to run, or gets another end, must end in the future: the sweep would complete it at once. */
function toCompletion(columns: Partial<CampaignRow>, before: Before, now: Date) {
  const { status, endsAt } = { ...before, ...columns }
  const isOther = endsAt?.getTime() !== before.endsAt?.getTime()
  if (isRunning(status) && (isOther || !isRunning(before.status)) && endsAt && endsAt <= now)
    throw invalid(
      'endsAt',
      `endsAt must be in the future for a campaign with the status ${status}; set a later time or null, or the status completed.`,
      'past',
    )
  if (status === 'archived') return {}
  if (status !== 'completed') return { completedAt: null }
  return before.completedAt === null ? { completedAt: now } : {}
}

function toDateOrNull(value: string | null, path: string): Date | null {
  return value === null ? null : toDate(value, path)
}

type CompletionDeps = Pick<Dependencies, 'systemSql' | 'clock' | 'audit' | 'publish'>

const ACTOR = 'campaign-end'

/**
 * Completes campaigns whose `endsAt` has passed, each in one transaction under the lock of its row. Other processes
 * skip it, and after a crash the next one finds it.
 */
export async function completeCampaigns(deps: CompletionDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    if (!(await inTransaction(deps.systemSql, (tx) => completeNext(deps, tx)))) return
}

async function completeNext({ clock, audit, publish }: CompletionDeps, tx: Tx): Promise<boolean> {
  const now = new Date(clock())
  const [before] = await tx<CampaignRow[]>`
    select ${tx.unsafe(COLUMNS)} from campaigns
    where status in ('active', 'paused') and ends_at <= ${now}
    order by ends_at limit 1 for update skip locked`
  if (!before) return false
  const { id, name, workspaceId, isCompletionPublished } = before
  const updatedAt = changeTime(now.getTime(), before)
  await tx`
    update campaigns
    set status = 'completed', completed_at = ${now}, is_completion_published = true,
      updated_at = ${updatedAt}
    where id = ${id} and workspace_id = ${workspaceId}`
  const countOf = await countCampaigns(tx, workspaceId, [id])
  const after = { ...before, status: 'completed', completedAt: now, updatedAt } as const
  const campaign = toCampaign(after, countOf(id))
  await audit(tx, systemActing(workspaceId, ACTOR), {
    action: 'campaign.completed',
    target: { type: 'campaign', id, name },
    changes: {
      status: { old: before.status, new: 'completed' },
      completedAt: { old: null, new: campaign.completedAt },
    },
  })
  if (!isCompletionPublished)
    await publish(tx, { type: 'campaign.completed', workspaceId, data: campaign })
  return true
}

function toTarget({ id, name }: { id: string; name: string }) {
  return { type: 'campaign', id, name }
}
