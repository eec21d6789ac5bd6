import { createPrivateKey } from 'node:crypto'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { AcmeClient, AcmeRefusal } from './acme.ts'
import { FailedValidation, runOrder, type ChallengeType, type Issued } from './order.ts'
import { LEASE_MS, type DueHost, type SslFailureReason, type TlsStore } from './store.ts'

type Deps = {
  store: TlsStore
  /** Address of the directory of the certificate authority. */
  directory: string
  email: string | null
  /** Methods by which the authority validates hosts, in order of preference. */
  challenges: readonly ChallengeType[]
  clock: Clock
  log: Log
}

/** The rest of the lease is for the last request and the write of its result. */
const ATTEMPT_MS = LEASE_MS - 60_000
/** Slow hosts do not delay all others. */
const MAX_PARALLEL = 4
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
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
/** With doubling, four failed validations of a host in an hour: Let's Encrypt allows five. */
const VALIDATION_WAIT_MS = 10 * MINUTE_MS
const MAX_RETRY_AFTER_MS = 7 * 24 * HOUR_MS

export type Renewals = ReturnType<typeof createRenewals>

/** Orders certificates for hosts that have none, and renews them after two thirds of their time: each a sweep. */
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
  try {
    const issued = await order(
      deps,
      due,
      turn,
      AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
    )
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
      reason: isOver && !hasOther ? toReason(error.type) : null,
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

/** @param type of the problem that the authority names (RFC 8555, 6.7) */
function toReason(type: string): SslFailureReason {
  return REASONS[type] ?? 'refused'
}

/** Two thirds of the lifetime, and up to a thirtieth earlier: certificates of one day are not renewed at once. */
function toRenewalTime({ notBeforeMs, notAfterMs }: Issued): Date {
  const lifetimeMs = notAfterMs - notBeforeMs
  return new Date(notBeforeMs + lifetimeMs * (2 / 3 - Math.random() / 30))
}

/** All challenges in their order, which goes round. */
function startWith(
  challenges: readonly ChallengeType[],
  preferred: ChallengeType | null,
): ChallengeType[] {
  const first = Math.max(
    0,
    challenges.findIndex((type) => type === preferred),
  )
  return [...challenges.slice(first), ...challenges.slice(0, first)]
}

/**
 * Authorities count refused orders against the host and the account, so these wait for hours. A failed validation is often
 * a DNS record that is not there yet, and follows sooner; requests that did not reach the authority wait for minutes.
 * @param hasOther the host can still be validated in another way, which need not wait either
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
