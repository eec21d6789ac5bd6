import { ApiError } from '../../platform/core/errors.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { BillingProvider } from './stripe.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'log'> & {
  provider: Pick<BillingProvider, 'name' | 'cancel'>
}

type End = { subscriptionId: string; workspace: string; attempts: number }

const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 3_600_000
/** Attempts stop after this time; ended subscriptions are remembered as long, for late events. */
const KEPT_MS = 90 * 86_400_000

/**
 * Records that a subscription must end. The deletion of the workspace does not wait for the provider, and the record
 * outlasts an outage of it.
 */
export async function endSubscription(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await tx`
    insert into subscription_ends (provider, subscription_id, workspace, requested_at, next_attempt_at)
    select provider, subscription_id, workspace_id, ${now}, ${now} from subscriptions
    where workspace_id = ${workspaceId} and provider is not null and subscription_id is not null
      and status <> 'canceled'
    on conflict (provider, subscription_id) do nothing`
}

/** For a subscription that is reported after the deletion of its workspace. */
export async function endLateSubscription(
  tx: Tx,
  { provider, id, workspaceId }: { provider: string; id: string; workspaceId: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into subscription_ends (provider, subscription_id, workspace, requested_at, next_attempt_at)
    values (${provider}, ${id}, ${workspaceId}, ${now}, ${now})
    on conflict (provider, subscription_id) do nothing`
}

/**
 * A process claims an attempt by setting the time of the next one, so a crash only delays the end, and no two
 * processes make the same attempt.
 */
export async function endSubscriptions(deps: Deps, signal: AbortSignal): Promise<void> {
  await removeOld(deps)
  while (!signal.aborted) {
    const end = await claim(deps)
    if (!end) return
    await attempt(deps, end)
  }
}

export function createSubscriptionWarning({ systemSql, log }: Pick<Deps, 'systemSql' | 'log'>) {
  let hasWarned = false
  return async () => {
    if (hasWarned) return
    const [row] = await systemSql<[{ n: number }]>`
      select count(*) as n from subscription_ends where ended_at is null`
    if (row.n === 0) return
    hasWarned = true
    log.warn(
      { subscriptions: row.n },
      'cannot end subscriptions of deleted workspaces: STRIPE_SECRET_KEY is not set',
    )
  }
}

async function claim({ systemSql, clock, provider }: Deps): Promise<End | null> {
  const now = new Date(clock())
  const [end] = await systemSql<End[]>`
    update subscription_ends set attempts = attempts + 1,
      next_attempt_at = ${now}::timestamptz + interval '1 millisecond'
        * least(${FIRST_RETRY_MS} * 2.0 ^ least(attempts, 20), ${LAST_RETRY_MS})
    where (provider, subscription_id) = (
      select provider, subscription_id from subscription_ends
      where provider = ${provider.name} and ended_at is null and next_attempt_at <= ${now}
      order by next_attempt_at limit 1 for update skip locked)
    returning subscription_id, workspace, attempts`
  return end ?? null
}

async function attempt({ systemSql, clock, log, provider: { name, cancel } }: Deps, end: End) {
  try {
    // The key is of another account or mode at the provider, where the subscription may still be charged.
    if (!(await cancel(end.subscriptionId)))
      return log.warn(end, 'the provider does not know the subscription of a deleted workspace')
  } catch (error) {
    // The provider's failure is already logged.
    if (error instanceof ApiError)
      return log.warn(
        end,
        'subscription of a deleted workspace not ended yet; another attempt follows',
      )
    throw error
  }
  await systemSql`
    update subscription_ends set ended_at = ${new Date(clock())}
    where provider = ${name} and subscription_id = ${end.subscriptionId}`
  log.info(end, 'subscription of a deleted workspace ended')
}

async function removeOld({ systemSql, clock, log }: Deps): Promise<void> {
  const removed = await systemSql<(End & { endedAt: Date | null })[]>`
    delete from subscription_ends
    where coalesce(ended_at, requested_at) < ${new Date(clock() - KEPT_MS)}
    returning subscription_id, workspace, attempts, ended_at`
  for (const { endedAt, ...end } of removed)
    if (endedAt === null)
      log.error(
        end,
        'subscription of a deleted workspace not ended after 90 days; end it at the provider',
      )
}
