import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { refuseRequest } from '../base/http-server.ts'
import {
  BORDER_CHALLENGE,
  digestBody,
  readIdentity,
  type Crossing,
  type ForwardedIdentity,
} from '../base/who.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

type Deps = { internalToken: string; clock: Clock }

/** The services' side of the process border. */
export type Border = {
  /**
   * Lets through what a gateway with the same token sent, and the probes; anything else is a 401
   * before it is looked at, whatever credential, method or path it has. A request that has no body
   * although its gateway sent one is refused here too, since no parser would look at it.
   */
  guard(handle: Handle): Handle
  /** Who sent a request that was let through. */
  callerOf(request: IncomingMessage): Crossing
  /** @throws ApiError UNAUTHORIZED unless these are the bytes that the gateway signed */
  checkBody(request: IncomingMessage, body: Uint8Array): void
}

/** Exactly these: what is not one of them needs an identity. */
const PROBE = /^\/(health|ready|metrics)(?=\?|$)/

/** Believes identity headers, and only under the internal token; no credential is read behind it. */
export function createBorder({ internalToken, clock }: Deps): Border {
  const identities = new WeakMap<IncomingMessage, ForwardedIdentity>()

  function identityOf(request: IncomingMessage): ForwardedIdentity {
    const identity = identities.get(request)
    if (!identity) throw new Error('a request came past the guard of the border')
    return identity
  }

  return {
    guard: (handle) => (request, response) => {
      const identity = readIdentity(request, internalToken, clock())
      if (identity && (identity.bodyDigest === null || announcesBody(request)))
        identities.set(request, identity)
      else if (!PROBE.test(request.url ?? '')) {
        response.setHeader('www-authenticate', BORDER_CHALLENGE)
        const message = 'Only the gateway is answered here.'
        return refuseRequest(request, response, clock(), 'UNAUTHORIZED', message)
      }
      return handle(request, response)
    },
    callerOf: (request) => identityOf(request).caller,
    checkBody: (request, body) => {
      const digest = body.length === 0 ? null : digestBody(body)
      if (digest !== identityOf(request).bodyDigest)
        throw new ApiError('UNAUTHORIZED', 'The body is not the one that the gateway sent.')
    },
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
