/** Burst of an unused target, as a share of one second's deliveries; at least one delivery. */
const BURST_SECONDS = 0.25
const MAX_ADDRESSES = 16
const MAX_TARGETS = 10_000

export type Target = {
  readonly key: string
  /** Deliveries that may be sent; negative after deliveries without a reservation. */
  tokens: number
  refilledAtMs: number
  addresses: Target[]
  users: number
  turns: Map<string, number>
}

type Candidate = {
  lane: { target: Target; held: { workspaceId: string }; servedAt: number }
  max: number
}

/**
 * A token bucket per host and port, and per address and port that connections went to, so that many names of one
 * machine do not get around it. Deliveries are reserved before they are claimed: those beyond the rate stay in the
 * queue, and use up no attempt.
 */
export class HostRate {
  readonly #perSecond: number
  readonly #burst: number
  readonly #targets = new Map<string, Target>()
  #turn = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#burst = Math.max(1, perSecond * BURST_SECONDS)
  }

  get size(): number {
    return this.#targets.size
  }

  hold(url: string, nowMs: number): Target {
    const parsed = URL.parse(url)
    const port = parsed?.port || (parsed?.protocol === 'http:' ? '80' : '443')
    const target = this.#find(toKey(parsed?.hostname ?? url, port), nowMs)
    target.users++
    return target
  }

  release(target: Target): void {
    target.users--
  }

  connected(hostname: string, port: string, address: string, nowMs: number): void {
    const host = this.#find(toKey(hostname, port), nowMs)
    const key = toKey(address, port)
    if (host.key === key || host.addresses.some((known) => known.key === key)) return
    const reached = this.#find(key, nowMs)
    reached.users++
    host.addresses.push(reached)
    if (host.addresses.length > MAX_ADDRESSES) this.release(host.addresses.shift()!)
  }

  /** Where a target has too little for all candidates, workspaces take turns, and so do the lanes of each. */
  limit(candidates: readonly Candidate[], nowMs: number, enough: number): void {
    const groups = new Map<Target, Candidate[]>()
    for (const candidate of candidates) {
      const target = this.#findTightest(candidate.lane.target, nowMs)
      if (target.tokens >= enough) continue
      const group = groups.get(target)
      if (group) group.push(candidate)
      else groups.set(target, [candidate])
    }
    for (const [target, group] of groups) {
      const wanted = group.reduce((sum, { max }) => sum + max, 0)
      if (wanted > target.tokens) this.#deal(target, group)
    }
  }

  /** For a target that {@link limit} has refilled. */
  takeOne(target: Target): boolean {
    if (target.tokens < 1 || target.addresses.some(({ tokens }) => tokens < 1)) return false
    this.take(target, 1)
    return true
  }

  /** Takes tokens even if there are none; a negative `count` gives them back. */
  take(target: Target, count: number): void {
    target.tokens -= count
    for (const address of target.addresses) address.tokens -= count
  }

  #deal({ tokens, turns }: Target, group: readonly Candidate[]): void {
    const byWorkspace = new Map<string, { candidate: Candidate; wanted: number }[]>()
    for (const candidate of group.toSorted((a, b) => a.lane.servedAt - b.lane.servedAt)) {
      const { workspaceId } = candidate.lane.held
      const lanes = byWorkspace.get(workspaceId) ?? []
      lanes.push({ candidate, wanted: candidate.max })
      byWorkspace.set(workspaceId, lanes)
      candidate.max = 0
    }
    const waiting = Array.from(byWorkspace).toSorted(
      ([a], [b]) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0),
    )
    for (let left = Math.floor(tokens); left > 0 && waiting.length > 0; left--) {
      const [workspaceId, lanes] = waiting.shift()!
      const lane = lanes.shift()!
      turns.set(workspaceId, ++this.#turn)
      if (++lane.candidate.max < lane.wanted) lanes.push(lane)
      if (lanes.length > 0) waiting.push([workspaceId, lanes])
    }
  }

  #find(key: string, nowMs: number): Target {
    const known = this.#targets.get(key)
    if (known) return known
    if (this.#targets.size >= MAX_TARGETS) this.#forgetUnused(nowMs)
    const target: Target = {
      key,
      tokens: this.#burst,
      refilledAtMs: nowMs,
      addresses: [],
      users: 0,
      turns: new Map(),
    }
    this.#targets.set(key, target)
    return target
  }

  #forgetUnused(nowMs: number): void {
    for (const target of this.#targets.values()) {
      this.#refill(target, nowMs)
      if (target.users > 0 || target.tokens < this.#burst) continue
      for (const address of target.addresses) this.release(address)
      this.#targets.delete(target.key)
    }
  }

  #refill(target: Target, nowMs: number): void {
    const sinceMs = nowMs - target.refilledAtMs
    if (sinceMs <= 0) return
    target.refilledAtMs = nowMs
    target.tokens += (sinceMs * this.#perSecond) / 1_000
    if (target.tokens < this.#burst) return
    target.tokens = this.#burst
    target.turns.clear()
  }

  #findTightest(target: Target, nowMs: number): Target {
    this.#refill(target, nowMs)
    let tightest = target
    for (const address of target.addresses) {
      this.#refill(address, nowMs)
      if (address.tokens < tightest.tokens) tightest = address
    }
    return tightest
  }
}

/** With or without the final dot, and the IPv6 form of an IPv4 address. */
function toKey(hostname: string, port: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return `${bare.replace(/^::ffff:(?=\d+\.)/, '')} ${port}`
}
