import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { changeTime } from '../../platform/resources/versions.ts'
import { columnsOf, countCampaigns, toCampaign, type CampaignRow } from './row.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'audit' | 'publish'>

const ACTOR = 'campaign-end'

/**
 * Completes campaigns whose `endsAt` has passed, each in one transaction under the lock of its row. Other processes
 * skip it, and after a crash the next one finds it.
 * /
 */
export async function completeCampaigns(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    if (!(await inTransaction(deps.systemSql, (tx) => completeNext(deps, tx)))) return
}

async function completeNext({ clock, audit, publish }: Deps, tx: Tx): Promise<boolean> {
  const now = new Date(clock())
  const [before] = await tx<CampaignRow[]>`
    select ${columnsOf(tx)} from campaigns
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
