import { FairShare, MAX_IN_FLIGHT } from './fair-share.ts'
import type { HostRate } from './host-rate.ts'
import {
  getKind,
  isAtRest,
  isHeldBack,
  learn,
  newLane,
  newPace,
  type Ended,
  type Lane,
  type Pace,
} from './lane.ts'
import type { LanePlace, Wanted } from './queue/queue-claims.ts'
import type { HeldLane } from './queue/queue-lanes.ts'

const CLAIM_AGAIN_MS = 1_000
/**
 * While a lane returns all that is wanted, the next claim starts where the last one ended, because rows delivered
 * since the last vacuum would be read past each time. This often, one starts at the head, where late commits and
 * retries may be.
 */
const FROM_HEAD_EVERY_MS = 500
const KEPT_IDLE_MS = 2_000
/** With fewer requests on the wire, no lane was waiting for a place. */
const FEW_IN_FLIGHT = MAX_IN_FLIGHT / 8
const MAX_REMEMBERED = 10_000

export type StartedRequest = {
  /** @returns whether it is worth claiming another delivery for its place */
  ended(outcome: Ended, nowMs: number): boolean
  written(nowMs: number): void
}

export class Lanes {
  readonly #hostRate: HostRate
  readonly #fairShare: FairShare
  readonly #lanes = new Map<string, Lane>()
  readonly #remembered = new Map<string, Pace>()
  /** Released with unwritten outcomes: acquired before those are written, their deliveries would be sent again. */
  readonly #unsettled = new Set<Lane>()
  #inFlight = 0
  #claiming = 0

  constructor(hostRate: HostRate) {
    this.#hostRate = hostRate
    this.#fairShare = new FairShare(hostRate)
  }

  get size(): number {
    return this.#lanes.size
  }

  get inFlight(): number {
    return this.#inFlight
  }

  countHeldBack(): number {
    return Array.from(this.#lanes.values()).filter(isHeldBack).length
  }

  endpointIds(): string[] {
    return Array.from(this.#lanes.keys())
  }

  unsettledIds(): string[] {
    return Array.from(this.#unsettled, (lane) => lane.held.endpointId)
  }

  isSlow(endpointId: string, nowMs: number): boolean {
    const lane = this.#lanes.get(endpointId)
    return lane !== undefined && getKind(lane, nowMs) === 'slow'
  }

  add(acquired: readonly HeldLane[], nowMs: number): void {
    for (const held of acquired) {
      const pace = this.#remembered.get(held.endpointId) ?? newPace()
      const target = this.#hostRate.hold(held.url, nowMs)
      this.#lanes.set(held.endpointId, newLane(held, pace, target, nowMs))
    }
  }

  /** @returns whether this worker holds all of them */
  wake(nowMs: number, endpointIds?: readonly string[]): boolean {
    const woken = endpointIds?.map((id) => this.#lanes.get(id)) ?? Array.from(this.#lanes.values())
    for (const lane of woken) {
      if (!lane) continue
      lane.claimAtMs = Math.min(lane.claimAtMs, nowMs)
      lane.wokenAtMs = nowMs
      lane.mayHaveMore = true
    }
    return endpointIds !== undefined && !woken.includes(undefined)
  }

  /**
   * Reserved until {@link claimed} or {@link doubt}. Lanes with a backlog are claimed from separately, so that a
   * claim of one delivery does not wait for claims of hundreds.
   */
  share(nowMs: number, isBacklog: boolean): Wanted[] {
    const places = MAX_IN_FLIGHT - this.#inFlight - this.#claiming
    const given = this.#fairShare.distribute(this.#lanes.values(), isBacklog, places, nowMs)
    return given.map(({ lane, count }) => {
      lane.claiming = count
      this.#claiming += count
      const isFromHead = nowMs - lane.claimedFromHeadAtMs >= FROM_HEAD_EVERY_MS
      return { lane: lane.held, free: count, after: isFromHead ? null : lane.claimedUpTo }
    })
  }

  /**
   * A lane that returned less than it might has nothing more due, unless it was woken after `claimedAtMs` or the
   * claim did not start at its head.
   */
  claimed(
    wanted: readonly Wanted[],
    claims: readonly (LanePlace & { endpointId: string; url: string })[],
    claimedAtMs: number,
    nowMs: number,
  ): void {
    const results = groupByLane(claims)
    for (const { lane: held, free, after } of wanted) {
      const lane = this.#endClaim(held, free)
      if (!lane) continue
      const { count, last, url } = results.get(held.endpointId) ?? NOTHING_CLAIMED
      this.#hostRate.take(lane.target, count - free)
      if (url !== null && url !== lane.url) this.#redirect(lane, url, count, nowMs)
      if (count > 0) lane.idleSinceMs = nowMs
      if (!after) lane.claimedFromHeadAtMs = claimedAtMs
      lane.claimedUpTo = count < free || !last ? null : { dueAtUs: last.dueAtUs, id: last.id }
      const isEmpty = count < free && !after && lane.wokenAtMs < claimedAtMs
      lane.claimAtMs = isEmpty ? nowMs + CLAIM_AGAIN_MS : nowMs
      lane.mayHaveMore = !isEmpty
    }
  }

  /** The result was lost: it may have claimed deliveries that this worker does not know of. */
  doubt(wanted: readonly Wanted[]): void {
    for (const { lane: held, free } of wanted) {
      const lane = this.#endClaim(held, free)
      if (!lane) continue
      lane.isDoubtful = true
      this.#hostRate.take(lane.target, -free)
    }
  }

  begin(endpointId: string, nowMs: number): StartedRequest {
    const lane = this.#lanes.get(endpointId)
    this.#inFlight++
    if (lane) {
      if (lane.inFlight === 0) lane.progressAtMs = nowMs
      lane.inFlight++
      lane.unwritten++
    }
    return {
      ended: (outcome, endedAtMs) => {
        this.#inFlight--
        if (!lane) return true
        lane.inFlight--
        lane.progressAtMs = endedAtMs
        lane.idleSinceMs = endedAtMs
        learn(lane.pace, outcome)
        return lane.mayHaveMore || this.#inFlight >= FEW_IN_FLIGHT
      },
      written: (writtenAtMs) => {
        if (!lane) return
        lane.unwritten--
        lane.idleSinceMs = writtenAtMs
        if (lane.unwritten === 0) this.#unsettled.delete(lane)
      },
    }
  }

  /** A lane that waits for its host rate is not idle: once released, it would be acquired again at once. */
  takeIdle(nowMs: number, idleMs = KEPT_IDLE_MS): HeldLane[] {
    const isIdle = (lane: Lane) =>
      idleMs === 0 || (nowMs - lane.idleSinceMs >= idleMs && !isHeldBack(lane))
    return this.#take(this.#atRest().filter((lane) => lane.isDoubtful || isIdle(lane)))
  }

  /** Gives others a turn, even if these lanes have more to send; first those that could send nothing now. */
  takeResting(count: number): HeldLane[] {
    const atRest = this.#atRest()
    const heldBack = atRest.filter(isHeldBack)
    const others = atRest.filter((lane) => !isHeldBack(lane))
    return this.#take([...heldBack, ...others].slice(0, count))
  }

  takeAll(): HeldLane[] {
    return this.#take(Array.from(this.#lanes.values()))
  }

  #atRest(): Lane[] {
    return Array.from(this.#lanes.values()).filter(isAtRest)
  }

  #take(taken: readonly Lane[]): HeldLane[] {
    for (const lane of taken) {
      const { held, pace } = lane
      if (lane.unwritten > 0) this.#unsettled.add(lane)
      this.#lanes.delete(held.endpointId)
      this.#hostRate.release(lane.target)
      this.#remembered.delete(held.endpointId)
      if (!pace.isProven) continue
      this.#remembered.set(held.endpointId, pace)
      if (this.#remembered.size > MAX_REMEMBERED)
        this.#remembered.delete(this.#remembered.keys().next().value!)
    }
    return taken.map(({ held }) => held)
  }

  /** @returns undefined when the lane was removed during the claim */
  #endClaim(held: HeldLane, free: number): Lane | undefined {
    this.#claiming -= free
    const lane = this.#lanes.get(held.endpointId)
    if (lane?.held !== held) return undefined
    lane.claiming = 0
    return lane
  }

  /** The URL has changed: moves reserved tokens from the old target to the new one. */
  #redirect(lane: Lane, url: string, count: number, nowMs: number): void {
    this.#hostRate.take(lane.target, -count)
    this.#hostRate.release(lane.target)
    lane.url = url
    lane.target = this.#hostRate.hold(url, nowMs)
    this.#hostRate.take(lane.target, count)
  }
}

type LaneResult = { count: number; last: LanePlace | null; url: string | null }

const NOTHING_CLAIMED: LaneResult = { count: 0, last: null, url: null }

function groupByLane(claims: readonly (LanePlace & { endpointId: string; url: string })[]) {
  const results = new Map<string, LaneResult>()
  for (const claim of claims) {
    const result = results.get(claim.endpointId)
    if (!result) results.set(claim.endpointId, { count: 1, last: claim, url: claim.url })
    else {
      result.count++
      if (isBehind(claim, result.last!)) result.last = claim
    }
  }
  return results
}

function isBehind(one: LanePlace, other: LanePlace): boolean {
  return one.dueAtUs > other.dueAtUs || (one.dueAtUs === other.dueAtUs && one.id > other.id)
}
