import { bindDeps } from '../../platform/core/functions.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  type AuditAction,
  type Changes,
  getChanges,
  isDifferent,
} from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { clearGroup } from '../group-clearing.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { matchesName, toNameOrder, countRows, pageMeta } from '../../platform/resources/lists.ts'
import { requireOwn } from '../../platform/resources/ownership.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import { NO_UTM } from '../labels.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import { checkFields } from './fields.ts'
import {
  columnsOf,
  countCampaigns,
  loadCampaign,
  noSuchCampaign,
  toCampaign,
  type CampaignRow,
  type Counts,
} from './row.ts'
import {
  SORT_KEYS,
  type Campaign,
  type CreateCampaign,
  type ListCampaigns,
  type UpdateCampaign,
} from './schema.ts'

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
const DERIVED = ['id', 'workspaceId', 'linkCount', 'clicks', 'createdAt', 'updatedAt'] as const

/**
 * The campaigns of a workspace:
 *
 *   draft ──▶ active ⇄ paused ──PATCH, or endsAt (completion.ts)──▶ completed ──▶ archived
 *
 * A PATCH may go from any status to any other. The first completion is published in its transaction;
 * a campaign that is completed again is not published again.
 * /
 */
export const createCampaigns = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, remove })

function find({ sql }: Deps, principal: Principal, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, principal, 'campaigns', params['id'], 'campaign')
}

async function get({ reads }: Deps, principal: Principal, id: string, signal?: AbortSignal) {
  return reads.read(principal, signal, async (tx) => {
    const [row, countOf] = await Promise.all([
      loadCampaign(tx, principal, id),
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
      workspace_id = ${workspaceId} and ${matchesName(tx, query.search)}
      ${query.status ? tx`and status = ${query.status}` : tx``}`
    const total = countRows(tx, tx`campaigns where ${where}`, isPart)
    const rows = await tx<CampaignRow[]>`
      select ${columnsOf(tx)} from campaigns where ${where}
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
    await record(deps, tx, principal, 'campaign.created', campaign, changes)
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
    const before = await loadCampaign(tx, principal, id, tx`for update`)
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
    await record(deps, tx, principal, 'campaign.updated', campaign, changes)
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
      returning ${columnsOf(tx)}`
    if (!row) throw noSuchCampaign()
    await clearGroup(deps.jobs, tx, principal, { kind: 'campaign', id })
    const campaign = toCampaign(row, NO_LINKS)
    const changes = { name: { old: row.name, new: null } }
    await record(deps, tx, principal, 'campaign.deleted', campaign, changes)
  })
}

async function record(
  { audit }: Deps,
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  { id, name }: Campaign,
  changes: Changes,
): Promise<void> {
  await audit(tx, principal, { action, target: { type: 'campaign', id, name }, changes })
}

async function publishCompleted({ publish }: Pick<Deps, 'publish'>, tx: Tx, campaign: Campaign) {
  const { workspaceId } = campaign
  await publish(tx, { type: 'campaign.completed', workspaceId, data: campaign })
}
