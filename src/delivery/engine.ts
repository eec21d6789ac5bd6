import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Registry } from 'prom-client'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Secrets } from '../base/secrets.ts'
import { sleep, type Service } from '../base/service.ts'
import type { SystemSql } from '../storage/postgres.ts'
import { NOT_SENT, type Attempt, type Attempted as Answered } from './attempt.ts'
import { createBell, type Bell } from './bell.ts'
import { createFlusher } from './flusher.ts'
import { createGiveWay } from './give-way.ts'
import type { HostRate } from './host-rate.ts'
import { createLanes, type Begun } from './lanes.ts'
import { deliveryMeters } from './meters.ts'
import { shiftSeconds } from './outbox.ts'
import {
  createQueue,
  isPoison,
  type Claim,
  type HeldLane,
  type Outcome,
  type Queue,
} from './queue.ts'
import { deliveryRequest } from './request.ts'
import { afterFailure } from './schedule.ts'
import { createSigningKeys } from './secret.ts'

const HEARTBEAT_EVERY_MS = 3_000
/** Two thirds of the lease: from then on the lanes may be another's, and nothing more is sent. */
const TRUST_MS = 10_000
const SWEEP_EVERY_MS = 1_000
const FORGET_EVERY_SWEEPS = 600
/** Rounds of claims begin at least this far apart, so that each brings many. */
const ROUND_MS = 10
const IDLE_MS = 1_000
const BUSY_MS = 100
const DISOWN_EVERY_MS = 1_000
const MAX_LANES = 4_096
const LANES_PER_ROUND = 256
/** How often lanes that rest make room for others while all places are taken. */
const MAKE_ROOM_EVERY_MS = 1_000
/** How long a shutdown waits for what is on the wire. */
const LAST_ATTEMPTS_MS = 12_000
/** And then for the database to take the outcomes. */
const LAST_FLUSH_MS = 5_000
const SILENT = new Set(['timeout', 'connection_refused', 'dns_error', 'network_error'])

export type EngineDeps = {
  sql: SystemSql
  secrets: Secrets
  attempt: Attempt
  clock: Clock
  log: Log
  registry: Registry
  /** How fast deliveries may go to one host. */
  hostRate: HostRate
  /** Five delays in seconds. */
  schedule: readonly number[]
  /** Told of attempts after the first, which count as API requests of their workspace. */
  onRetries: (workspaceId: string, count: number) => void
}

export type Engine = {
  readonly service: Service
  /**
   * Something became due; without it the engine looks by itself, within a second.
   * @param endpointIds where, separated by commas; empty for anywhere
   */
  wake(endpointIds?: string): void
}

/** With the signatures that were sent; null when nothing was. */
type Attempted = Answered & Pick<Outcome, 'signed'>

/** This worker between two losses of its lease. */
type Self = { queue: Queue; hasBeaten: boolean; trustedUntilMs: number }

/**
 * Delivers what is queued. A worker leases lanes, one per endpoint, claims what is due in them,
 * sends, and writes the outcomes in batches:
 *
 *   acquire lanes ─▶ claim ─▶ attempt ─▶ outcome ─▶ flush ─▶ log, or queue again
 *        ▲             │ every 10 ms while there is work, else once a second;
 *        │             │ lanes with a backlog apart, and less often where others would wait
 *        └── sweep ────┴── lanes idle for two seconds are released
 *
 * A process that dies, or hangs for longer than its lease, loses its lanes to others; what it claimed
 * is sent again. An outcome written late carries an old epoch and changes nothing.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { sql, secrets, attempt, clock, log } = deps
  const lanes = createLanes(deps.hostRate)
  const giveWay = createGiveWay(ROUND_MS)
  const keyOf = createSigningKeys(secrets)
  const flusher = createFlusher({
    flush: (outcomes) => self.queue.flush(outcomes),
    lockedEndpoints: (outcomes) => self.queue.lockedEndpoints(outcomes),
    log,
    observeSeconds: (seconds) => meters.flushSeconds.observe(seconds),
  })
  const meters = deliveryMeters(deps.registry, lanes, flusher.unwritten, giveWay)
  const onTheWire = new Set<Promise<void>>()
  let self = newSelf()
  let mayAcquire = true
  /**
   * An answer was lost, or a lane that was given back was locked: there may be lanes in the name of
   * this worker that it does not hold.
   */
  let isUnsure = false
  let areSomeLeft = false
  let disownedAtMs = -Infinity
  let madeRoomAtMs = -Infinity
  /** Lanes that have a backlog are asked apart from the rest. */
  const bells = { ofBacklogs: createBell(), ofTheRest: createBell() }

  function newSelf(): Self {
    const queue = createQueue(sql, randomUUID(), hostname(), () => shiftSeconds(clock))
    return { queue, hasBeaten: false, trustedUntilMs: -Infinity }
  }

  function wake(endpointIds = ''): void {
    const named = endpointIds === '' ? undefined : endpointIds.split(',')
    if (!lanes.wake(performance.now(), named)) mayAcquire = true
    callUp()
  }

  function callUp(): void {
    for (const bell of Object.values(bells)) bell.ring()
  }

  async function run(signal: AbortSignal): Promise<void> {
    // What is on the wire when the end is announced needs its lease to the last.
    const closed = new AbortController()
    signal.addEventListener('abort', callUp, { once: true })
    const beating = repeat(closed.signal, HEARTBEAT_EVERY_MS, beat)
    const sweeping = repeat(signal, SWEEP_EVERY_MS, sweep)
    await Promise.all([
      claimAll(signal, bells.ofTheRest, () => ROUND_MS, round),
      claimAll(signal, bells.ofBacklogs, giveWay.roundMs, () => claimDue(self, true)),
    ])
    await sweeping
    await close()
    closed.abort()
    await beating
    await self.queue.retire().catch(() => {})
  }

  /** Round after round while there is work, else when the bell rings. */
  async function claimAll(
    signal: AbortSignal,
    bell: Bell,
    roundMs: (nowMs: number) => number,
    once: () => Promise<boolean>,
  ): Promise<void> {
    while (!signal.aborted) {
      let isBusy = false
      bell.mute()
      const begunAtMs = performance.now()
      try {
        isBusy = await once()
      } catch (error) {
        log.warn({ err: error }, 'deliveries cannot be claimed')
        await sleep(IDLE_MS, signal)
      }
      const nowMs = performance.now()
      const leftMs = begunAtMs + roundMs(nowMs) - nowMs
      if (leftMs > 0) await sleep(leftMs, signal)
      if (!isBusy) await bell.heard(lanes.size() > 0 ? BUSY_MS : IDLE_MS)
    }
  }

  async function beat(): Promise<void> {
    if (self.hasBeaten && !isTrusted(self)) startAnew()
    const me = self
    const askedAtMs = performance.now()
    await me.queue.heartbeat()
    me.hasBeaten = true
    me.trustedUntilMs = askedAtMs + TRUST_MS
  }

  /**
   * Others may hold these lanes by now, and a name whose lease lapsed is never used again: what was
   * claimed under it is not sent any more, what is on the wire ends, and its outcome is written unless
   * another worker has taken the lane. This one does not before that.
   */
  function startAnew(): void {
    log.warn({ lanes: lanes.size() }, 'the lease of this worker ran out; its lanes are let go')
    lanes.takeAll()
    self = newSelf()
    mayAcquire = true
  }

  function isTrusted(me: Self): boolean {
    return me === self && performance.now() < me.trustedUntilMs
  }

  let sweeps = 0
  async function sweep(): Promise<void> {
    if (sweeps++ % FORGET_EVERY_SWEEPS === 0) await self.queue.forgetWorkers()
    await self.queue.sweep()
    // What has become due by the time alone is seen now.
    mayAcquire = true
    callUp()
  }

  /** @returns whether there may be more to do at once */
  async function round(): Promise<boolean> {
    if (!isTrusted(self)) await beat()
    const me = self
    if (!isTrusted(me)) return false
    await exchangeLanes(me)
    return claimDue(me, false)
  }

  /**
   * Claims for the lanes that have a backlog, or for the others, and begins to send.
   * @returns whether there may be more to do at once
   */
  async function claimDue(me: Self, isOfBacklogs: boolean): Promise<boolean> {
    if (!isTrusted(me) || flusher.isFull()) return false
    const askedAtMs = performance.now()
    const wanted = lanes.share(askedAtMs, isOfBacklogs)
    if (wanted.length === 0) return false
    const claims = await me.queue.refill(wanted).catch((error: unknown) => {
      lanes.doubt(wanted)
      throw error
    })
    // The process may have been stopped meanwhile, and the lanes may be another's.
    if (!isTrusted(me)) {
      lanes.doubt(wanted)
      return false
    }
    const nowMs = performance.now()
    if (!isOfBacklogs && claims.length > 0) giveWay.took(nowMs - askedAtMs, wanted.length, nowMs)
    lanes.claimed(wanted, claims, askedAtMs, nowMs)
    // By then the next round has asked: the database claims while these are written to their sockets.
    const soon = new Promise<void>((resolve) => setImmediate(resolve))
    for (const claim of claims) start(claim, me, soon)
    // Lanes may have changed sides.
    if (claims.length > 0) (isOfBacklogs ? bells.ofTheRest : bells.ofBacklogs).ring()
    return claims.length > 0
  }

  async function exchangeLanes(me: Self): Promise<void> {
    const nowMs = performance.now()
    areSomeLeft = isUnsure
    if (isUnsure && nowMs - disownedAtMs >= DISOWN_EVERY_MS) {
      disownedAtMs = nowMs
      areSomeLeft = !(await me.queue.disown(lanes.endpointIds()))
    }
    isUnsure = true
    const idle = lanes.takeIdle(performance.now())
    if (idle.length > 0) {
      await release(me, idle)
      // Some of them have more to do.
      mayAcquire = true
    }
    if (mayAcquire) await acquire(me)
    isUnsure = areSomeLeft
  }

  async function release(me: Self, held: readonly HeldLane[]): Promise<void> {
    if (!(await me.queue.release(held))) areSomeLeft = true
  }

  async function acquire(me: Self): Promise<void> {
    const nowMs = performance.now()
    if (lanes.size() > MAX_LANES - LANES_PER_ROUND) {
      if (nowMs - madeRoomAtMs < MAKE_ROOM_EVERY_MS) return
      madeRoomAtMs = nowMs
      await release(me, lanes.takeResting(LANES_PER_ROUND))
    }
    mayAcquire = false
    const acquired = await me.queue.acquire(LANES_PER_ROUND, lanes.unsettledIds())
    if (acquired.length === LANES_PER_ROUND) mayAcquire = true
    // Under a name that was given up meanwhile they are nobody's when its lease ends.
    if (isTrusted(me)) lanes.add(acquired, performance.now())
  }

  function start(claim: Claim, me: Self, soon: Promise<void>): void {
    const nowMs = performance.now()
    const pace = lanes.isSlow(claim.endpointId, nowMs) ? 'slow' : 'quick'
    meters.waitSeconds.observe({ pace }, claim.waitedSeconds)
    const begun = lanes.begin(claim.endpointId, nowMs)
    const delivering = deliver(claim, me, begun, soon).then(() => {
      onTheWire.delete(delivering)
      callUp()
    })
    onTheWire.add(delivering)
  }

  /** Never rejects. */
  async function deliver(claim: Claim, me: Self, begun: Begun, soon: Promise<void>): Promise<void> {
    await soon
    const written = () => begun.written(performance.now())
    try {
      const attempted = await send(claim, () => isTrusted(me))
      const isSuccess = attempted.responseStatus !== null && is2xx(attempted.responseStatus)
      const isSilent = attempted.error !== null && SILENT.has(attempted.error)
      begun.ended({ isSuccess, isSilent, durationMs: attempted.durationMs }, performance.now())
      // Whoever holds the lane now claims it anew.
      if (attempted.error === NOT_SENT) written()
      else settle(claim, attempted, isSuccess, written)
    } catch (error) {
      // Its row stays claimed until the lane changes hands.
      written()
      log.error({ err: error, deliveryId: claim.id }, 'an attempt was not accounted for')
    }
  }

  /** Never rejects: what cannot be sent is a failed attempt with its reason. */
  async function send(claim: Claim, mayStart: () => boolean): Promise<Attempted> {
    const nothing = {
      responseStatus: null,
      durationMs: 0,
      responseBody: null,
      responseHeaders: null,
      signed: null,
    }
    if (isPoison(claim)) return { ...nothing, error: 'worker_lost' }
    if (claim.data === null) return { ...nothing, error: 'payload_expired' }
    try {
      const key = keyOf(claim.endpointId, claim.secretSealed)
      const request = deliveryRequest(claim, key, clock())
      return { ...(await attempt(request, mayStart)), signed: request.signed }
    } catch (error) {
      log.error({ err: error, deliveryId: claim.id }, 'a delivery could not be sent')
      return { ...nothing, error: 'internal_error' }
    }
  }

  function settle(
    claim: Claim,
    attempted: Attempted,
    isSuccess: boolean,
    onWritten: () => void,
  ): void {
    const number = claim.attempts + 1
    const next = isSuccess
      ? { result: 'completed' as const, delaySeconds: 0 }
      : claim.data === null
        ? { result: 'dead' as const, delaySeconds: 0 }
        : afterFailure(deps.schedule, claim)
    if (number > 1) deps.onRetries(claim.workspaceId, 1)
    meters.attempts.inc({ outcome: isSuccess ? 'completed' : (attempted.error ?? 'http_error') })
    flusher.add(outcomeOf(claim, attempted, number, next, clock()), onWritten)
  }

  /** Lanes at rest are others' at once; those with something on the wire when it has ended. */
  async function close(): Promise<void> {
    await giveBack(lanes.takeIdle(performance.now(), 0))
    const ended = new AbortController()
    const allEnded = Promise.all(onTheWire).then(() => ended.abort())
    await Promise.race([allEnded, sleep(LAST_ATTEMPTS_MS, ended.signal)])
    const patience = setTimeout(flusher.giveUp, LAST_FLUSH_MS)
    await flusher.drained()
    clearTimeout(patience)
    await giveBack(lanes.takeAll())
  }

  async function giveBack(held: readonly HeldLane[]): Promise<void> {
    await release(self, held).catch((error: unknown) =>
      log.warn({ err: error }, 'lanes were not released; they are free when the lease ends'),
    )
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
  next: Pick<Outcome, 'result' | 'delaySeconds'>,
  nowMs: number,
): Outcome {
  const { responseStatus, durationMs, error } = attempted
  const isFirstSuccess = number === 1 && responseStatus !== null && is2xx(responseStatus)
  return {
    id: claim.id,
    workspaceId: claim.workspaceId,
    endpointId: claim.endpointId,
    epoch: claim.epoch,
    attempt: number,
    ...next,
    ...attempted,
    logEntry: isFirstSuccess
      ? null
      : JSON.stringify({
          attempt: number,
          at: new Date(nowMs).toISOString(),
          responseStatus,
          durationMs,
          error,
        }),
  }
}

function is2xx(status: number): boolean {
  return status >= 200 && status <= 299
}
