import type { Target } from './host-rate.ts'
import type { LanePlace } from './queue/queue-claims.ts'
import type { HeldLane } from './queue/queue-lanes.ts'

/** Until the first answer, and while no answer comes. */
const MIN_CAP = 1
const FIRST_CAP = 4
const MAX_CAP = 32
const SUCCESSES_PER_STEP = 20
const QUICK_MS = 1_000
const SLOW_MS = 2_000
const SLOW_AFTER_TIMEOUTS = 3
/** Weight of one duration in the running mean. */
const MEAN_WEIGHT = 0.2

/** The speed of an endpoint, learnt from its answers. */
export type Pace = {
  /** Requests that the endpoint may have at once: grows while it is quick, halves when it is silent. */
  cap: number
  successes: number
  meanMs: number
  timeouts: number
  /** It has been sent a request that has ended. */
  isProven: boolean
}

/** State of a lane that this worker holds; correctness depends on none of it. */
export type Lane = {
  readonly held: HeldLane
  readonly pace: Pace
  /** Destination of its deliveries, as of the last claim. */
  url: string
  target: Target
  inFlight: number
  /** Deliveries in a claim whose result has not arrived. */
  claiming: number
  /** Attempts begun whose outcomes are not written. */
  unwritten: number
  /** The last time that a request was sent or ended. */
  progressAtMs: number
  /** The earliest time of the next claim. */
  claimAtMs: number
  /** The last wake-up that named it. */
  wokenAtMs: number
  idleSinceMs: number
  /** False when the last claim found nothing due. */
  mayHaveMore: boolean
  /** The rate of its host left nothing for it in the last round. */
  isOverRate: boolean
  servedAt: number
  /** Everything up to here was claimed; null where the next claim begins at the head. */
  claimedUpTo: LanePlace | null
  claimedFromHeadAtMs: number
  /** The result of a claim was lost: the lane must change hands before more of it is claimed. */
  isDoubtful: boolean
}

export type LaneKind = 'quick' | 'slow' | 'unproven'
export type Ended = { isSuccess: boolean; isSilent: boolean; durationMs: number }

export function newLane(held: HeldLane, pace: Pace, target: Target, nowMs: number): Lane {
  return {
    held,
    pace,
    url: held.url,
    target,
    inFlight: 0,
    claiming: 0,
    unwritten: 0,
    progressAtMs: nowMs,
    claimAtMs: nowMs,
    wokenAtMs: -Infinity,
    idleSinceMs: nowMs,
    mayHaveMore: true,
    isOverRate: false,
    servedAt: 0,
    claimedUpTo: null,
    claimedFromHeadAtMs: -Infinity,
    isDoubtful: false,
  }
}

export function newPace(): Pace {
  return { cap: FIRST_CAP, successes: 0, meanMs: 0, timeouts: 0, isProven: false }
}

export function getCap({ pace }: Lane): number {
  return pace.isProven ? pace.cap : MIN_CAP
}

export function getKind({ pace, inFlight, progressAtMs }: Lane, nowMs: number): LaneKind {
  const isStuck = inFlight > 0 && nowMs - progressAtMs > SLOW_MS
  if (isStuck || pace.timeouts >= SLOW_AFTER_TIMEOUTS || pace.meanMs > SLOW_MS) return 'slow'
  return pace.isProven ? 'quick' : 'unproven'
}

/** Nothing of it is on the wire, unwritten or being claimed. */
export function isAtRest(lane: Lane): boolean {
  return lane.unwritten === 0 && lane.claiming === 0
}

/** Only the rate of its host holds its deliveries back. */
export function isHeldBack(lane: Lane): boolean {
  return lane.mayHaveMore && lane.isOverRate
}

/** Additive increase, multiplicative decrease. */
export function learn(pace: Pace, { isSuccess, isSilent, durationMs }: Ended): void {
  const wasProven = pace.isProven
  pace.meanMs += (durationMs - pace.meanMs) * (wasProven ? MEAN_WEIGHT : 1)
  pace.isProven = true
  pace.timeouts = isSilent ? pace.timeouts + 1 : 0
  if (isSilent) pace.cap = wasProven ? Math.max(MIN_CAP, Math.floor(pace.cap / 2)) : MIN_CAP
  if (!isSuccess || durationMs > QUICK_MS) return
  pace.successes++
  if (pace.successes % SUCCESSES_PER_STEP === 0) pace.cap = Math.min(MAX_CAP, pace.cap + 1)
}
