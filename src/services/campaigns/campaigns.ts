import { bindDeps } from '../../base/bind-deps.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import type { AuditAction, Changes } from '../audit.ts'
import { getChanges, isDifferent } from '../changes.ts'
import type { Dependencies } from '../dependencies.ts'
import { clearGroup } from '../group-clearing.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { matchesName, toNameOrder } from '../name-lists.ts'
import { requireOwn } from '../own.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { NO_UTM } from '../utm.ts'
import { changeTime, requireMatch } from '../versions.ts'
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
  'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'publish' | 'keepAnswer'
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
/** Fields that are no values of a client. */
const DERIVED = ['id', 'workspaceId', 'linkCount', 'clicks', 'createdAt', 'updatedAt'] as const

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

function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'campaigns', params['id'], 'campaign')
}

async function get({ reads }: Deps, who: Who, id: string, signal?: AbortSignal): Promise<Campaign> {
  return reads.read(who, signal, async (tx) => {
    const [row, countOf] = await Promise.all([
      loadCampaign(tx, who, id),
      countCampaigns(tx, who.workspaceId, [id]),
    ])
    return toCampaign(row, countOf(id))
  })
}

async function list({ reads }: Deps, who: Who, query: ListCampaigns, signal?: AbortSignal) {
  const { workspaceId } = who
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const isPart = Boolean(query.search || query.status)
  const [campaigns, counted] = await reads.read(who, signal, async (tx) => {
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

async function create(deps: Deps, who: Who, input: CreateCampaign): Promise<Campaign> {
  const nowMs = deps.clock()
  const now = new Date(nowMs)
  const { workspaceId } = who
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
    await record(deps, tx, who, 'campaign.created', campaign, changes)
    if (row.isCompletionPublished) await publishCompleted(deps, tx, campaign)
    return deps.keepAnswer(tx, who, campaign)
  })
}

async function update(deps: Deps, who: Who, id: string, input: UpdateCampaign): Promise<Campaign> {
  const { workspaceId } = who
  // Within the bounds of reads, and before anything is written: its cost grows with the campaign.
  const countOf = await deps.reads.read(who, undefined, (tx) =>
    countCampaigns(tx, workspaceId, [id]),
  )
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const before = await loadCampaign(tx, who, id, tx`for update`)
    const campaignBefore = toCampaign(before, countOf(id))
    requireMatch(who, campaignBefore)
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
    await record(deps, tx, who, 'campaign.updated', campaign, changes)
    if (isCompletionPublished && !isPublished) await publishCompleted(deps, tx, campaign)
    return campaign
  })
}

/** Deletes a campaign. Its links stay and keep the UTM values that they took over. */
async function remove(deps: Deps, who: Who, id: string): Promise<void> {
  const { workspaceId } = who
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.limit(tx, workspaceId, 'campaigns', -1)
    const [row] = await tx<CampaignRow[]>`
      delete from campaigns where id = ${id} and workspace_id = ${workspaceId}
      returning ${columnsOf(tx)}`
    if (!row) throw noSuchCampaign()
    await clearGroup(deps.jobs, tx, who, { kind: 'campaign', id })
    const campaign = toCampaign(row, NO_LINKS)
    const changes = { name: { old: row.name, new: null } }
    await record(deps, tx, who, 'campaign.deleted', campaign, changes)
  })
}

async function record(
  { audit }: Deps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  { id, name }: Campaign,
  changes: Changes,
): Promise<void> {
  await audit(tx, who, { action, target: { type: 'campaign', id, name }, changes })
}

async function publishCompleted(
  { publish }: Pick<Deps, 'publish'>,
  tx: Tx,
  campaign: Campaign,
): Promise<void> {
  const { workspaceId } = campaign
  await publish(tx, { type: 'campaign.completed', workspaceId, data: campaign })
}
