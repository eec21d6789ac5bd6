import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { systemActing } from '../acting.ts'
import { lockWorkspace } from '../membership.ts'
import type { Plans } from '../plans.ts'
import { endLateSubscription } from '../subscription-ends.ts'
import type { BillingProvider, ProvidedSubscription, ProviderEvent } from './provider.ts'
import { readStanding, type SetPlan, type StandingRow } from './set-plan.ts'

type Deps = {
  /** Sees every workspace: an event says which one it is about. */
  systemSql: SystemSql
  clock: Clock
  plans: Plans
  setPlan: SetPlan
  provider: BillingProvider
  log: Log
}

/** What to answer to the provider. It sends an event again for as long as it hears no 200. */
export type Handled = { status: 200 | 400 | 503; message: string }

export type HandleProviderEvent = (rawBody: Buffer, signature: string) => Promise<Handled>

/** Each waits for the provider's answer, with a transaction open: one at a time is enough. */
const MAX_WAITING = 100
/** Longer than the provider sends an event again. */
const REMEMBERED_MS = 90 * 86_400_000

/**
 * Events of the billing provider, which come twice, late and in any order. So an event is only the
 * reason to look: the subscription is asked for as it is now, one event of it at a time, and that
 * is written. Whatever order events come in, the last look is the truth.
 *
 *   signature ─no─▶ 400    of no subscription, not ours ─▶ 200    database or provider gone ─▶ 503
 *      └─yes─▶ lock of the subscription ─▶ handled before? ─▶ ask ─▶ setPlan ─▶ 200
 */
export function createProviderEvents(deps: Deps): HandleProviderEvent {
  const { systemSql, clock, plans, setPlan, provider, log } = deps
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return async (rawBody, signature) => {
    const event = provider.readEvent(rawBody, signature)
    if (!event) return { status: 400, message: 'The signature is not valid.' }
    const { subscriptionId } = event
    if (subscriptionId === null) return { status: 200, message: 'Not of interest.' }
    if (waiting >= MAX_WAITING) return { status: 503, message: 'Too many events at once.' }
    waiting += 1
    const handling = last.then(() => handle(event, subscriptionId))
    last = handling.catch(() => {})
    try {
      return { status: 200, message: await handling }
    } catch (error) {
      // Who could not be reached has been told of already.
      if (!(error instanceof ApiError))
        log.error({ err: error, event: event.id, type: event.type }, 'a billing event failed')
      return { status: 503, message: 'The event cannot be handled right now.' }
    } finally {
      waiting -= 1
    }
  }

  function handle(event: ProviderEvent, subscriptionId: string): Promise<string> {
    return inTransaction(systemSql, async (tx) => {
      await tx`
        select pg_advisory_xact_lock(hashtextextended(${`${provider.name} ${subscriptionId}`}, 0))`
      const [known] = await tx`
        select 1 from billing_events where provider = ${provider.name} and id = ${event.id}`
      if (known) return 'Handled before.'
      const subscription = await provider.subscription(subscriptionId)
      const refusal = subscription
        ? await apply(tx, subscription, event)
        : 'There is no such subscription.'
      if (refusal !== null) {
        log.warn(
          { event: event.id, type: event.type, subscriptionId, refusal },
          'a billing event changes nothing',
        )
        return refusal
      }
      const now = new Date(clock())
      await tx`
        insert into billing_events (provider, id, received_at)
        values (${provider.name}, ${event.id}, ${now})`
      await tx`
        delete from billing_events
        where received_at < ${new Date(now.getTime() - REMEMBERED_MS)}`
      return 'Handled.'
    })
  }

  /** @returns why nothing was changed, or null */
  async function apply(
    tx: Tx,
    subscription: ProvidedSubscription,
    event: ProviderEvent,
  ): Promise<string | null> {
    const workspaceId = await workspaceOf(tx, subscription)
    if (workspaceId !== null) await lockWorkspace(tx, workspaceId)
    // With the lock: a deletion has seen this subscription, or is seen here.
    const deletedId = await deletedOf(tx, workspaceId ?? subscription.workspaceId)
    if (deletedId !== null) {
      const late = { provider: provider.name, id: subscription.id, workspaceId: deletedId }
      if (subscription.status !== 'canceled') await endLateSubscription(tx, late, new Date(clock()))
      return null
    }
    if (workspaceId === null) return 'It is of no workspace here.'
    const before = await readStanding(tx, workspaceId)
    if (!decides(subscription, before))
      return 'It is not the subscription that its workspace goes by.'
    if (subscription.isGranting && subscription.planId === null)
      return 'Its price is of no plan in PLANS_FILE.'
    const { status, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } = subscription
    await setPlan(tx, systemActing(workspaceId, provider.name, { requestId: event.id }), {
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

  /** Where it is known already; otherwise where it says it belongs, if that is still there. */
  async function workspaceOf(tx: Tx, { id, workspaceId }: ProvidedSubscription) {
    const [row] = await tx<{ id: string }[]>`
      select coalesce(
        (select workspace_id from subscriptions
          where provider = ${provider.name} and subscription_id = ${id}),
        (select id from workspaces where id = ${workspaceId})) as id`
    return row!.id
  }

  /** The workspace, when it is being deleted or was not long ago. */
  async function deletedOf(tx: Tx, workspaceId: string | null): Promise<string | null> {
    const [row] = await tx<{ id: string }[]>`select id from purges where id = ${workspaceId}`
    return row?.id ?? null
  }

  /**
   * A workspace goes by one subscription: by the one it has, until another one is bought after it
   * or it has ended. What becomes of earlier ones is of no interest.
   */
  function decides(subscription: ProvidedSubscription, before: StandingRow): boolean {
    if (before.subscriptionId === null || before.provider !== provider.name)
      return subscription.isGranting
    if (before.subscriptionId === subscription.id) return true
    const isOver = before.status === 'canceled' || before.subscribedAt! < subscription.createdAt
    return subscription.isGranting && isOver
  }
}
