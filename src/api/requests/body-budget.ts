import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { SIZES } from '../../platform/limits/sizes.ts'
import { networkOf } from '../../platform/facts/network.ts'
import { listOwners } from './concurrency.ts'

/** The bytes of one body, counted until it is released and all work with it has ended. */
export type BodyHold = {
  /** Counts bytes of a chunked body as they arrive. @throws ApiError as {@link BodyBudget.hold} does */
  grow(bytes: number): void
  release(): void
  until(work: Promise<unknown>): void
}

type Options = {
  maxBytesPerOwner?: number
  maxBytes?: number
}

/**
 * Counts the memory of bodies before they are read. A body beyond the budget is refused instead of queued,
 * since its client would have to hold it meanwhile. Small bodies are refused only for what their owner or
 * network holds: accounts elsewhere cannot crowd out ordinary requests.
 */
export class BodyBudget {
  readonly #maxBytesPerOwner: number
  readonly #maxBytes: number
  readonly #heldByOwner = new Map<string, number>()
  #held = 0

  constructor(options: Options = {}) {
    this.#maxBytesPerOwner = options.maxBytesPerOwner ?? SIZES.largeBodies.bytes
    this.#maxBytes = options.maxBytes ?? SIZES.largeBodiesOfAll.bytes
  }

  /**
   * @param bytes the announced length; 0 for a chunked body
   * @throws ApiError RATE_LIMITED when the owner or its network holds too much, UNAVAILABLE when all together
   *   do
   */
  hold(owner: Pick<Caller, 'principal' | 'session' | 'ip'>, bytes: number): BodyHold {
    const owners = listOwners(owner)
    const network = `accounts of ${networkOf(owner.ip ?? '')}`
    const keys = [...owners, network]
    let held = 0
    const grow = (more: number) => {
      this.#requireRoom(owners, network, more, held + more > SIZES.body.bytes)
      this.#add(keys, more)
      held += more
    }
    grow(bytes)
    let uses = 1
    const end = () => {
      if (--uses > 0) return
      this.#add(keys, -held)
      held = 0
    }
    return {
      grow: (more) => {
        if (uses > 0) grow(more)
      },
      release: once(end),
      until: (work) => {
        uses++
        work.then(end, end)
      },
    }
  }

  #requireRoom(owners: readonly string[], network: string, more: number, isLarge: boolean): void {
    const isOver = (key: string, maxBytes: number) =>
      (this.#heldByOwner.get(key) ?? 0) + more > maxBytes
    const smallBytes = isLarge ? 0 : SIZES.smallBodies.bytes
    const maxBytes = this.#maxBytesPerOwner + smallBytes
    if (
      owners.some((key) => isOver(key, maxBytes)) ||
      isOver(network, SIZES.largeBodiesOfNetwork.bytes + smallBytes)
    )
      throw new ApiError(
        'RATE_LIMITED',
        `Too many ${isLarge ? 'large ' : ''}bodies at a time. Wait until some of the requests are answered.`,
        { retryAfter: 1, limit: maxBytes, window: 1 },
      )
    if (isLarge && this.#held + more > this.#maxBytes)
      throw new ApiError(
        'UNAVAILABLE',
        'This server receives too many large bodies. Try again later.',
      )
  }

  #add(keys: readonly string[], bytes: number): void {
    this.#held += bytes
    for (const key of keys) {
      const held = (this.#heldByOwner.get(key) ?? 0) + bytes
      if (held === 0) this.#heldByOwner.delete(key)
      else this.#heldByOwner.set(key, held)
    }
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
