import type { HostRate } from './host-rate.ts'
import { getCap, getKind, type Lane, type LaneKind } from './lane.ts'

export const MAX_IN_FLIGHT = 1_024
/**
 * Slow receivers share a quarter of them, and so do receivers that have not answered yet; together they get
 * at most three quarters. The last quarter is for receivers known to be quick.
 */
const MAX_OF_KIND = MAX_IN_FLIGHT / 4
const MAX_NOT_QUICK = (MAX_IN_FLIGHT * 3) / 4
/** With this many unwritten outcomes, as when its rows are locked, an endpoint is sent nothing more. */
const MAX_UNWRITTEN_OF_LANE = 1_000

export type Candidate = { lane: Lane; max: number; count: number }
type Workspace = { candidates: Candidate[]; inFlight: number; servedAt: number }
type Census = { workspaces: Workspace[]; candidates: Candidate[]; room: Room }

/**
 * The workspace with the fewest requests on the wire comes first, and among equals the one that waited longest;
 * the same applies to the lanes of a workspace. So a workspace with a thousand endpoints gets as much as one with
 * a single endpoint.
 */
export class FairShare {
  readonly #hostRate: HostRate
  #turn = 0

  constructor(hostRate: HostRate) {
    this.#hostRate = hostRate
  }

  /**
   * Reserves the host rate for what it hands out.
   * @param isBacklog only lanes with a backlog, or only those without
   */
  distribute(lanes: Iterable<Lane>, isBacklog: boolean, places: number, nowMs: number) {
    const { workspaces, candidates, room } = collectCandidates(lanes, isBacklog, nowMs)
    this.#hostRate.limit(candidates, nowMs, MAX_IN_FLIGHT)
    for (const { lane, max } of candidates) lane.isOverRate = max === 0
    const byLoad: Workspace[][] = []
    for (const workspace of workspaces) (byLoad[workspace.inFlight] ??= []).push(workspace)
    const given: Candidate[] = []
    let left = places
    for (let load = 0; load < byLoad.length && left > 0; load++)
      for (const workspace of byLoad[load] ?? []) {
        if (left === 0) break
        const served = this.#serve(workspace, room, nowMs)
        if (!served) continue
        if (served.count === 1) given.push(served)
        left--
        ;(byLoad[load + 1] ??= []).push(workspace)
      }
    return given
  }

  #serve({ candidates }: Workspace, room: Room, nowMs: number): Candidate | undefined {
    for (let candidate = candidates.shift(); candidate; candidate = candidates.shift()) {
      const { lane, max } = candidate
      const kind = getKind(lane, nowMs)
      if (max === 0 || !room.has(kind)) continue
      lane.isOverRate = !this.#hostRate.takeOne(lane.target)
      if (lane.isOverRate) continue
      room.take(kind)
      candidate.count++
      lane.servedAt = ++this.#turn
      if (candidate.count < max) candidates.push(candidate)
      return candidate
    }
    return undefined
  }
}

function collectCandidates(lanes: Iterable<Lane>, isBacklog: boolean, nowMs: number): Census {
  const all = new Map<string, Workspace>()
  const candidates: Candidate[] = []
  const inFlight = { slow: 0, unproven: 0, quick: 0 }
  for (const lane of lanes) {
    if (lane.inFlight > 0) inFlight[getKind(lane, nowMs)] += lane.inFlight
    const isCandidate = mayClaim(lane, isBacklog, nowMs)
    const taken = lane.inFlight + lane.claiming
    if (!isCandidate && taken === 0) continue
    const { workspaceId } = lane.held
    let workspace = all.get(workspaceId)
    if (!workspace) all.set(workspaceId, (workspace = { candidates: [], inFlight: 0, servedAt: 0 }))
    workspace.inFlight += taken
    workspace.servedAt = Math.max(workspace.servedAt, lane.servedAt)
    if (!isCandidate) continue
    const candidate = { lane, max: getCap(lane) - lane.inFlight, count: 0 }
    workspace.candidates.push(candidate)
    candidates.push(candidate)
  }
  const workspaces = Array.from(all.values())
    .filter((workspace) => workspace.candidates.length > 0)
    .toSorted((a, b) => a.servedAt - b.servedAt)
  for (const workspace of workspaces)
    workspace.candidates.sort(
      (a, b) => a.lane.inFlight - b.lane.inFlight || a.lane.servedAt - b.lane.servedAt,
    )
  return { workspaces, candidates, room: new Room(inFlight) }
}

function mayClaim(lane: Lane, isBacklog: boolean, nowMs: number): boolean {
  return (
    lane.claimAtMs <= nowMs &&
    lane.claiming === 0 &&
    (lane.claimedUpTo !== null) === isBacklog &&
    lane.inFlight < getCap(lane) &&
    lane.unwritten - lane.inFlight < MAX_UNWRITTEN_OF_LANE &&
    !lane.isDoubtful
  )
}

class Room {
  readonly #left: { slow: number; unproven: number; notQuick: number }

  constructor({ slow, unproven }: Record<LaneKind, number>) {
    this.#left = {
      slow: MAX_OF_KIND - slow,
      unproven: MAX_OF_KIND - unproven,
      notQuick: MAX_NOT_QUICK - slow - unproven,
    }
  }

  has(kind: LaneKind): boolean {
    return kind === 'quick' || (this.#left[kind] > 0 && this.#left.notQuick > 0)
  }

  take(kind: LaneKind): void {
    if (kind === 'quick') return
    this.#left[kind]--
    this.#left.notQuick--
  }
}
