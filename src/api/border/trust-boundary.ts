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

export type TrustBoundary = ReturnType<typeof createTrustBoundary>

const PROBE = /^\/(health|ready|metrics)(?=\?|$)/

/** The services' side of the trust boundary: they read no credentials. */
export function createTrustBoundary({ internalToken, clock }: Deps) {
  const identities = new WeakMap<IncomingMessage, VerifiedIdentity>()

  function getIdentity(request: IncomingMessage): VerifiedIdentity {
    const identity = identities.get(request)
    if (!identity)
      throw new Error("a request reached the services without a check of the gateway's signature")
    return identity
  }

  return {
    /**
     * Any request but a gateway's gets a 401 before its credential, method or path is read. A request that lost its
     * body is refused too, since no parser would check it.
     */
    guard:
      (handle: RequestListener): RequestListener =>
      (request, response) => {
        const identity = readIdentity(request, internalToken, clock())
        if (identity && (identity.bodyDigest === null || announcesBody(request)))
          identities.set(request, identity)
        else if (!PROBE.test(request.url ?? '')) {
          response.setHeader('www-authenticate', BOUNDARY_CHALLENGE)
          const message =
            'This server answers only its gateway. Send the request to the address of the gateway.'
          return refuseRequest(request, response, clock(), 'UNAUTHORIZED', message)
        }
        return handle(request, response)
      },
    getCaller: (request: IncomingMessage): ForwardedIdentity => getIdentity(request).caller,
    /** @throws ApiError UNAUTHORIZED unless these are the signed bytes */
    checkBody: (request: IncomingMessage, body: Uint8Array): void => {
      const digest = body.length === 0 ? null : digestBody(body)
      if (digest !== getIdentity(request).bodyDigest)
        throw new ApiError('UNAUTHORIZED', 'The body differs from the one that the gateway sent.')
    },
    hasWithheldBody: (request: IncomingMessage): boolean => getIdentity(request).isBodyWithheld,
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
