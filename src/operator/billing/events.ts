import { ApiError } from '../../platform/core/errors.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { lockWorkspace } from '../../accounts/members/membership.ts'
import { endLateSubscription } from './ends.ts'
import { loadSubscription, setPlan, type SubscriptionRow } from './set-plan.ts'
import type { BillingProvider, ProvidedSubscription, ProviderEvent } from './stripe.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'plans' | 'log' | 'audit' | 'publish'> & {
  provider: BillingProvider
}

/** The provider repeats an event until it gets a 200. */
type EventAnswer = { status: 200 | 400 | 503; message: string }

/** Waiting events stay in memory, because each holds a transaction while the provider answers. */
const MAX_WAITING = 100
/** Longer than the provider repeats an event. */
const REMEMBERED_MS = 90 * 86_400_000

/**
 * Events arrive twice, late and in any order. One only triggers a read: the current subscription is read from the
 * provider, one event at a time, and written. So the last read is right in any order of events.
 */
export function createProviderEvents(deps: Deps) {
  const { provider, log } = deps
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async (rawBody: Buffer, signature: string): Promise<EventAnswer> => {
    const event = provider.readEvent(rawBody, signature)
    if (!event) return { status: 400, message: 'Invalid webhook signature.' }
    const { subscriptionId } = event
    if (subscriptionId === null) return { status: 200, message: 'Ignored event type.' }
    if (waiting >= MAX_WAITING) return { status: 503, message: 'Too many events at once.' }
    waiting += 1
    const handling = last.then(() => handle(deps, event, subscriptionId))
    last = handling.catch(() => {})
    try {
      return { status: 200, message: await handling }
    } catch (error) {
      // The provider's failures (ApiError) are already logged.
      if (!(error instanceof ApiError))
        log.error({ err: error, event: event.id, type: event.type }, 'billing event failed')
      return { status: 503, message: 'The event cannot be handled right now.' }
    } finally {
      waiting -= 1
    }
  }
}

function handle(deps: Deps, event: ProviderEvent, subscriptionId: string): Promise<string> {
  const { systemSql, clock, provider, log } = deps
  return inTransaction(systemSql, async (tx) => {
    await tx`
      select pg_advisory_xact_lock(hashtextextended(${`${provider.name} ${subscriptionId}`}, 0))`
    const [handled] = await tx`
      select 1 from billing_events where provider = ${provider.name} and id = ${event.id}`
    if (handled) return 'Already handled.'
    const subscription = await provider.subscription(subscriptionId)
    const refusal = subscription
      ? await apply(deps, tx, subscription, event)
      : 'The subscription does not exist.'
    if (refusal !== null) {
      log.warn(
        { event: event.id, type: event.type, subscriptionId, refusal },
        'billing event ignored',
      )
      return refusal
    }
    const now = new Date(clock())
    await tx`
      insert into billing_events (provider, id, received_at)
      values (${provider.name}, ${event.id}, ${now})`
    await tx`
      delete from billing_events where received_at < ${new Date(now.getTime() - REMEMBERED_MS)}`
    return 'Handled.'
  })
}

async function apply(deps: Deps, tx: Tx, subscription: ProvidedSubscription, event: ProviderEvent) {
  const { clock, plans, provider } = deps
  const workspaceId = await findWorkspace(tx, provider.name, subscription)
  if (workspaceId !== null) await lockWorkspace(tx, workspaceId)
  // A deletion takes the same lock: an earlier one is visible here, and a later one ends this subscription.
  const deletedId = await findDeleted(tx, workspaceId ?? subscription.workspaceId)
  if (deletedId !== null) {
    const late = { provider: provider.name, id: subscription.id, workspaceId: deletedId }
    if (subscription.status !== 'canceled') await endLateSubscription(tx, late, new Date(clock()))
    return null
  }
  if (workspaceId === null) return 'The subscription belongs to no workspace of this server.'
  const before = await loadSubscription(tx, workspaceId)
  if (!isDecisive(subscription, before, provider.name))
    return 'Another subscription decides the plan of the workspace.'
  if (subscription.isGranting && subscription.planId === null)
    return 'The price belongs to no plan in PLANS_FILE.'
  const { status, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } = subscription
  await setPlan(deps, tx, systemActing(workspaceId, provider.name, { requestId: event.id }), {
    plan: subscription.isGranting ? subscription.planId! : plans.initial.id,
    status,
    currentPeriodStart,
    currentPeriodEnd,
    cancelAtPeriodEnd,
  })
  await tx`
    insert into subscriptions (workspace_id, status, provider, customer_id, subscription_id,
      subscribed_at, updated_at)
    values (${workspaceId}, ${status}, ${provider.name}, ${subscription.customerId},
      ${subscription.id}, ${subscription.createdAt}, ${new Date(clock())})
    on conflict (workspace_id) do update set provider = excluded.provider,
      customer_id = excluded.customer_id, subscription_id = excluded.subscription_id,
      subscribed_at = excluded.subscribed_at`
  return null
}

async function findWorkspace(tx: Tx, provider: string, { id, workspaceId }: ProvidedSubscription) {
  const [row] = await tx<{ id: string | null }[]>`
    select coalesce(
      (select workspace_id from subscriptions
        where provider = ${provider} and subscription_id = ${id}),
      (select id from workspaces where id = ${workspaceId})) as id`
  return row!.id
}

async function findDeleted(tx: Tx, workspaceId: string | null): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`select id from purges where id = ${workspaceId}`
  return row?.id ?? null
}

/** The current subscription, until that has ended or a newer one is bought. */
function isDecisive(subscription: ProvidedSubscription, before: SubscriptionRow, provider: string) {
  if (before.subscriptionId === null || before.provider !== provider) return subscription.isGranting
  if (before.subscriptionId === subscription.id) return true
  const isOver = before.status === 'canceled' || before.subscribedAt! < subscription.createdAt
  return subscription.isGranting && isOver
}
