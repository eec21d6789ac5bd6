/** Share of a second's deliveries that a target which was left alone gets at once; at least one delivery. */
const BURST_SECONDS = 0.25
/** Addresses of one name whose rates it shares; the oldest is forgotten. */
const MAX_ADDRESSES = 16
/** Beyond so many, those that no lane uses and that owe nothing are forgotten. */
const MAX_TARGETS = 10_000

/** One host and port, or one address and port, with the deliveries it may get now. */
export type Target = {
  readonly key: string
  /** Deliveries that may be sent; negative after deliveries that nothing was reserved for. */
  tokens: number
  refilledAtMs: number
  /** Where connections to this host have gone: their rates hold as well. */
  addresses: Target[]
  /** Lanes that send here, and hosts that lead here. */
  users: number
  /** When each workspace was last served while there was too little for all. */
  turns: Map<string, number>
}

/** A lane that asks for up to `most` deliveries. */
export type Asking = {
  lane: { target: Target; held: { workspaceId: string }; servedAt: number }
  most: number
}

export type HostRate = ReturnType<typeof createHostRate>

/**
 * How many deliveries a second one receiver gets from this process: a token bucket for each host and
 * port, and for each address and port that connections to a host have gone to, so that many names of
 * one machine are no way around it. Deliveries are reserved before they are claimed: what is beyond the
 * rate stays in the queue, takes no place among the requests on the wire, and uses up no attempt.
 * All times are milliseconds that only grow.
 */
export function createHostRate(perSecond: number) {
  const burst = Math.max(1, perSecond * BURST_SECONDS)
  const targets = new Map<string, Target>()
  let turn = 0

  /** The target of a URL, for one lane, until {@link letGo}. */
  function hold(url: string, nowMs: number): Target {
    const parsed = URL.parse(url)
    const port = parsed?.port || (parsed?.protocol === 'http:' ? '80' : '443')
    const target = named(keyOf(parsed?.hostname ?? url, port), nowMs)
    target.users++
    return target
  }

  function letGo(target: Target): void {
    target.users--
  }

  /** A connection to this host has been made, and went to this address. */
  function connected(hostname: string, port: string, address: string, nowMs: number): void {
    const host = named(keyOf(hostname, port), nowMs)
    const key = keyOf(address, port)
    if (host.key === key || host.addresses.some((known) => known.key === key)) return
    const reached = named(key, nowMs)
    reached.users++
    host.addresses.push(reached)
    if (host.addresses.length > MAX_ADDRESSES) letGo(host.addresses.shift()!)
  }

  function named(key: string, nowMs: number): Target {
    const known = targets.get(key)
    if (known) return known
    if (targets.size >= MAX_TARGETS) forgetUnused(nowMs)
    const made: Target = {
      key,
      tokens: burst,
      refilledAtMs: nowMs,
      addresses: [],
      users: 0,
      turns: new Map(),
    }
    targets.set(key, made)
    return made
  }

  function forgetUnused(nowMs: number): void {
    for (const target of targets.values()) {
      refill(target, nowMs)
      if (target.users > 0 || target.tokens < burst) continue
      for (const address of target.addresses) letGo(address)
      targets.delete(target.key)
    }
  }

  function refill(target: Target, nowMs: number): void {
    const sinceMs = nowMs - target.refilledAtMs
    if (sinceMs <= 0) return
    target.refilledAtMs = nowMs
    target.tokens += (sinceMs * perSecond) / 1_000
    if (target.tokens < burst) return
    target.tokens = burst
    target.turns.clear()
  }

  /** The target itself, or that of its addresses which may get less. */
  function tightest(target: Target, nowMs: number): Target {
    refill(target, nowMs)
    let least = target
    for (const address of target.addresses) {
      refill(address, nowMs)
      if (address.tokens < least.tokens) least = address
    }
    return least
  }

  /**
   * Lowers `most` where a target has too little for all that ask: its workspaces take turns, and the
   * lanes of each.
   * @param enough no more than this is ever asked for at once
   */
  function shareOut(all: readonly Asking[], nowMs: number, enough: number): void {
    const groups = new Map<Target, Asking[]>()
    for (const asking of all) {
      const target = tightest(asking.lane.target, nowMs)
      if (target.tokens >= enough) continue
      const group = groups.get(target)
      if (group) group.push(asking)
      else groups.set(target, [asking])
    }
    for (const [target, group] of groups) {
      const wanted = group.reduce((sum, { most }) => sum + most, 0)
      if (wanted > target.tokens) deal(target, group)
    }
  }

  function deal(target: Target, group: readonly Asking[]): void {
    const { turns } = target
    const byWorkspace = new Map<string, { asking: Asking; wanted: number }[]>()
    for (const asking of group.toSorted((a, b) => a.lane.servedAt - b.lane.servedAt)) {
      const { workspaceId } = asking.lane.held
      const lanes = byWorkspace.get(workspaceId) ?? []
      lanes.push({ asking, wanted: asking.most })
      byWorkspace.set(workspaceId, lanes)
      asking.most = 0
    }
    const line = Array.from(byWorkspace).toSorted(
      ([a], [b]) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0),
    )
    for (let left = Math.floor(target.tokens); left > 0 && line.length > 0; left--) {
      const [workspaceId, lanes] = line.shift()!
      const lane = lanes.shift()!
      turns.set(workspaceId, ++turn)
      if (++lane.asking.most < lane.wanted) lanes.push(lane)
      if (lanes.length > 0) line.push([workspaceId, lanes])
    }
  }

  /** Reserves one delivery of a target that {@link shareOut} has looked at. @returns false when there is none */
  function takeOne(target: Target): boolean {
    if (target.tokens < 1 || target.addresses.some(({ tokens }) => tokens < 1)) return false
    take(target, 1)
    return true
  }

  /** Takes without asking, or gives back when negative. */
  function take(target: Target, count: number): void {
    target.tokens -= count
    for (const address of target.addresses) address.tokens -= count
  }

  return {
    hold,
    letGo,
    connected,
    shareOut,
    takeOne,
    take,
    /** Targets that are remembered. */
    size: () => targets.size,
  }
}

/** One key for a name with the root's dot and without, and for an IPv4 address inside an IPv6 one. */
function keyOf(hostname: string, port: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return `${bare.replace(/^::ffff:(?=\d+\.)/, '')} ${port}`
}
