import { ApiError } from '../../platform/core/errors.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import type { Utm } from '../labels.ts'
import type { Campaign, Status } from './schema.ts'

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

export function toCampaign(row: CampaignRow, { linkCount, clicks }: Counts): Campaign {
  const { isCompletionPublished: _published, completedAt, createdAt, updatedAt, ...columns } = row
  const times = { completedAt, createdAt, updatedAt }
  return toIsoTimes({ ...columns, tags: row.tags ?? [], linkCount, clicks, ...times })
}

export function columnsOf(tx: Tx) {
  return tx`id, workspace_id, name, description, status, starts_at, ends_at, goal, utm_source,
    utm_medium, utm_campaign, utm_term, utm_content, tags, completed_at, is_completion_published,
    created_at, updated_at`
}

export async function loadCampaign(
  tx: Tx,
  { workspaceId }: { workspaceId: string },
  id: string,
  locking?: Fragment,
): Promise<CampaignRow> {
  const [row] = await tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns
    where id = ${id} and workspace_id = ${workspaceId} ${locking ?? tx``}`
  if (!row) throw noSuchCampaign()
  return row
}

export function noSuchCampaign(): ApiError {
  return new ApiError('NOT_FOUND', 'This campaign does not exist.')
}

export async function countCampaigns(
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
