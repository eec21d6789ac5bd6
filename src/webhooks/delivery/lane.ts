import type { Target } from './host-rate.ts'
import type { LanePlace } from './queue/queue-claims.ts'
import type { HeldLane } from './queue/queue-lanes.ts'

const MIN_CAP = 1
const FIRST_CAP = 4
const MAX_CAP = 32
const SUCCESSES_PER_STEP = 20
const QUICK_MS = 1_000
const SLOW_MS = 2_000
const SLOW_AFTER_TIMEOUTS = 3
const MEAN_WEIGHT = 0.2

export type Pace = {
  /** Concurrent requests: grows while the endpoint is quick, halves when it is silent. */
  cap: number
  successes: number
  meanMs: number
  timeouts: number
  isProven: boolean
}

/** A lane that this worker holds. Correctness depends on none of this. */
export type Lane = {
  readonly held: HeldLane
  readonly pace: Pace
  url: string
  target: Target
  inFlight: number
  claiming: number
  unwritten: number
  progressAtMs: number
  claimAtMs: number
  wokenAtMs: number
  idleSinceMs: number
  mayHaveMore: boolean
  isOverRate: boolean
  servedAt: number
  /** Everything up to here was claimed; null: the next claim starts at the head. */
  claimedUpTo: LanePlace | null
  claimedFromHeadAtMs: number
  /** A claim's result was lost: the lane must change hands before it is claimed from again. */
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

export function isAtRest(lane: Lane): boolean {
  return lane.unwritten === 0 && lane.claiming === 0
}

export function isHeldBack(lane: Lane): boolean {
  return lane.mayHaveMore && lane.isOverRate
}

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
