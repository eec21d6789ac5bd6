import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import type { Lanes } from './lanes.ts'
import type { HeldLane } from './queue/queue-lanes.ts'
import { createQueue, type Queue } from './queue/queue.ts'

/** Two thirds of the lease: after that another worker may hold the lanes, so nothing more is sent. */
const TRUST_MS = 10_000
const MAX_LANES = 4_096
const LANES_PER_ROUND = 256
const MAKE_ROOM_EVERY_MS = 1_000
const RELEASE_UNKNOWN_EVERY_MS = 1_000

/** One name of this worker in the database, which is never used again once its lease runs out. */
export class Lease {
  readonly queue: Queue
  #hasBegun = false
  #isGivenUp = false
  #trustedUntilMs = -Infinity

  constructor(queue: Queue) {
    this.queue = queue
  }

  isTrusted(): boolean {
    return !this.#isGivenUp && performance.now() < this.#trustedUntilMs
  }

  hasRunOut(): boolean {
    return this.#hasBegun && !this.isTrusted()
  }

  async renew(): Promise<void> {
    const sentAtMs = performance.now()
    await this.queue.heartbeat()
    this.#hasBegun = true
    this.#trustedUntilMs = sentAtMs + TRUST_MS
  }

  giveUp(): void {
    this.#isGivenUp = true
  }
}

type Deps = { sql: SystemSql; clock: Clock; log: Log; lanes: Lanes }

export class Leases {
  readonly #deps: Deps
  #current: Lease
  #mayAcquire = true
  /** A reply was lost, or a lane was locked at its release: the database may name this worker for other lanes. */
  #mayOwnUnknown = false
  #releasedUnknownAtMs = -Infinity
  #madeRoomAtMs = -Infinity

  constructor(deps: Deps) {
    this.#deps = deps
    this.#current = this.#newLease()
  }

  get current(): Lease {
    return this.#current
  }

  lookForLanes(): void {
    this.#mayAcquire = true
  }

  async renew(): Promise<void> {
    if (this.#current.hasRunOut()) this.#startOver()
    await this.#current.renew()
  }

  async getTrusted(): Promise<Lease | null> {
    if (!this.#current.isTrusted()) await this.renew()
    return this.#current.isTrusted() ? this.#current : null
  }

  async exchangeLanes(lease: Lease): Promise<void> {
    const { lanes } = this.#deps
    const areOthersReleased = await this.#releaseUnknown(lease)
    // From here on, an error means a lost reply.
    this.#mayOwnUnknown = true
    const idle = lanes.takeIdle(performance.now())
    const isIdleReleased = await lease.queue.release(idle)
    if (idle.length > 0) this.lookForLanes()
    const isRoomReleased = !this.#mayAcquire || (await this.#acquire(lease))
    this.#mayOwnUnknown = !(areOthersReleased && isIdleReleased && isRoomReleased)
  }

  async giveBack(held: readonly HeldLane[]): Promise<void> {
    await this.#current.queue.release(held).catch((error: unknown) => {
      this.#deps.log.warn(
        { err: error },
        'webhook lanes not released; they are free when the lease ends',
      )
    })
  }

  #newLease(): Lease {
    const { sql, clock } = this.#deps
    return new Lease(createQueue({ sql, clock, workerId: randomUUID(), host: hostname() }))
  }

  /**
   * Deliveries claimed under the old name are not sent; requests on the wire end, and their outcomes are written
   * unless another worker has acquired the lane. This worker does not acquire it before that.
   */
  #startOver(): void {
    const { lanes, log } = this.#deps
    log.warn({ lanes: lanes.size }, 'webhook worker lease expired; its lanes are released')
    lanes.takeAll()
    this.#current.giveUp()
    this.#current = this.#newLease()
    this.lookForLanes()
  }

  async #releaseUnknown(lease: Lease): Promise<boolean> {
    if (!this.#mayOwnUnknown) return true
    const nowMs = performance.now()
    if (nowMs - this.#releasedUnknownAtMs < RELEASE_UNKNOWN_EVERY_MS) return false
    this.#releasedUnknownAtMs = nowMs
    return lease.queue.releaseOthers(this.#deps.lanes.endpointIds())
  }

  async #acquire(lease: Lease): Promise<boolean> {
    const { lanes } = this.#deps
    let isRoomReleased = true
    if (lanes.size > MAX_LANES - LANES_PER_ROUND) {
      const nowMs = performance.now()
      if (nowMs - this.#madeRoomAtMs < MAKE_ROOM_EVERY_MS) return true
      this.#madeRoomAtMs = nowMs
      isRoomReleased = await lease.queue.release(lanes.takeResting(LANES_PER_ROUND))
    }
    this.#mayAcquire = false
    const acquired = await lease.queue.acquire(LANES_PER_ROUND, lanes.unsettledIds())
    if (acquired.length === LANES_PER_ROUND) this.lookForLanes()
    // Lanes acquired under an abandoned name become free when its lease ends.
    if (lease.isTrusted()) lanes.add(acquired, performance.now())
    return isRoomReleased
  }
}
