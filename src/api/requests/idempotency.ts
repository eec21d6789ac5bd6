import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type {
  createIdempotentResponses,
  KeyOwner,
} from '../../platform/resources/idempotent-responses.ts'
import type { Reply, Route } from '../../platform/routes/route.ts'

export type IdempotentResponses = Pick<
  ReturnType<typeof createIdempotentResponses>,
  'find' | 'requireRoom' | 'countSize'
>

declare module 'fastify' {
  interface FastifyRequest {
    bodyDigest: string | null
  }
}

export const IDEMPOTENCY_KEY = 'idempotency-key'
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/** @throws ApiError VALIDATION_ERROR */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const key = headers[IDEMPOTENCY_KEY]
  if (key === undefined) return null
  if (typeof key === 'string' && PRINTABLE.test(key)) return key
  throw invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

type Present = {
  requests: number
  /** A request with this key runs or was just answered, so the stored answer must be looked for again. */
  isTaken: boolean
}

type Run = <T>(work: () => Promise<T>) => Promise<T>

/**
 * While the first request runs in this process, others are refused at once; across processes the database decides
 * when the second one commits.
 */
export class Idempotency {
  readonly #kept: IdempotentResponses
  readonly #present = new Map<string, Present>()

  constructor(kept: IdempotentResponses) {
    this.#kept = kept
  }

  /** Whether a stored answer exists; needs only the head of the request. */
  async hasAnswer({ caller, headers }: FastifyRequest, route: Route): Promise<boolean> {
    if (!route.idempotent || headers[IDEMPOTENCY_KEY] === undefined) return false
    const owner = toOwner(caller!, route)
    const id = toId(owner, route, readIdempotencyKey(headers)!)
    return (await this.#kept.find(owner, id)) !== null
  }

  /**
   * @param handle calls the rule, which stores its answer if the caller has a key
   * @throws ApiError CONFLICT for another request with the same key, or while the first one runs
   */
  async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    route: Route,
    run: Run,
    handle: (caller: Caller) => Promise<Reply<unknown>>,
  ): Promise<Reply<unknown>> {
    const caller = request.caller!
    const key = route.idempotent ? readIdempotencyKey(request.headers) : null
    if (key === null) return handle(caller)
    const owner = toOwner(caller, route)
    const id = toId(owner, route, key)
    const fingerprint = digest([request.url, request.bodyDigest])
    const present = this.#enter(id)
    try {
      const kept = await run(() => this.#kept.find(owner, id))
      if (kept) {
        if (kept.fingerprint !== fingerprint) throw reused()
        reply.header('idempotency-replayed', 'true')
        return { data: kept.answer }
      }
      if (present.isTaken) throw underWay()
      present.isTaken = true
      try {
        await this.#kept.requireRoom(owner)
        const idempotencyKey = { id, fingerprint }
        const { principal } = caller
        const result = await handle({
          ...caller,
          idempotencyKey,
          principal: principal && { ...principal, idempotencyKey },
        })
        if ('data' in result) await this.#kept.countSize(owner, result.data)
        return result
      } catch (error) {
        present.isTaken = false
        throw error
      }
    } finally {
      this.#leave(id, present)
    }
  }

  #enter(id: string): Present {
    const present = this.#present.get(id) ?? { requests: 0, isTaken: false }
    present.requests++
    this.#present.set(id, present)
    return present
  }

  #leave(id: string, present: Present): void {
    present.requests--
    if (present.requests === 0) this.#present.delete(id)
  }
}

function toOwner({ principal, session }: Caller, { requires }: Route): KeyOwner {
  return requires.role ? { workspaceId: principal!.workspaceId } : { userId: session!.userId }
}

function toId(owner: KeyOwner, { method, path }: Route, key: string): string {
  const ownerId = 'workspaceId' in owner ? owner.workspaceId : owner.userId
  return digest([ownerId, `${method} ${path}`, key])
}

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

function reused(): ApiError {
  return new ApiError(
    'CONFLICT',
    'This Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.',
    { reason: 'idempotency_key_reused' },
  )
}

function underWay(): ApiError {
  return new ApiError(
    'CONFLICT',
    'The first request with this Idempotency-Key is under way. Send it again later to get its answer.',
    { reason: 'request_under_way' },
  )
}
