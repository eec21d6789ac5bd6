import type { Tx } from '../../platform/storage/postgres/postgres.ts'

/**
 * The subscription of a deleted workspace is ended at its billing provider:
 *
 *   bought ──the deletion, in its transaction──▶ to be ended ──billing/ends.ts, until it succeeds──▶ ended
 *   bought after that (a page that was still open) ──the provider's event──┘
 *
 * The deletion does not wait for the provider, and a provider that is unavailable misses no end.
 */
export async function endSubscription(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await tx`
    insert into subscription_ends (provider, subscription_id, workspace, requested_at, next_attempt_at)
    select provider, subscription_id, workspace_id, ${now}, ${now} from subscriptions
    where workspace_id = ${workspaceId} and provider is not null and subscription_id is not null
      and status <> 'canceled'
    on conflict (provider, subscription_id) do nothing`
}

/** The same for a subscription that is reported after the deletion of its workspace. */
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
