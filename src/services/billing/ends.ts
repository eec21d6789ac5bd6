import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { sleep, type Service } from '../../base/service.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import type { BillingProvider } from './provider.ts'

type Deps = {
  /** Of the worker role: their workspaces are gone. */
  systemSql: SystemSql
  clock: Clock
  /** Null: it is not configured in this process, or no longer. */
  provider: Pick<BillingProvider, 'name' | 'cancel'> | null
  log: Log
}

type End = { subscriptionId: string; workspace: string; attempts: number }

const LOOK_EVERY_MS = 5_000
const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 3_600_000
/** How long it is tried, and how long an end is remembered against events that come late. */
const KEPT_MS = 90 * 86_400_000

/**
 * Ends the subscriptions of deleted workspaces at their provider (src/services/subscription-ends.ts).
 * An attempt is claimed by setting the time of the next one, so that a process that dies in it leaves
 * the end to the next attempt, and several processes do not ask twice.
 */
export function createSubscriptionEnds({ systemSql, clock, provider, log }: Deps) {
  let hasWarned = false

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await once(signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'subscriptions could not be ended')
      })
      await sleep(LOOK_EVERY_MS, signal)
    }
  }

  /** Attempts what is due. */
  async function once(signal?: AbortSignal): Promise<void> {
    if (!provider) return warnOnce()
    await forget()
    while (!signal?.aborted) {
      const end = await claim(provider.name)
      if (!end) return
      await attempt(provider, end)
    }
  }

  async function claim(providerName: string): Promise<End | null> {
    const now = new Date(clock())
    const [end] = await systemSql<End[]>`
      update subscription_ends set attempts = attempts + 1,
        next_attempt_at = ${now}::timestamptz + interval '1 millisecond'
          * least(${FIRST_RETRY_MS} * 2.0 ^ least(attempts, 20), ${LAST_RETRY_MS})
      where (provider, subscription_id) = (
        select provider, subscription_id from subscription_ends
        where provider = ${providerName} and ended_at is null and next_attempt_at <= ${now}
        order by next_attempt_at limit 1 for update skip locked)
      returning subscription_id, workspace, attempts`
    return end ?? null
  }

  async function attempt({ name, cancel }: NonNullable<Deps['provider']>, end: End) {
    try {
      // One that is not there is of another account, or the key is of another mode: it may still be paid.
      if (!(await cancel(end.subscriptionId)))
        return log.warn(end, 'the subscription of a deleted workspace is unknown to its provider')
    } catch (error) {
      // Who could not be reached has been told of already.
      if (error instanceof ApiError)
        return log.warn(end, 'the subscription of a deleted workspace has not ended yet')
      throw error
    }
    await systemSql`
      update subscription_ends set ended_at = ${new Date(clock())}
      where provider = ${name} and subscription_id = ${end.subscriptionId}`
    log.info(end, 'the subscription of a deleted workspace has ended')
  }

  async function forget(): Promise<void> {
    const forgotten = await systemSql<(End & { endedAt: Date | null })[]>`
      delete from subscription_ends
      where coalesce(ended_at, requested_at) < ${new Date(clock() - KEPT_MS)}
      returning subscription_id, workspace, attempts, ended_at`
    for (const { endedAt, ...end } of forgotten)
      if (endedAt === null)
        log.error(end, 'the subscription of a deleted workspace was never ended; end it by hand')
  }

  async function warnOnce(): Promise<void> {
    if (hasWarned) return
    const [row] = await systemSql<{ n: number }[]>`
      select count(*) as n from subscription_ends where ended_at is null`
    if (row!.n === 0) return
    hasWarned = true
    log.warn(
      { subscriptions: row!.n },
      'workspaces were deleted and their subscriptions cannot be ended without STRIPE_SECRET_KEY',
    )
  }

  const service: Service = { name: 'subscription ends', run }
  return { once, service }
}
