import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Publish } from '../../delivery/outbox.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { systemActing } from '../acting.ts'
import type { Audit } from '../audit.ts'
import { getChanges } from '../changes.ts'
import { announceCredentials } from '../credential-changes.ts'
import { lockWorkspace } from '../membership.ts'
import type { Plans } from '../plans.ts'
import { isoOrNull } from '../shapes.ts'
import type { SubscriptionStatus } from './schema.ts'

type Deps = { clock: Clock; audit: Audit; publish: Publish }

/** Changed fields of a subscription. */
export type SubscriptionChange = {
  plan?: string
  status?: SubscriptionStatus
  currentPeriodStart?: Date | null
  currentPeriodEnd?: Date | null
  cancelAtPeriodEnd?: boolean
}

/** The provider's fields are null without a billing provider. */
export type SubscriptionRow = Required<SubscriptionChange> & {
  provider: string | null
  customerId: string | null
  subscriptionId: string | null
  subscribedAt: Date | null
}

export type SetPlan = ReturnType<typeof createSetPlan>

/**
 * Changes plan and subscription of a workspace: the only place that does. A plan below the current use
 * removes nothing; `limit` refuses more. Without a difference nothing is written, audited or published.
 * @throws ApiError NOT_FOUND for a deleted workspace
 */
export function createSetPlan({ clock, audit, publish }: Deps) {
  return async (tx: Tx, who: Who, change: SubscriptionChange): Promise<void> => {
    const { workspaceId } = who
    await lockWorkspace(tx, workspaceId)
    const before = await loadSubscription(tx, workspaceId)
    const after = { ...before, ...change }
    const changes = getChanges(before, change)
    if (Object.keys(changes).length === 0) return
    const now = new Date(clock())
    await tx`
      update workspaces set plan = ${after.plan}, updated_at = ${now}
      where id = ${workspaceId} and plan <> ${after.plan}`
    await tx`
      insert into subscriptions (workspace_id, status, current_period_start, current_period_end,
        cancel_at_period_end, updated_at)
      values (${workspaceId}, ${after.status}, ${after.currentPeriodStart},
        ${after.currentPeriodEnd}, ${after.cancelAtPeriodEnd}, ${now})
      on conflict (workspace_id) do update set status = excluded.status,
        current_period_start = excluded.current_period_start,
        current_period_end = excluded.current_period_end,
        cancel_at_period_end = excluded.cancel_at_period_end, updated_at = excluded.updated_at`
    await audit(tx, who, {
      action: 'plan' in changes ? 'billing.plan_changed' : 'billing.subscription_updated',
      target: { type: 'subscription', id: workspaceId, name: after.plan },
      changes,
    })
    await publish(tx, {
      type: 'billing.subscription.updated',
      workspaceId,
      data: {
        plan: after.plan,
        previousPlan: before.plan,
        status: after.status,
        currentPeriodEnd: isoOrNull(after.currentPeriodEnd),
      },
    })
    await announceCredentials(tx, `workspace:${workspaceId}`)
  }
}

/** A workspace whose plan never changed has no row: its subscription is active and has no end. */
export async function loadSubscription(tx: Tx, workspaceId: string): Promise<SubscriptionRow> {
  const [row] = await tx<SubscriptionRow[]>`
    select w.plan, coalesce(s.status, 'active') as status, s.current_period_start,
      s.current_period_end, coalesce(s.cancel_at_period_end, false) as cancel_at_period_end,
      s.provider, s.customer_id, s.subscription_id, s.subscribed_at
    from workspaces w left join subscriptions s on s.workspace_id = w.id
    where w.id = ${workspaceId}`
  return row!
}

/**
 * The operator's command that sets the plan of a workspace. It does not change a subscription at a
 * billing provider, whose next event sets the plan again.
 * @throws OperatorError for a workspace or plan that does not exist
 */
export function createSetWorkspacePlan(deps: {
  systemSql: SystemSql
  plans: Plans
  setPlan: SetPlan
}) {
  const { systemSql, plans, setPlan } = deps
  return async ({ workspace, plan }: { workspace: string; plan: string }) => {
    if (!plans.find(plan))
      throw new OperatorError(
        `The plan "${plan}" does not exist; the plans are ${plans.all.map(({ id }) => id).join(', ')}.`,
      )
    return inTransaction(systemSql, async (tx) => {
      const [row] = await tx<{ plan: string }[]>`
        select plan from workspaces where id = ${workspace} for no key update`
      if (!row) throw new OperatorError(`The workspace ${workspace} does not exist.`)
      await setPlan(tx, systemActing(workspace, 'operator'), { plan })
      return { workspaceId: workspace, plan, previousPlan: row.plan }
    })
  }
}
