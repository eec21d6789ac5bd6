import type { HostRate, Target } from './host-rate.ts'
import type { HeldLane, LanePlace, Wanted } from './queue.ts'

/** Requests on the wire at once, in this process; perhaps all to one origin that many endpoints share. */
export const MAX_IN_FLIGHT = 1_024
/**
 * Lanes whose receivers are slow share a quarter of them, and so do those that have not answered yet;
 * together at most three quarters. The last quarter belongs to receivers that are known to be quick.
 */
const MAX_SLOW = MAX_IN_FLIGHT / 4
const MAX_UNPROVEN = MAX_IN_FLIGHT / 4
const MAX_NOT_QUICK = (MAX_IN_FLIGHT * 3) / 4
/**
 * So many of them begin with one claim: what begins together times out together and is written
 * together, which others would feel. There are ten to a hundred claims a second.
 */
const MAX_SLOW_PER_ROUND = 8
const MAX_UNPROVEN_PER_ROUND = 16
/** Until the first answer, and while nothing comes back. */
const LOWEST_CAP = 1
const FIRST_CAP = 4
const HIGHEST_CAP = 32
const SUCCESSES_PER_STEP = 20
const QUICK_MS = 1_000
const SLOW_MS = 2_000
const SLOW_AFTER_TIMEOUTS = 3
/** So many outcomes of one endpoint unwritten, as when its rows are locked, and nothing more of it is sent. */
const MAX_UNWRITTEN_OF_LANE = 1_000
/** How much a duration counts in the lane's running mean. */
const MEAN_WEIGHT = 0.2
/** How soon a lane that had nothing due is asked again, unless it is told. */
const LOOK_AGAIN_MS = 250
/**
 * While a lane gives all that is asked of it, the next round begins where the last one ended: what was
 * delivered since the last vacuum lies before that, and would be read past each time. So often it
 * begins at the head, where what was committed late or made due by hand may stand.
 */
const WHOLE_LOOK_EVERY_MS = 500
/** How long a lane is kept that has nothing to do. */
const KEPT_IDLE_MS = 2_000
/** What was learnt of lanes that are not held any more. */
const MAX_REMEMBERED = 10_000

type Pace = {
  /** How many requests this endpoint may have at once: grows while it is quick, halves when silent. */
  cap: number
  successes: number
  meanMs: number
  timeouts: number
  isProven: boolean
}

/** What this worker knows of a lane it holds; nothing of it is needed for correctness. */
type Lane = {
  readonly held: HeldLane
  readonly pace: Pace
  /** Where its deliveries go, as far as is known: a change is seen with the next claim. */
  url: string
  target: Target
  inFlight: number
  /** So many were asked for, and the answer is not there. */
  asked: number
  /** Attempts that have ended and whose outcomes are not written. */
  unwritten: number
  /** When something was last sent or came back. */
  progressAtMs: number
  /** Asked again not before this. */
  lookAtMs: number
  /** When something was last said to be due in it. */
  toldAtMs: number
  idleSinceMs: number
  /** False when the last look found that nothing is due. */
  mayHaveMore: boolean
  /** It asked last when its host could get nothing more. */
  isOverRate: boolean
  servedAt: number
  /** Up to here everything was claimed; null where the next look begins at the head. */
  claimedUpTo: LanePlace | null
  wholeLookAtMs: number
  /** What was claimed of it is not known: it must change hands before more is. */
  isDoubtful: boolean
}

type Workspace = { lanes: Asking[]; inFlight: number; servedAt: number }
type Asking = { lane: Lane; free: number; most: number }

export type Ended = { isSuccess: boolean; isSilent: boolean; durationMs: number }

export type Begun = {
  ended(outcome: Ended, nowMs: number): void
  /** The outcome is in the database, or will never be. */
  written(nowMs: number): void
}

export type Lanes = ReturnType<typeof createLanes>

/** The lanes of one worker: who may send how much, and in whose turn. */
export function createLanes(hostRate: HostRate) {
  const lanes = new Map<string, Lane>()
  const remembered = new Map<string, Pace>()
  /** No longer held, but their outcomes are on the way: taken anew, their deliveries would go out again. */
  const unsettled = new Set<Lane>()
  let inFlight = 0
  let asked = 0
  let turn = 0

  function add(held: readonly HeldLane[], nowMs: number): void {
    for (const each of held)
      lanes.set(each.endpointId, {
        held: each,
        pace: remembered.get(each.endpointId) ?? newPace(),
        url: each.url,
        target: hostRate.hold(each.url, nowMs),
        inFlight: 0,
        asked: 0,
        unwritten: 0,
        progressAtMs: nowMs,
        lookAtMs: nowMs,
        toldAtMs: -Infinity,
        idleSinceMs: nowMs,
        mayHaveMore: true,
        isOverRate: false,
        servedAt: 0,
        claimedUpTo: null,
        wholeLookAtMs: -Infinity,
        isDoubtful: false,
      })
  }

  /** Something may be due in these, or in any of them. @returns whether all of them are held */
  function wake(nowMs: number, endpointIds?: readonly string[]): boolean {
    let isEachHeld = endpointIds !== undefined
    const woken = endpointIds?.map((id) => lanes.get(id)) ?? lanes.values()
    for (const lane of woken) {
      if (!lane) {
        isEachHeld = false
        continue
      }
      lane.lookAtMs = Math.min(lane.lookAtMs, nowMs)
      lane.toldAtMs = nowMs
      lane.mayHaveMore = true
    }
    return isEachHeld
  }

  /**
   * How many deliveries each lane may claim now. Whoever has the least on the wire comes first, and
   * among equals whoever waited longest: workspaces among each other, then the lanes of each. So a
   * workspace with a thousand endpoints has as much as one with one.
   *
   * What a target has no rate for is not asked: such a lane keeps no place that others could have.
   *
   * Lanes with a backlog are asked apart from the rest, so that a claim of one delivery is not the
   * longer for those of hundreds. Every share is followed by {@link claimed} or {@link doubt}.
   */
  function share(nowMs: number, isOfBacklogs: boolean): Wanted[] {
    const { workspaces, slow, unproven } = census(nowMs, isOfBacklogs)
    let budget = MAX_IN_FLIGHT - inFlight - asked
    const left = {
      slow: Math.min(MAX_SLOW - slow, MAX_SLOW_PER_ROUND),
      unproven: Math.min(MAX_UNPROVEN - unproven, MAX_UNPROVEN_PER_ROUND),
    }
    let notQuickLeft = MAX_NOT_QUICK - slow - unproven
    const given = new Set<Asking>()

    function serve(workspace: Workspace): boolean {
      for (let asking = workspace.lanes.shift(); asking; asking = workspace.lanes.shift()) {
        const { lane } = asking
        if (asking.most === 0) continue
        const kind = kindOf(lane, nowMs)
        const hasNoRoom = kind !== 'quick' && (left[kind] <= 0 || notQuickLeft <= 0)
        if (hasNoRoom) continue
        lane.isOverRate = !hostRate.takeOne(lane.target)
        if (lane.isOverRate) continue
        if (kind !== 'quick') {
          left[kind]--
          notQuickLeft--
        }
        budget--
        asking.free++
        given.add(asking)
        lane.servedAt = ++turn
        if (asking.free < asking.most) workspace.lanes.push(asking)
        return true
      }
      return false
    }

    const levels: Workspace[][] = []
    for (const workspace of workspaces) (levels[workspace.inFlight] ??= []).push(workspace)
    for (let level = 0; level < levels.length && budget > 0; level++) {
      for (const workspace of levels[level] ?? []) {
        if (budget === 0) break
        if (serve(workspace)) (levels[level + 1] ??= []).push(workspace)
      }
    }
    return Array.from(given, ({ lane, free }) => {
      lane.asked = free
      asked += free
      const isWhole = nowMs - lane.wholeLookAtMs >= WHOLE_LOOK_EVERY_MS
      return { lane: lane.held, free, after: isWhole ? null : lane.claimedUpTo }
    })
  }

  /** Who may ask, those that waited longest first; and what is on the wire of lanes that are not quick. */
  function census(nowMs: number, isOfBacklogs: boolean) {
    const all = new Map<string, Workspace>()
    const everyAsking: Asking[] = []
    const onTheWire = { slow: 0, unproven: 0, quick: 0 }
    for (const lane of lanes.values()) {
      if (lane.inFlight > 0) onTheWire[kindOf(lane, nowMs)] += lane.inFlight
      const isAsking =
        lane.lookAtMs <= nowMs &&
        lane.asked === 0 &&
        (lane.claimedUpTo !== null) === isOfBacklogs &&
        lane.inFlight < capOf(lane) &&
        lane.unwritten - lane.inFlight < MAX_UNWRITTEN_OF_LANE &&
        !lane.isDoubtful
      const taken = lane.inFlight + lane.asked
      if (!isAsking && taken === 0) continue
      const { workspaceId } = lane.held
      let workspace = all.get(workspaceId)
      if (!workspace) all.set(workspaceId, (workspace = { lanes: [], inFlight: 0, servedAt: 0 }))
      workspace.inFlight += taken
      workspace.servedAt = Math.max(workspace.servedAt, lane.servedAt)
      if (!isAsking) continue
      const asking = { lane, free: 0, most: capOf(lane) - lane.inFlight }
      workspace.lanes.push(asking)
      everyAsking.push(asking)
    }
    hostRate.shareOut(everyAsking, nowMs, MAX_IN_FLIGHT)
    for (const { lane, most } of everyAsking) lane.isOverRate = most === 0
    const workspaces = Array.from(all.values())
      .filter((workspace) => workspace.lanes.length > 0)
      .toSorted((a, b) => a.servedAt - b.servedAt)
    for (const workspace of workspaces)
      workspace.lanes.sort(
        (a, b) => a.lane.inFlight - b.lane.inFlight || a.lane.servedAt - b.lane.servedAt,
      )
    return { workspaces, ...onTheWire }
  }

  /**
   * What a round of claims brought: a lane that gave less than it might has nothing more due, unless
   * it was told after `askedAtMs`, or was not asked from its head.
   */
  function claimed(
    wanted: readonly Wanted[],
    claims: readonly (LanePlace & { endpointId: string; url: string })[],
    askedAtMs: number,
    nowMs: number,
  ): void {
    const got = new Map<string, { count: number; last: LanePlace; url: string }>()
    for (const claim of claims) {
      const before = got.get(claim.endpointId)
      if (!before) got.set(claim.endpointId, { count: 1, last: claim, url: claim.url })
      else {
        before.count++
        if (isBehind(claim, before.last)) before.last = claim
      }
    }
    for (const { lane: held, free, after } of wanted) {
      asked -= free
      const lane = lanes.get(held.endpointId)
      if (lane?.held !== held) continue
      lane.asked = 0
      const { count, last, url } = got.get(held.endpointId) ?? { count: 0, last: null, url: null }
      hostRate.take(lane.target, count - free)
      if (url !== null && url !== lane.url) redirect(lane, url, count, nowMs)
      if (count > 0) lane.idleSinceMs = nowMs
      if (!after) lane.wholeLookAtMs = askedAtMs
      lane.claimedUpTo = count < free || !last ? null : { dueAtUs: last.dueAtUs, id: last.id }
      const isEmpty = count < free && !after && lane.toldAtMs < askedAtMs
      lane.lookAtMs = isEmpty ? nowMs + LOOK_AGAIN_MS : nowMs
      lane.mayHaveMore = !isEmpty
    }
  }

  /** The endpoint has another URL: what was reserved at the old target is used at the new one. */
  function redirect(lane: Lane, url: string, count: number, nowMs: number): void {
    hostRate.take(lane.target, -count)
    hostRate.letGo(lane.target)
    lane.url = url
    lane.target = hostRate.hold(url, nowMs)
    hostRate.take(lane.target, count)
  }

  /** It has deliveries, as far as is known, that only the rate of their host holds back. */
  function isHeldBack(lane: Lane): boolean {
    return lane.mayHaveMore && lane.isOverRate
  }

  /** A round whose answer was lost: perhaps something was claimed, and nobody knows what. */
  function doubt(wanted: readonly Wanted[]): void {
    for (const { lane: held, free } of wanted) {
      asked -= free
      const lane = lanes.get(held.endpointId)
      if (lane?.held !== held) continue
      lane.asked = 0
      lane.isDoubtful = true
      hostRate.take(lane.target, -free)
    }
  }

  function begin(endpointId: string, nowMs: number): Begun {
    const lane = lanes.get(endpointId)
    inFlight++
    if (lane) {
      if (lane.inFlight === 0) lane.progressAtMs = nowMs
      lane.inFlight++
      lane.unwritten++
    }
    return {
      ended(outcome, endedAtMs) {
        inFlight--
        if (!lane) return
        lane.inFlight--
        lane.progressAtMs = endedAtMs
        lane.idleSinceMs = endedAtMs
        learn(lane.pace, outcome)
      },
      written(writtenAtMs) {
        if (!lane) return
        lane.unwritten--
        lane.idleSinceMs = writtenAtMs
        if (lane.unwritten === 0) unsettled.delete(lane)
      },
    }
  }

  /**
   * Lanes that have been idle for so long, or are in doubt; they are no longer held. One that waits for
   * the rate of its host is not idle: given back, it would be taken again at once.
   */
  function takeIdle(nowMs: number, idleMs = KEPT_IDLE_MS): HeldLane[] {
    return take(
      Array.from(lanes.values()).filter(
        (lane) =>
          isAtRest(lane) &&
          (lane.isDoubtful ||
            idleMs === 0 ||
            (nowMs - lane.idleSinceMs >= idleMs && !isHeldBack(lane))),
      ),
    )
  }

  /**
   * Some with nothing on the wire, whether or not they have more to send, so that others get a turn;
   * first those that could send nothing now.
   */
  function takeResting(count: number): HeldLane[] {
    const resting = Array.from(lanes.values()).filter(isAtRest)
    const heldBack = new Set(resting.filter(isHeldBack))
    const others = resting.filter((lane) => !heldBack.has(lane))
    return take([...heldBack, ...others].slice(0, count))
  }

  /** All of them, whatever is on the wire. */
  function takeAll(): HeldLane[] {
    return take(Array.from(lanes.values()))
  }

  function take(taken: readonly Lane[]): HeldLane[] {
    for (const lane of taken) {
      const { held, pace } = lane
      if (lane.unwritten > 0) unsettled.add(lane)
      lanes.delete(held.endpointId)
      hostRate.letGo(lane.target)
      remembered.delete(held.endpointId)
      if (!pace.isProven) continue
      remembered.set(held.endpointId, pace)
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    }
    return taken.map(({ held }) => held)
  }

  return {
    add,
    wake,
    share,
    claimed,
    doubt,
    begin,
    takeIdle,
    takeResting,
    takeAll,
    size: () => lanes.size,
    endpointIds: () => Array.from(lanes.keys()),
    /** Endpoints whose lanes were let go with outcomes unwritten. */
    unsettledIds: () => Array.from(unsettled, (lane) => lane.held.endpointId),
    inFlight: () => inFlight,
    heldBack: () => Array.from(lanes.values()).filter(isHeldBack).length,
    isSlow: (endpointId: string, nowMs: number) => {
      const lane = lanes.get(endpointId)
      return lane !== undefined && kindOf(lane, nowMs) === 'slow'
    },
  }
}

function isBehind(one: LanePlace, other: LanePlace): boolean {
  return one.dueAtUs > other.dueAtUs || (one.dueAtUs === other.dueAtUs && one.id > other.id)
}

function isAtRest(lane: Lane): boolean {
  return lane.unwritten === 0 && lane.asked === 0
}

function newPace(): Pace {
  return { cap: FIRST_CAP, successes: 0, meanMs: 0, timeouts: 0, isProven: false }
}

function capOf({ pace }: Lane): number {
  return pace.isProven ? pace.cap : LOWEST_CAP
}

function kindOf({ pace, inFlight, progressAtMs }: Lane, nowMs: number) {
  const isStuck = inFlight > 0 && nowMs - progressAtMs > SLOW_MS
  if (isStuck || pace.timeouts >= SLOW_AFTER_TIMEOUTS || pace.meanMs > SLOW_MS) return 'slow'
  return pace.isProven ? 'quick' : 'unproven'
}

/** Additive increase, multiplicative decrease. */
function learn(pace: Pace, { isSuccess, isSilent, durationMs }: Ended): void {
  const wasProven = pace.isProven
  pace.meanMs += (durationMs - pace.meanMs) * (wasProven ? MEAN_WEIGHT : 1)
  pace.isProven = true
  pace.timeouts = isSilent ? pace.timeouts + 1 : 0
  if (isSilent) pace.cap = wasProven ? Math.max(LOWEST_CAP, Math.floor(pace.cap / 2)) : LOWEST_CAP
  if (!isSuccess || durationMs > QUICK_MS) return
  pace.successes++
  if (pace.successes % SUCCESSES_PER_STEP === 0) pace.cap = Math.min(HIGHEST_CAP, pace.cap + 1)
}
