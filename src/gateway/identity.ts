import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { refuseRequest } from '../base/http-server.ts'
import { BORDER_CHALLENGE, readIdentity } from '../base/who.ts'
import type { Crossing } from '../base/who.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

type Deps = { internalToken: string; clock: Clock }

/** The services' side of the process border. */
export type Border = {
  /**
   * Lets through what a gateway with the same token sent, and the probes; anything else is a 401
   * before it is looked at, whatever credential, method or path it has.
   */
  guard(handle: Handle): Handle
  /** Who sent a request that was let through. */
  callerOf(request: IncomingMessage): Crossing
}

/** Exactly these: what is not one of them needs an identity. */
const PROBE = /^\/(health|ready|metrics)(?=\?|$)/

/** Believes identity headers, and only under the internal token; no credential is read behind it. */
export function createBorder({ internalToken, clock }: Deps): Border {
  const callers = new WeakMap<IncomingMessage, Crossing>()
  return {
    guard: (handle) => (request, response) => {
      const caller = readIdentity(request, internalToken, clock())
      if (caller) callers.set(request, caller)
      else if (!PROBE.test(request.url ?? '')) {
        response.setHeader('www-authenticate', BORDER_CHALLENGE)
        const message = 'Only the gateway is answered here.'
        return refuseRequest(request, response, clock(), 'UNAUTHORIZED', message)
      }
      return handle(request, response)
    },
    callerOf: (request) => {
      const caller = callers.get(request)
      if (!caller) throw new Error('a request came past the guard of the border')
      return caller
    },
  }
}
