import type { IncomingMessage, RequestListener } from 'node:http'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { refuseRequest } from '../../platform/http/http-server.ts'
import {
  BOUNDARY_CHALLENGE,
  digestBody,
  readIdentity,
  type ForwardedIdentity,
  type VerifiedIdentity,
} from './forwarded-identity.ts'

type Deps = { internalToken: string; clock: Clock }

/** The services' side of the trust boundary between gateway and services. */
export type TrustBoundary = {
  /**
   * Lets requests of a gateway with the same token through, and probes; any other request is answered
   * with 401 before its credential, method or path is looked at. A request without a body although
   * its gateway sent one is refused here too, since no parser would check it.
   */
  guard(handle: RequestListener): RequestListener
  /** The identity of a request that `guard` let through. */
  getCaller(request: IncomingMessage): ForwardedIdentity
  /** @throws ApiError UNAUTHORIZED unless these are the bytes that the gateway signed */
  checkBody(request: IncomingMessage, body: Uint8Array): void
  /** True when the gateway has not read the body, since it is announced as larger than its route takes. */
  hasWithheldBody(request: IncomingMessage): boolean
}

/** The only paths that need no identity. */
const PROBE = /^\/(health|ready|metrics)(?=\?|$)/

/** Accepts forwarded identities that are signed with the internal token; credentials are not read behind it. */
export function createTrustBoundary({ internalToken, clock }: Deps): TrustBoundary {
  const identities = new WeakMap<IncomingMessage, VerifiedIdentity>()

  function getIdentity(request: IncomingMessage): VerifiedIdentity {
    const identity = identities.get(request)
    if (!identity) throw new Error('a request passed the trust boundary without its guard')
    return identity
  }

  return {
    guard: (handle) => (request, response) => {
      const identity = readIdentity(request, internalToken, clock())
      if (identity && (identity.bodyDigest === null || announcesBody(request)))
        identities.set(request, identity)
      else if (!PROBE.test(request.url ?? '')) {
        response.setHeader('www-authenticate', BOUNDARY_CHALLENGE)
        const message = 'This server answers requests of its gateway only.'
        return refuseRequest(request, response, clock(), 'UNAUTHORIZED', message)
      }
      return handle(request, response)
    },
    getCaller: (request) => getIdentity(request).caller,
    checkBody: (request, body) => {
      const digest = body.length === 0 ? null : digestBody(body)
      if (digest !== getIdentity(request).bodyDigest)
        throw new ApiError('UNAUTHORIZED', 'The body differs from the one that the gateway sent.')
    },
    hasWithheldBody: (request) => getIdentity(request).isBodyWithheld,
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
