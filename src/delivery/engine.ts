import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Secrets } from '../base/secrets.ts'
import { sleep } from '../base/service.ts'
import type { Service } from '../base/service.ts'
import type { Sql } from '../storage/postgres.ts'
import type { Attempt, Attempted } from './attempt.ts'
import { createFlusher } from './flusher.ts'
import { createLanes } from './lanes.ts'
import { deliveryMeters } from './meters.ts'
import { shiftSeconds } from './outbox.ts'
import { createQueue, isPoison } from './queue.ts'
import type { Claim, Outcome } from './queue.ts'
import { deliveryRequest } from './request.ts'
import { afterFailure } from './schedule.ts'
import { openEndpointSecret } from './secret.ts'

const HEARTBEAT_EVERY_MS = 3_000
/** Two thirds of the lease: from then on the lanes may be another's, and nothing more is sent. */
const TRUST_MS = 10_000
const SWEEP_EVERY_MS = 1_000
/** Claims are made in rounds at least this far apart, so that each brings many. */
const ROUND_MS = 10
const IDLE_MS = 1_000
const BUSY_MS = 100
const MAX_LANES = 2_000
const LANES_PER_ROUND = 256
/** How long a shutdown waits for what is on the wire. */
const LAST_ATTEMPTS_MS = 12_000
const SILENT = new Set(['timeout', 'connection_refused', 'dns_error', 'network_error'])

export type EngineDeps = {
  sql: Sql
  secrets: Secrets
  attempt: Attempt
  clock: Clock
  log: Log
  registry: Registry
  /** Five delays in seconds. */
  schedule: readonly number[]
  /** Told of attempts after the first, which count as API requests of their workspace. */
  onRetries: (workspaceId: string, count: number) => void
}

export type Engine = {
  readonly service: Service
  /** Something became due; without it the engine looks by itself, within a second. */
  wake(): void
}

/**
 * Delivers what is queued. A worker leases lanes, one per endpoint, claims what is due in them,
 * sends, and writes the outcomes in batches:
 *
 *   acquire lanes ─▶ claim ─▶ attempt ─▶ outcome ─▶ flush ─▶ log, or queue again
 *        ▲             │ every 10 ms while there is work, else once a second
 *        └── sweep ────┴── lanes idle for two seconds are released
 *
 * A process that dies, or hangs for longer than its lease, loses its lanes to others; what it claimed
 * is sent again. An outcome written late carries an old epoch and changes nothing.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { sql, secrets, attempt, clock, log } = deps
  const queue = createQueue(sql, randomUUID(), hostname(), () => shiftSeconds(clock))
  const lanes = createLanes()
  const meters = deliveryMeters(deps.registry, lanes)
  const flusher = createFlusher({
    flush: (outcomes) => queue.flush(outcomes),
    log,
    observeSeconds: (seconds) => meters.flushSeconds.observe(seconds),
  })
  const onTheWire = new Set<Promise<void>>()
  let trustedUntilMs = -Infinity
  let mayAcquire = true
  let isRung = false
  let ring = () => {}

  function wake(): void {
    mayAcquire = true
    lanes.wake(performance.now())
    callUp()
  }

  /** Ends the rest, or the next one if none is under way. */
  function callUp(): void {
    isRung = true
    ring()
  }

  async function run(signal: AbortSignal): Promise<void> {
    const beating = repeat(signal, HEARTBEAT_EVERY_MS, beat)
    const sweeping = repeat(signal, SWEEP_EVERY_MS, async () => {
      if ((await queue.sweep()) > 0) wake()
      mayAcquire = true
    })
    while (!signal.aborted) {
      let isBusy = false
      isRung = false
      try {
        isBusy = await round()
      } catch (error) {
        log.warn({ err: error }, 'deliveries cannot be claimed')
        await sleep(IDLE_MS, signal)
      }
      await Promise.all([sleep(ROUND_MS, signal), rest(isBusy, signal)])
    }
    await Promise.all([beating, sweeping])
    await close()
  }

  async function beat(): Promise<void> {
    const askedAtMs = performance.now()
    await queue.heartbeat()
    trustedUntilMs = askedAtMs + TRUST_MS
  }

  /** @returns whether there may be more to do at once */
  async function round(): Promise<boolean> {
    if (!isTrusted()) {
      // Others may hold these lanes by now. What is on the wire ends, and its outcome is fenced.
      if (lanes.size() > 0) log.warn('the lease of this worker ran out; its lanes are let go')
      lanes.takeAll()
      return false
    }
    const released = lanes.takeIdle(performance.now())
    if (released.length > 0) await queue.release(released)
    if (mayAcquire && lanes.size() < MAX_LANES) {
      const count = Math.min(LANES_PER_ROUND, MAX_LANES - lanes.size())
      const acquired = await queue.acquire(count)
      mayAcquire = acquired.length === count
      lanes.add(acquired, performance.now())
    }
    if (flusher.isFull()) return true
    const asked = lanes.share(performance.now())
    if (asked.length === 0) return lanes.inFlight() > 0
    const claims = await queue.refill(asked)
    const counts = new Map<string, number>()
    for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
    lanes.claimed(asked, counts, performance.now())
    for (const claim of claims) start(claim)
    return claims.length > 0
  }

  function isTrusted(): boolean {
    return performance.now() < trustedUntilMs
  }

  /** Until something happens, for a time that depends on whether there is work. */
  function rest(isBusy: boolean, signal: AbortSignal): Promise<void> {
    if (isBusy || isRung) return Promise.resolve()
    const rung = new AbortController()
    ring = () => rung.abort()
    const limitMs = lanes.size() > 0 ? BUSY_MS : IDLE_MS
    return sleep(limitMs, AbortSignal.any([signal, rung.signal]))
  }

  function start(claim: Claim): void {
    // The process may have been stopped between the claim and now.
    if (!isTrusted()) return
    const ended = lanes.begin(claim.endpointId)
    const sending = send(claim)
      .then((attempted) => {
        const isSuccess = attempted.responseStatus !== null && is2xx(attempted.responseStatus)
        const isSilent = attempted.error !== null && SILENT.has(attempted.error)
        ended({ isSuccess, isSilent, durationMs: attempted.durationMs }, performance.now())
        settle(claim, attempted, isSuccess)
      })
      .finally(() => {
        onTheWire.delete(sending)
        callUp()
      })
    onTheWire.add(sending)
  }

  /** Never rejects: what cannot be sent is a failed attempt with its reason. */
  async function send(claim: Claim): Promise<Attempted> {
    const nothing = {
      responseStatus: null,
      durationMs: 0,
      responseBody: null,
      responseHeaders: null,
    }
    if (isPoison(claim)) return { ...nothing, error: 'worker_lost' }
    if (claim.data === null) return { ...nothing, error: 'payload_expired' }
    try {
      const secret = openEndpointSecret(secrets, claim.endpointId, claim.secretSealed)
      return await attempt(deliveryRequest(claim, secret, clock()))
    } catch (error) {
      log.error({ err: error, deliveryId: claim.id }, 'a delivery could not be sent')
      return { ...nothing, error: 'internal_error' }
    }
  }

  function settle(claim: Claim, attempted: Attempted, isSuccess: boolean): void {
    const number = claim.attempts + 1
    const next = isSuccess
      ? { result: 'completed' as const, delaySeconds: 0 }
      : claim.data === null
        ? { result: 'dead' as const, delaySeconds: 0 }
        : afterFailure(deps.schedule, claim)
    if (number > 1) deps.onRetries(claim.workspaceId, 1)
    meters.attempts.inc({ outcome: isSuccess ? 'completed' : (attempted.error ?? 'http_error') })
    flusher.add({ ...outcomeOf(claim, attempted, number, clock()), ...next })
  }

  async function close(): Promise<void> {
    await Promise.race([Promise.all(onTheWire), sleep(LAST_ATTEMPTS_MS)])
    setTimeout(flusher.giveUp, IDLE_MS * 5).unref()
    await flusher.drained()
    try {
      await queue.release(lanes.takeAll())
      await queue.retire()
    } catch (error) {
      log.warn({ err: error }, 'lanes were not released; they are free when the lease ends')
    }
  }

  async function repeat(
    signal: AbortSignal,
    everyMs: number,
    work: () => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'the database does not answer the worker')
      })
      await sleep(everyMs, signal)
    }
  }

  return { service: { name: 'deliveries', run }, wake }
}

function outcomeOf(
  claim: Claim,
  attempted: Attempted,
  number: number,
  nowMs: number,
): Omit<Outcome, 'result' | 'delaySeconds'> {
  const { responseStatus, durationMs, error } = attempted
  const isFirstSuccess = number === 1 && responseStatus !== null && is2xx(responseStatus)
  const at = new Date(nowMs).toISOString()
  return {
    id: claim.id,
    workspaceId: claim.workspaceId,
    endpointId: claim.endpointId,
    epoch: claim.epoch,
    attempt: number,
    ...attempted,
    logEntry: isFirstSuccess
      ? null
      : JSON.stringify({ attempt: number, at, responseStatus, durationMs, error }),
  }
}

function is2xx(status: number): boolean {
  return status >= 200 && status <= 299
}
