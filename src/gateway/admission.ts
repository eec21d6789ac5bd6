import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../base/caller.ts'
import { ApiError } from '../base/errors.ts'
import type { AccountRoute, Route } from '../base/route.ts'
import type { Crossing, Who } from '../base/who.ts'
import { networkOf } from '../facts/network.ts'
import type { RateLimits } from '../storage/rate-limits.ts'
import { cookiesOf, createBrowser, isWrite, wantsHtml, type BrowserDeps } from './browser.ts'
import {
  createIdentity,
  refuseOtherWorkspace,
  requireWorkspace,
  type IdentityDeps,
  type KeyHolder,
  type Known,
  type Source,
} from './credentials.ts'
import { createHoldBack, type HoldBack } from './hold-back.ts'
import { createTakeQuota, type Quota, type TakeQuota } from './quota.ts'
import { createLimits, type Rates } from './rates.ts'

export type AdmissionDeps<Key extends KeyHolder> = Omit<IdentityDeps<Key>, 'limits'> &
  Omit<BrowserDeps, 'corsOrigins'> & {
    rateLimits: RateLimits
    rates: Rates
    /** Absent where no plan bounds requests. */
    quota?: Quota
    corsOrigins: readonly string[]
  }

/** Lets requests in: who sends one, whether from a page of ours, and whether not too many. */
export type Admission = {
  /** @throws ApiError UNAUTHORIZED, RATE_LIMITED, FORBIDDEN */
  route(request: FastifyRequest, reply: FastifyReply, row: Pick<Route, 'tier'>): Promise<Admitted>
  /** @throws ApiError UNAUTHORIZED, RATE_LIMITED, FORBIDDEN */
  account(
    request: FastifyRequest,
    reply: FastifyReply,
    row: Pick<AccountRoute, 'credential' | 'tier' | 'path'>,
  ): Promise<AdmittedCaller>
  takeQuota: TakeQuota | null
  /** Paces the refusals of a route; null where they leave at once, or a gateway in front paces them. */
  holdBackOf(row: Route | AccountRoute): HoldBack | null
}

/** `plan` is null where no request is counted: without a workspace, and behind the process border. */
type Admitted = { who: Who; session: Caller['session']; origin: string; plan: string | null }
type AdmittedCaller = { caller: Caller; plan: string | null }

/** A refused request of a workspace can wait longer than a user who signs in. */
const WORKSPACE_REFUSALS = { perSecond: 20, maxWaitMs: 5_000 }

/** Admission by credentials. */
export function createAdmission<Key extends KeyHolder>(deps: AdmissionDeps<Key>): Admission {
  const browser = createBrowser({ ...deps, corsOrigins: new Set(deps.corsOrigins) })
  const limits = createLimits(deps.rateLimits, deps.rates, deps.clock)
  const identity = createIdentity({ ...deps, limits })

  async function route(
    request: FastifyRequest,
    reply: FastifyReply,
    row: Pick<Route, 'tier'>,
  ): Promise<Admitted> {
    const origin = browser.originOf(request)
    const known = await identity.identify(request, origin, identity.sourceOf(request))
    if (!known) throw new ApiError('UNAUTHORIZED', 'A valid API key or session is required.')
    // Known to the log also when it goes no further.
    request.who = known.who
    await identity.takeRate(reply, known, row.tier ?? 'api')
    const who = requireWorkspace(known)
    const { session } = known
    if (session && isWrite(request)) browser.refuseForeignPage(request)
    return { who, session, origin, plan: known.place!.plan }
  }

  /** Where the limit is the caller's own, it comes after the credential, elsewhere before. */
  async function account(
    request: FastifyRequest,
    reply: FastifyReply,
    row: Pick<AccountRoute, 'credential' | 'tier' | 'path'>,
  ): Promise<AdmittedCaller> {
    const origin = browser.originOf(request)
    const source = identity.sourceOf(request)
    const mayBeKey = row.credential === 'any' && request.headers.authorization !== undefined
    // Also where there is no session yet: a foreign page must not sign anybody in.
    if (isWrite(request) && !mayBeKey) browser.refuseForeignPage(request)
    const address = `address:${networkOf(source.ip ?? '')}`
    // Each door by itself: whoever signs up, opens a mail and signs in is no guesser.
    if (row.tier === 'auth') await limits.take(reply, 'auth', `${row.path}:${address}`)
    const isOpen = row.credential === 'none'
    const known = isOpen
      ? await identity.identifySession(request, origin, source)
      : await identity.identify(request, origin, source)
    if (row.tier === 'api') {
      if (known) await identity.takeRate(reply, known, 'api')
      else await limits.take(reply, 'api', address)
    }
    if (!isOpen) requireCredential(known, row.credential)
    return {
      caller: callerOf(request, known, origin, source),
      plan: isOpen ? null : (known?.place?.plan ?? null),
    }
  }

  const takeQuota = deps.quota ? createTakeQuota(deps.quota) : null
  const ofGuesses = createHoldBack()
  const ofWorkspaces = createHoldBack(WORKSPACE_REFUSALS)
  const holdBackOf = (row: Route | AccountRoute) =>
    'access' in row ? ofWorkspaces : row.tier === 'auth' ? ofGuesses : null
  return { route, account, takeQuota, holdBackOf }
}

function requireCredential(known: Known | null, credential: AccountRoute['credential']): void {
  if (!known) throw new ApiError('UNAUTHORIZED', 'This needs a session. Sign in first.')
  if (credential === 'session' && !known.session)
    throw new ApiError('FORBIDDEN', 'This needs a session; an API key may not do it.')
  refuseOtherWorkspace(known)
}

function callerOf(
  request: FastifyRequest,
  known: Known | null,
  origin: string,
  source: Source,
): Caller {
  const { session = null, who = null } = known ?? {}
  return { ...source, origin, session, who, ...ofHeaders(request, origin) }
}

function ofHeaders({ headers }: FastifyRequest, origin: string) {
  return { wantsHtml: wantsHtml(headers), cookies: cookiesOf(headers.cookie, origin) }
}

/** Admission behind the process border: the gateway has done all of it, and says whom it let in. */
export function admitCrossing(callerAcross: (request: IncomingMessage) => Crossing): Admission {
  return {
    route: async (request) => {
      const { who, session, origin } = callerAcross(request.raw)
      if (!who) throw new ApiError('UNAUTHORIZED', 'A valid API key or session is required.')
      return { who, session, origin, plan: null }
    },
    account: async (request) => {
      const crossing = callerAcross(request.raw)
      return { caller: { ...crossing, ...ofHeaders(request, crossing.origin) }, plan: null }
    },
    takeQuota: null,
    // Whoever waited here would take a connection from the gateway's other requests.
    holdBackOf: () => null,
  }
}

/** The gateway's side of that border: what `addForwarding` asks for each request. */
export function crossingBy(admission: Admission) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    row: Route | AccountRoute,
  ): Promise<Crossing> => {
    const isResource = 'access' in row
    const { plan, ...admitted } = isResource
      ? await admission.route(request, reply, row)
      : await admission.account(request, reply, row)
    const { who, session, origin } = 'caller' in admitted ? admitted.caller : admitted
    if (who && plan !== null) await admission.takeQuota?.(request, reply, who.workspaceId, plan)
    const { ip, userAgent } = 'caller' in admitted ? admitted.caller : admitted.who
    return { requestId: request.id, ip, userAgent, origin, session, who }
  }
}
