import type { Log } from '../../platform/core/log.ts'
import { createOutageWarning, sleep, type WakeSignal } from '../../platform/core/service.ts'
import type { Flusher } from './flusher.ts'
import type { Lanes } from './lanes.ts'
import type { Lease, Leases } from './leases.ts'
import type { Sender } from './sender.ts'

const ROUND_MS = 10
/** After a round that claimed few: with no queue, a pause would only delay the next delivery. */
const QUIET_ROUND_MS = 5
const FEW = 2
const IDLE_MS = 1_000
const BUSY_MS = 100

type Deps = {
  leases: Leases
  lanes: Lanes
  sender: Sender
  flusher: Flusher
  wakeSignal: WakeSignal
  log: Log
}

/** One loop claims from lanes with a backlog; the other claims from the rest and exchanges lanes. */
export class Claims {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async run(signal: AbortSignal): Promise<void> {
    const { leases } = this.#deps
    await Promise.all([
      this.#repeat(
        signal,
        (claimed) => (claimed > FEW ? ROUND_MS : QUIET_ROUND_MS),
        () => this.#exchangeAndClaim(),
      ),
      this.#repeat(
        signal,
        () => ROUND_MS,
        () => this.#claim(leases.current, true),
      ),
    ])
  }

  async #repeat(
    signal: AbortSignal,
    roundMs: (claimed: number) => number,
    round: () => Promise<number>,
  ): Promise<void> {
    const { wakeSignal, lanes, log } = this.#deps
    const warn = createOutageWarning(log)
    while (!signal.aborted) {
      const wakeCount = wakeSignal.count
      const begunAtMs = performance.now()
      let claimed = 0
      try {
        claimed = await round()
      } catch (error) {
        warn({ err: error }, 'webhook deliveries not claimed; trying again in a second')
        await sleep(IDLE_MS, signal)
      }
      const restMs = begunAtMs + roundMs(claimed) - performance.now()
      if (restMs > 0) await sleep(restMs, signal)
      if (claimed > 0) continue
      await wakeSignal.givenSince(wakeCount, lanes.size > 0 ? BUSY_MS : IDLE_MS)
    }
  }

  async #exchangeAndClaim(): Promise<number> {
    const lease = await this.#deps.leases.getTrusted()
    if (lease === null) return 0
    await this.#deps.leases.exchangeLanes(lease)
    return this.#claim(lease, false)
  }

  /** @returns the number of claimed deliveries; above 0 there may be more */
  async #claim(lease: Lease, isBacklog: boolean): Promise<number> {
    const { lanes, flusher, sender, wakeSignal } = this.#deps
    if (!lease.isTrusted() || flusher.isFull()) return 0
    const sentAtMs = performance.now()
    const wanted = lanes.share(sentAtMs, isBacklog)
    if (wanted.length === 0) return 0
    const claims = await lease.queue.claim(wanted).catch((error: unknown) => {
      lanes.doubt(wanted)
      throw error
    })
    // The process may have been stopped during the claim; other workers may now hold the lanes.
    if (!lease.isTrusted()) {
      lanes.doubt(wanted)
      return 0
    }
    const nowMs = performance.now()
    lanes.claimed(wanted, claims, sentAtMs, nowMs)
    sender.start(claims, lease)
    // Lanes that gained or lost a backlog now belong to the other loop.
    if (claims.length > 0) wakeSignal.wake()
    return claims.length
  }
}
