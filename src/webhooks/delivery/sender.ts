import { Counter, Histogram, type Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { NOT_SENT, notSent, type Attempt, type AttemptResult } from './attempt.ts'
import { hideHeaders, openEndpointHeaders } from './endpoint-headers.ts'
import type { Flusher } from './flusher.ts'
import type { StartedRequest, Lanes } from './lanes.ts'
import type { Lease } from './leases.ts'
import { isPoison, type Claim } from './queue/queue-claims.ts'
import type { Outcome } from './queue/queue-outcomes.ts'
import { deliveryRequest } from './request.ts'
import { afterFailure } from './queue/states.ts'
import { createSigningKeys } from './signature.ts'
import type { WakeSignal } from '../../platform/core/service.ts'

const SILENT = new Set(['timeout', 'connection_refused', 'dns_error', 'network_error'])

export type SenderDeps = {
  secrets: Secrets
  attempt: Attempt
  clock: Clock
  log: Log
  registry: Registry
  schedule: readonly number[]
  onRetry: (workspaceId: string) => void
}

/** `signed` and `sentHeaders` are null when nothing was sent. */
type Result = AttemptResult & Pick<Outcome, 'signed' | 'sentHeaders'>

const UNSIGNED = { signed: null, sentHeaders: null }

export class Sender {
  readonly #deps: SenderDeps
  readonly #lanes: Lanes
  readonly #flusher: Flusher
  readonly #wakeSignal: WakeSignal
  readonly #getKey: ReturnType<typeof createSigningKeys>
  readonly #getPreviousKey: ReturnType<typeof createSigningKeys>
  readonly #meters: ReturnType<typeof senderMeters>
  readonly #onTheWire = new Set<Promise<void>>()
  readonly #inHand = new Map<string, Claim>()

  constructor(deps: SenderDeps, lanes: Lanes, flusher: Flusher, wakeSignal: WakeSignal) {
    this.#deps = deps
    this.#lanes = lanes
    this.#flusher = flusher
    this.#wakeSignal = wakeSignal
    this.#getKey = createSigningKeys(deps.secrets)
    this.#getPreviousKey = createSigningKeys(deps.secrets)
    this.#meters = senderMeters(deps.registry)
  }

  start(claims: readonly Claim[], lease: Lease): void {
    // Lets the next claim go to the database first, which works on it while these requests are written.
    const nextClaimIsSent = new Promise<void>((resolve) => setImmediate(resolve))
    for (const claim of claims) {
      if (this.#isInHand(claim)) continue
      this.#inHand.set(claim.id, claim)
      const nowMs = performance.now()
      const pace = this.#lanes.isSlow(claim.endpointId, nowMs) ? 'slow' : 'quick'
      this.#meters.waitSeconds.observe({ pace }, claim.waitedSeconds)
      const started = this.#lanes.begin(claim.endpointId, nowMs)
      const delivering = nextClaimIsSent
        .then(() => this.#deliver(claim, lease, started))
        .then((mayClaim) => {
          this.#onTheWire.delete(delivering)
          if (mayClaim) this.#wakeSignal.wake()
        })
      this.#onTheWire.add(delivering)
    }
  }

  async ended(): Promise<void> {
    await Promise.all(this.#onTheWire)
  }

  /** The same attempt was claimed before: PostgreSQL crashed and forgot that claim. */
  #isInHand({ id, epoch, attempts }: Claim): boolean {
    const known = this.#inHand.get(id)
    return known !== undefined && known.epoch === epoch && known.attempts === attempts
  }

  /** Never rejects. @returns whether it is worth claiming another delivery for its place */
  async #deliver(claim: Claim, lease: Lease, started: StartedRequest): Promise<boolean> {
    const onWritten = () => {
      if (this.#inHand.get(claim.id) === claim) this.#inHand.delete(claim.id)
      started.written(performance.now())
    }
    try {
      const result = await this.#attempt(claim, lease)
      const { durationMs, error } = result
      const isSuccess = is2xx(result.responseStatus)
      const isSilent = error !== null && SILENT.has(error)
      const mayClaim = started.ended({ isSuccess, isSilent, durationMs }, performance.now())
      // The lane has another owner, which claims the delivery again.
      if (error === NOT_SENT) onWritten()
      else this.#settle(claim, result, isSuccess, onWritten)
      return mayClaim
    } catch (error) {
      // The row stays claimed until the lane changes hands.
      onWritten()
      this.#deps.log.error(
        { err: error, deliveryId: claim.id },
        'webhook attempt not recorded; the delivery is claimed again when its lane changes hands',
      )
      return true
    }
  }

  /** Never rejects: a delivery that cannot be sent is a failed attempt with its reason. */
  async #attempt(claim: Claim, lease: Lease): Promise<Result> {
    if (isPoison(claim)) return { ...notSent('worker_lost'), ...UNSIGNED }
    if (claim.data === null) return { ...notSent('payload_expired'), ...UNSIGNED }
    const { attempt, clock, log, secrets } = this.#deps
    try {
      const { endpointId, secretSealed, previousSecretSealed: previous } = claim
      const key = this.#getKey(endpointId, secretSealed)
      const previousKey = previous && this.#getPreviousKey(endpointId, previous)
      const own = openEndpointHeaders(secrets, endpointId, claim.headersSealed)
      const request = deliveryRequest(claim, key, previousKey, own, clock())
      const answer = await attempt(request, () => lease.isTrusted())
      const sentHeaders = Object.keys(own).join() || null
      return { ...hideHeaders(answer, own), signed: request.signed, sentHeaders }
    } catch (error) {
      log.error({ err: error, deliveryId: claim.id }, 'webhook request could not be built or sent')
      return { ...notSent('internal_error'), ...UNSIGNED }
    }
  }

  #settle(claim: Claim, result: Result, isSuccess: boolean, onWritten: () => void): void {
    const { schedule, clock, onRetry } = this.#deps
    const number = claim.attempts + 1
    const next = isSuccess
      ? { result: 'completed' as const, delaySeconds: 0 }
      : claim.data === null
        ? { result: 'dead' as const, delaySeconds: 0 }
        : afterFailure(schedule, claim)
    if (number > 1) onRetry(claim.workspaceId)
    this.#meters.attempts.inc({
      outcome: isSuccess ? 'completed' : (result.error ?? 'http_error'),
    })
    this.#logAttempt(claim, result, isSuccess)
    this.#flusher.add(toOutcome(claim, result, next, clock()), onWritten)
  }

  /** Leaves out URL, payload and headers, which may contain the receiver's secrets. */
  #logAttempt(claim: Claim, result: Result, isSuccess: boolean): void {
    const { responseStatus: status, error, durationMs } = result
    this.#deps.log[isSuccess ? 'debug' : 'info'](
      {
        eventId: claim.eventId,
        endpointId: claim.endpointId,
        deliveryId: claim.id,
        attempt: claim.attempts + 1,
        ...(status === null ? { error } : { status }),
        durationMs,
      },
      isSuccess ? 'webhook delivered' : 'webhook attempt failed',
    )
  }
}

function toOutcome(
  claim: Claim,
  result: Result,
  next: Pick<Outcome, 'result' | 'delaySeconds'>,
  nowMs: number,
): Outcome {
  const { responseStatus, durationMs, error } = result
  const attempt = claim.attempts + 1
  const at = new Date(nowMs).toISOString()
  return {
    id: claim.id,
    workspaceId: claim.workspaceId,
    endpointId: claim.endpointId,
    epoch: claim.epoch,
    attempt,
    ...next,
    ...result,
    logEntry:
      attempt === 1 && is2xx(responseStatus)
        ? null
        : JSON.stringify({ attempt, at, responseStatus, durationMs, error }),
  }
}

function is2xx(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}

function senderMeters(registry: Registry) {
  const registers = [registry]
  return {
    attempts: new Counter({
      name: 'signpost_delivery_attempts_total',
      help: 'Webhook attempts by outcome: completed, http_error, or the reason why no answer came.',
      labelNames: ['outcome'],
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'signpost_delivery_wait_seconds',
      help: 'Time from when a delivery was due to its claim, by the pace of its endpoint.',
      labelNames: ['pace'],
      buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60, 300],
      registers,
    }),
  }
}
