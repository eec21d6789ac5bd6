import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { getChanges } from '../../platform/audit/audit.ts'
import { announceCredentials } from '../../accounts/credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { lockWorkspace } from '../../accounts/members/membership.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import type { SubscriptionStatus } from './schema.ts'

type Deps = Pick<Dependencies, 'clock' | 'audit' | 'publish'>

type SubscriptionChange = {
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

/** A plan below the current use removes nothing; `limit` refuses more. */
export async function setPlan(
  { clock, audit, publish }: Deps,
  tx: Tx,
  principal: Principal,
  change: SubscriptionChange,
): Promise<void> {
  const { workspaceId } = principal
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
  await audit(tx, principal, {
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
