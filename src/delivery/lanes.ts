import type { HeldLane } from './queue.ts'

/** Requests on the wire at once, in this process. */
const MAX_IN_FLIGHT = 512
/** Lanes whose receivers are slow or silent share a quarter of them. */
const MAX_SLOW_IN_FLIGHT = MAX_IN_FLIGHT / 4
const FIRST_CAP = 4
const HIGHEST_CAP = 32
const SUCCESSES_PER_STEP = 20
const QUICK_MS = 1_000
const SLOW_MS = 2_000
const SLOW_AFTER_TIMEOUTS = 3
/** How much a duration counts in the lane's running mean. */
const MEAN_WEIGHT = 0.2
/** How soon a lane that had nothing due is asked again. */
const LOOK_AGAIN_MS = 100
/** How long a lane is kept that has nothing to do. */
const KEPT_IDLE_MS = 2_000

/** What this worker knows of a lane it holds; nothing of it is needed for correctness. */
export type Lane = {
  readonly held: HeldLane
  inFlight: number
  /** How many requests this endpoint may have at once: grows while it is quick, halves when silent. */
  cap: number
  successes: number
  meanMs: number
  timeouts: number
  /** Asked again not before this. */
  lookAtMs: number
  idleSinceMs: number
}

/** The lanes of one worker: who may send how much, and in whose turn. */
export function createLanes() {
  const lanes = new Map<string, Lane>()
  let inFlight = 0

  function add(held: readonly HeldLane[], nowMs: number): void {
    for (const each of held)
      lanes.set(each.endpointId, {
        held: each,
        inFlight: 0,
        cap: FIRST_CAP,
        successes: 0,
        meanMs: 0,
        timeouts: 0,
        lookAtMs: nowMs,
        idleSinceMs: nowMs,
      })
  }

  /** Something may be due in any of them. */
  function wake(nowMs: number): void {
    for (const lane of lanes.values()) lane.lookAtMs = Math.min(lane.lookAtMs, nowMs)
  }

  /**
   * How many deliveries each lane may claim now: one at a time in turn over workspaces, so that a
   * workspace with a thousand endpoints has as much as one with one, until nothing is free.
   */
  function share(nowMs: number): { lane: HeldLane; free: number }[] {
    let budget = MAX_IN_FLIGHT - inFlight
    let slowBudget = MAX_SLOW_IN_FLIGHT - slowInFlight()
    const turns = new Map<string, { lane: Lane; free: number }[]>()
    const given: { lane: Lane; free: number }[] = []
    for (const lane of lanes.values()) {
      if (lane.lookAtMs > nowMs || lane.inFlight >= lane.cap) continue
      const row = { lane, free: 0 }
      given.push(row)
      const workspace = turns.get(lane.held.workspaceId)
      if (workspace) workspace.push(row)
      else turns.set(lane.held.workspaceId, [row])
    }
    while (budget > 0 && turns.size > 0) {
      for (const [workspaceId, rows] of turns) {
        const row = rows.shift()
        if (row === undefined) {
          turns.delete(workspaceId)
          continue
        }
        if (budget === 0) break
        if (isSlow(row.lane) && slowBudget-- <= 0) continue
        budget--
        row.free++
        if (row.lane.inFlight + row.free < row.lane.cap) rows.push(row)
      }
    }
    return given.filter(({ free }) => free > 0).map(({ lane, free }) => ({ lane: lane.held, free }))
  }

  /** What a round of claims brought: a lane that gave less than it might has nothing more due. */
  function claimed(
    asked: readonly { lane: HeldLane; free: number }[],
    counts: ReadonlyMap<string, number>,
    nowMs: number,
  ): void {
    for (const { lane: held, free } of asked) {
      const lane = lanes.get(held.endpointId)
      if (lane?.held !== held) continue
      const got = counts.get(held.endpointId) ?? 0
      if (got > 0) lane.idleSinceMs = nowMs
      lane.lookAtMs = got < free ? nowMs + LOOK_AGAIN_MS : nowMs
    }
  }

  /** @returns what must be called when the attempt has ended */
  function begin(endpointId: string): (ended: Ended, nowMs: number) => void {
    const lane = lanes.get(endpointId)
    inFlight++
    if (lane) lane.inFlight++
    return (ended, nowMs) => {
      inFlight--
      if (!lane) return
      lane.inFlight--
      lane.idleSinceMs = nowMs
      learn(lane, ended)
    }
  }

  /** Lanes that have been idle for a while; they are no longer held. */
  function takeIdle(nowMs: number): HeldLane[] {
    const idle = [...lanes.values()].filter(
      (lane) => lane.inFlight === 0 && nowMs - lane.idleSinceMs >= KEPT_IDLE_MS,
    )
    for (const { held } of idle) lanes.delete(held.endpointId)
    return idle.map(({ held }) => held)
  }

  /** All of them, whatever is on the wire. */
  function takeAll(): HeldLane[] {
    const all = [...lanes.values()].map(({ held }) => held)
    lanes.clear()
    return all
  }

  function slowInFlight(): number {
    let sum = 0
    for (const lane of lanes.values()) if (isSlow(lane)) sum += lane.inFlight
    return sum
  }

  return {
    add,
    wake,
    share,
    claimed,
    begin,
    takeIdle,
    takeAll,
    size: () => lanes.size,
    inFlight: () => inFlight,
  }
}

export type Ended = { isSuccess: boolean; isSilent: boolean; durationMs: number }

function isSlow(lane: Lane): boolean {
  return lane.timeouts >= SLOW_AFTER_TIMEOUTS || lane.meanMs > SLOW_MS
}

/** Additive increase, multiplicative decrease. */
function learn(lane: Lane, { isSuccess, isSilent, durationMs }: Ended): void {
  lane.meanMs += (durationMs - lane.meanMs) * MEAN_WEIGHT
  lane.timeouts = isSilent ? lane.timeouts + 1 : 0
  if (isSilent) lane.cap = Math.max(1, Math.floor(lane.cap / 2))
  if (!isSuccess || durationMs > QUICK_MS) return
  lane.successes++
  if (lane.successes % SUCCESSES_PER_STEP === 0) lane.cap = Math.min(HIGHEST_CAP, lane.cap + 1)
}
