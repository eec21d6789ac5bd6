import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Publish } from '../../delivery/outbox.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { systemActing } from '../acting.ts'
import type { Audit, Changes } from '../audit.ts'
import { announceCredentials } from '../credential-changes.ts'
import { lockWorkspace } from '../membership.ts'
import type { Plans } from '../plans.ts'
import { isoOrNull } from '../shapes.ts'
import type { SubscriptionStatus } from './schema.ts'

type Deps = { clock: Clock; audit: Audit; publish: Publish }

/** Where a subscription stands. What is left out stays as it is. */
export type Standing = {
  plan?: string
  status?: SubscriptionStatus
  currentPeriodStart?: Date | null
  currentPeriodEnd?: Date | null
  cancelAtPeriodEnd?: boolean
}

/** Null: of no billing provider. */
export type StandingRow = Required<Standing> & {
  provider: string | null
  customerId: string | null
  subscriptionId: string | null
  subscribedAt: Date | null
}

export type SetPlan = ReturnType<typeof createSetPlan>

/**
 * The one place where the plan of a workspace changes, whoever changes it. A plan below what is in
 * use takes nothing away: what is there stays, and `limit` refuses more.
 *
 * Locks the workspace; writes, audits, publishes billing.subscription.updated and tells every
 * process, all with the commit. When nothing differs nothing is written.
 * @throws ApiError NOT_FOUND for a workspace that is gone
 */
export function createSetPlan({ clock, audit, publish }: Deps) {
  return async (tx: Tx, who: Who, change: Standing): Promise<void> => {
    const { workspaceId } = who
    await lockWorkspace(tx, workspaceId)
    const before = await readStanding(tx, workspaceId)
    const after = { ...before, ...change }
    const changes = changedFields(before, after)
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

/** A workspace whose plan nobody ever changed has no row of its own: it is active, without an end. */
export async function readStanding(tx: Tx, workspaceId: string): Promise<StandingRow> {
  const [row] = await tx<StandingRow[]>`
    select w.plan, coalesce(s.status, 'active') as status, s.current_period_start,
      s.current_period_end, coalesce(s.cancel_at_period_end, false) as cancel_at_period_end,
      s.provider, s.customer_id, s.subscription_id, s.subscribed_at
    from workspaces w left join subscriptions s on s.workspace_id = w.id
    where w.id = ${workspaceId}`
  return row!
}

export type SetWorkspacePlan = (input: { workspace: string; plan: string }) => Promise<{
  workspaceId: string
  plan: string
  previousPlan: string
}>

/**
 * The operator's command: gives a workspace a plan. A subscription at a billing provider stays as it
 * is there, and its next event decides again.
 * @param deps.systemSql sees every workspace
 * @throws OperatorError in one sentence for a workspace or plan that does not exist
 */
export function createSetWorkspacePlan(deps: {
  systemSql: SystemSql
  plans: Plans
  setPlan: SetPlan
}): SetWorkspacePlan {
  const { systemSql, plans, setPlan } = deps
  return async ({ workspace, plan }) => {
    if (!plans.find(plan))
      throw new OperatorError(
        `There is no plan "${plan}"; the plans are ${plans.all.map(({ id }) => id).join(', ')}.`,
      )
    return inTransaction(systemSql, async (tx) => {
      const [row] = await tx<{ plan: string }[]>`
        select plan from workspaces where id = ${workspace} for no key update`
      if (!row) throw new OperatorError(`There is no workspace ${workspace}.`)
      await setPlan(tx, systemActing(workspace, 'operator'), { plan })
      return { workspaceId: workspace, plan, previousPlan: row.plan }
    })
  }
}

const FIELDS = [
  'plan',
  'status',
  'currentPeriodStart',
  'currentPeriodEnd',
  'cancelAtPeriodEnd',
] as const

function changedFields(before: StandingRow, after: StandingRow): Changes {
  const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : value)
  return Object.fromEntries(
    FIELDS.map(
      (name) => [name, { old: shown(before[name]), new: shown(after[name]) }] as const,
    ).filter(([, change]) => change.old !== change.new),
  )
}
