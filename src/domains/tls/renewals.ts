import { createPrivateKey } from 'node:crypto'
import { HOUR_MS, MINUTE_MS, type Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { AcmeClient, AcmeRefusal } from './acme.ts'
import { FailedValidation, runOrder, type ChallengeType, type Issued } from './order.ts'
import type { SslFailureReason } from '../domains/schema.ts'
import { LEASE_MS, type DueHost, type TlsStore } from './store.ts'

type Deps = {
  store: TlsStore
  directory: string
  email: string | null
  challenges: readonly ChallengeType[]
  clock: Clock
  log: Log
}

/** Leaves time for the last request and for storing its result. */
const ATTEMPT_MS = LEASE_MS - 60_000
const MAX_PARALLEL = 4
/** By the type of the authority's problem (RFC 8555, 6.7). */
const REASONS: Record<string, SslFailureReason> = {
  dns: 'dns',
  connection: 'connection',
  tls: 'connection',
  unauthorized: 'wrong_answer',
  incorrectResponse: 'wrong_answer',
  caa: 'caa',
  rateLimited: 'rate_limited',
}
const MAX_REFUSAL_WAIT_MS = 24 * HOUR_MS
/** Doubling, this makes four failed validations of a host in an hour; Let's Encrypt allows five. */
const VALIDATION_WAIT_MS = 10 * MINUTE_MS
const MAX_RETRY_AFTER_MS = 7 * 24 * HOUR_MS

export type Renewals = ReturnType<typeof createRenewals>

/** Sweeps that order certificates, and renew them after two thirds of their lifetime. */
export function createRenewals(deps: Deps) {
  const { store } = deps
  return {
    addHosts: async () => {
      await store.replaceForeign()
      await store.addHosts()
    },
    orderDue: async (signal: AbortSignal) => {
      const orders = Array.from({ length: MAX_PARALLEL }, () => orderDue(deps, signal))
      await Promise.all(orders)
    },
    deleteUnused: () => store.deleteUnused(),
  }
}

async function orderDue(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await deps.store.claim()
    if (due === null) return
    await attempt(deps, due, signal)
  }
}

async function attempt(deps: Deps, due: DueHost, signal: AbortSignal): Promise<void> {
  const { store, challenges, clock, log } = deps
  const { hostname } = due
  const turn = startWith(challenges, due.challenge)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)])
  try {
    const issued = await order(deps, due, turn, limited)
    const renewAt = toRenewalTime(issued)
    await store.saveCertificate(hostname, issued, { renewAt, challenge: turn[0]! })
    log.info({ hostname, notAfter: new Date(issued.notAfterMs) }, 'certificate issued')
  } catch (error) {
    if (signal.aborted) return store.release(hostname)
    const isOver = error instanceof AcmeRefusal
    const isInvalid = error instanceof FailedValidation
    const hasOther = isInvalid && due.failures + 1 < challenges.length
    const waitMs = toWaitMs(error, due.failures, hasOther)
    log.warn({ err: error, hostname, waitMs }, 'certificate not issued; trying again later')
    await store.saveFailure(hostname, {
      message: error instanceof Error ? error.message : String(error),
      nextAt: new Date(clock() + waitMs),
      challenge: (isInvalid ? turn[1] : null) ?? turn[0]!,
      isOver,
      reason: isOver && !hasOther ? (REASONS[error.type] ?? 'refused') : null,
    })
  }
}

async function order(
  deps: Deps,
  due: DueHost,
  challenges: readonly ChallengeType[],
  signal: AbortSignal,
): Promise<Issued> {
  const { store, directory, email } = deps
  const { hostname } = due
  const account = await store.account()
  const accountKey = createPrivateKey(account.key)
  const client = new AcmeClient({ directory, accountKey, accountUrl: account.url, signal })
  try {
    if (account.url === null) await store.saveAccountUrl(await client.register(email))
    return await runOrder(
      {
        client,
        accountKey,
        challenges,
        publish: (token, answer) => store.publish(hostname, token, answer),
        saveOrder: (started) => store.saveOrder(hostname, started),
        signal,
      },
      hostname,
      due.order,
    )
  } catch (error) {
    if (error instanceof AcmeRefusal && error.type === 'accountDoesNotExist')
      await store.saveAccountUrl(null)
    throw error
  }
}

/** Up to a thirtieth of the lifetime early, which spreads the renewals of certificates of one day. */
function toRenewalTime({ notBeforeMs, notAfterMs }: Issued): Date {
  const lifetimeMs = notAfterMs - notBeforeMs
  return new Date(notBeforeMs + lifetimeMs * (2 / 3 - Math.random() / 30))
}

function startWith(challenges: readonly ChallengeType[], preferred: ChallengeType | null) {
  const first = Math.max(
    0,
    challenges.findIndex((type) => type === preferred),
  )
  return [...challenges.slice(first), ...challenges.slice(0, first)]
}

/**
 * Authorities count refused orders against the host and the account, so the next one waits for hours. A failed
 * validation often means a missing DNS record, and is repeated sooner; an unreachable authority after minutes.
 * @param hasOther whether another validation method is left, which need not wait
 */
function toWaitMs(error: unknown, failures: number, hasOther: boolean): number {
  const isRefusal = error instanceof AcmeRefusal
  const refusedMs = error instanceof FailedValidation ? VALIDATION_WAIT_MS : HOUR_MS
  const [firstMs, maxMs] =
    isRefusal && !hasOther ? [refusedMs, MAX_REFUSAL_WAIT_MS] : [MINUTE_MS, HOUR_MS]
  const waitMs = Math.min(firstMs * 2 ** Math.min(failures, 10), maxMs) * (1 + Math.random() / 4)
  const namedMs = isRefusal ? Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0
  return Math.max(waitMs, namedMs)
}
