import { ApiError } from '../../platform/core/errors.ts'

/** Streams of one workspace, and of one user. */
const MAX_STREAMS_PER_OWNER = 20
/** Streams of a process: each holds a connection, of which a gateway has some more for them. */
const MAX_STREAMS = 400
const RETRY_AFTER_SECONDS = 10

export type LiveOwner = { workspaceId: string; userId: string }
type Held = LiveOwner & { end: () => void }

/**
 * Bounds the streams of a process. When all places are taken, a user with fewer streams than another one gets a
 * place of the user who has the most, whose oldest stream ends: so hostile accounts cannot keep others out.
 */
export class LivePlaces {
  readonly #maxStreams: number
  /** In the order in which they were taken. */
  readonly #held = new Set<Held>()

  constructor(maxStreams = MAX_STREAMS) {
    this.#maxStreams = maxStreams
  }

  get size(): number {
    return this.#held.size
  }

  /**
   * @param end called when the place goes to another user
   * @returns a function that gives the place back
   * @throws ApiError RATE_LIMITED
   */
  take({ workspaceId, userId }: LiveOwner, end: () => void): () => void {
    const ofUser = this.#count((held) => held.userId === userId)
    const ofWorkspace = this.#count((held) => held.workspaceId === workspaceId)
    if (Math.max(ofUser, ofWorkspace) >= MAX_STREAMS_PER_OWNER)
      throw refusal(
        `A workspace, and a user, can have ${MAX_STREAMS_PER_OWNER} live streams open. Close one of them first.`,
        MAX_STREAMS_PER_OWNER,
      )
    if (this.#held.size >= this.#maxStreams) this.#makeRoom(ofUser)
    const held = { workspaceId, userId, end }
    this.#held.add(held)
    return () => void this.#held.delete(held)
  }

  #makeRoom(ofUser: number): void {
    const byUser = Map.groupBy(this.#held, ({ userId }) => userId)
    const [most] = Array.from(byUser.values()).toSorted((a, b) => b.length - a.length)
    const [oldest] = most ?? []
    if (!oldest || most!.length <= ofUser + 1)
      throw refusal(
        'This server has as many live streams open as it can. Try again later.',
        this.#maxStreams,
      )
    this.#held.delete(oldest)
    oldest.end()
  }

  #count(matches: (held: Held) => boolean): number {
    return Array.from(this.#held).filter(matches).length
  }
}

function refusal(message: string, limit: number): ApiError {
  return new ApiError('RATE_LIMITED', message, {
    retryAfter: RETRY_AFTER_SECONDS,
    limit,
    window: RETRY_AFTER_SECONDS,
  })
}
