import type { FastifyRequest, FastifyReply } from 'fastify'
import { findLanguage } from '../../platform/facts/languages.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Caller, Session } from '../../platform/routes/caller.ts'
import type { Reply, Requirements, Route } from '../../platform/routes/route.ts'
import { roleAtLeast, scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import { networkOf } from '../../platform/facts/ip-address.ts'
import { isWrite, readCookies, wantsHtml } from './browser.ts'
import { toOwner, type ConcurrencyLimit, type RequestTimeout } from './bounds.ts'
import type { Forwarder } from '../border/forward.ts'
import {
  getAddress,
  identify,
  isSessionOptional,
  readNamedWorkspaces,
  type IdentifyDeps,
} from './identify.ts'
import { Idempotency, type IdempotentResponses } from './idempotency.ts'
import { readIfMatch } from './validation.ts'
import type { Steps } from './pipeline.ts'
import { takeQuota, type Quota } from './rates.ts'
import { sendReply } from '../answers/reply.ts'
import type { TrustBoundary } from '../border/trust-boundary.ts'
import { createRefusalPacer, type PacerOptions } from '../../platform/work/pacing.ts'

export type GatewayDeps = IdentifyDeps & {
  quota?: Quota
  planRequestsPerMinute?: (plan: string) => number | null
}

/** A refused workspace can wait longer than a user who signs in. */
const WORKSPACE_REFUSALS = { perSecond: 20, maxWaitMs: 5_000 }

export function createGatewaySteps(deps: GatewayDeps): Omit<Steps, 'handle'> {
  const { browser, limits, quota } = deps
  const tarpits = { guesses: createTarpit(), workspaces: createTarpit(WORKSPACE_REFUSALS) }
  const toAddressKey = (request: FastifyRequest) =>
    `address:${networkOf(getAddress(deps, request))}`

  return {
    /** Also without a session: a page of another site must not sign a user in. */
    sameSite: (request, _reply, { requires }) => {
      const mayBeKey = requires.credential === 'any' && request.headers.authorization !== undefined
      if (!requires.role && isWrite(request) && !mayBeKey) browser.refuseForeignPage(request)
    },
    /** Counts each route apart: an honest user signs up, opens a mail and signs in. */
    limitAddress: (request, reply, { tier, path }) =>
      tier === 'auth' && limits.take(reply, 'auth', `${path}:${toAddressKey(request)}`),
    identify: async (request, _reply, { requires }) =>
      void Object.assign(request, await identify(deps, request, requires)),
    limitCredential: (request, reply, { requires, tier }) => {
      if (tier === 'auth') return undefined
      const key = toCredentialKey(request)
      if (key !== null)
        return limits.take(reply, tier, key, tier === 'api' ? ownRate(request) : undefined)
      // The next step refuses it.
      return requires.role ? undefined : limits.take(reply, tier, toAddressKey(request))
    },
    admit: (request, _reply, { requires }) => {
      if (requires.credential === 'none') return
      admit(request, requires)
      // A page can only send a session.
      if (requires.role && request.caller!.session && isWrite(request))
        browser.refuseForeignPage(request)
    },
    quota: (request, reply, { requires }) =>
      quota && requires.credential !== 'none' && takeQuota(quota, request, reply),
    /** A session sees its own change at once, although its next request may overtake the notification. */
    forget: (request) => {
      const { caller } = request
      if (caller?.session && isWrite(request)) deps.credentials.forgetSession(caller.session.id)
    },
    tarpit: (_request, reply, { requires, tier }) => {
      if (requires.role) return tarpits.workspaces(reply)
      return tier === 'auth' ? tarpits.guesses(reply) : undefined
    },
  }

  function ownRate({ membership }: FastifyRequest): number | undefined {
    if (!membership) return undefined
    const { apiRequestsPerMinute, plan } = membership
    return apiRequestsPerMinute ?? deps.planRequestsPerMinute?.(plan) ?? undefined
  }
}

function toCredentialKey({ caller }: FastifyRequest): string | null {
  const { principal, session } = caller!
  if (principal?.actor.type === 'api_key') return `key:${principal.actor.id}`
  return session && `user:${session.userId}`
}

/** @throws ApiError UNAUTHORIZED, FORBIDDEN, or VALIDATION_ERROR for a request that names two workspaces */
function admit(request: FastifyRequest, requires: Requirements): void {
  const { credential, role } = requires
  const { session, principal } = request.caller!
  if (!session && !principal) {
    if (isSessionOptional(request, requires)) return
    throw new ApiError(
      'UNAUTHORIZED',
      role ? 'A valid API key or session is required.' : 'This needs a session. Sign in first.',
    )
  }
  if (!role && credential === 'session' && !session) throw needsSession()
  refuseOtherWorkspace(request)
  if (!role) return
  if (!principal)
    throw new ApiError(
      'FORBIDDEN',
      'You belong to no workspace. Create one or accept an invitation first.',
    )
  if (request.membership!.isSuspended)
    throw new ApiError('FORBIDDEN', 'This workspace is suspended. Ask the operator of this server.')
}

/** @throws ApiError FORBIDDEN, or VALIDATION_ERROR when header and query differ */
function refuseOtherWorkspace(request: FastifyRequest): void {
  const { header, query } = readNamedWorkspaces(request)
  if (header !== null && query !== null && header !== query)
    throw invalid(
      'workspaceId',
      'workspaceId names another workspace than the header x-signpost-workspace. Send one of them.',
      'mismatch',
    )
  const wanted = header ?? query
  if (wanted === null || request.membership?.workspaceId === wanted) return
  throw new ApiError(
    'FORBIDDEN',
    request.caller!.session
      ? 'You are not a member of the workspace that the request names.'
      : 'The request names a workspace that this API key does not belong to.',
  )
}

function needsSession(): ApiError {
  return new ApiError('FORBIDDEN', 'This needs a session; an API key may not do it.')
}

function authorize(principal: Principal, { credential, role, scope }: Requirements): void {
  if (credential === 'session' && principal.actor.type === 'api_key') throw needsSession()
  if (role && !roleAtLeast(principal.role, role))
    throw new ApiError('FORBIDDEN', `This needs the role ${role}.`, { requiredRole: role })
  if (scope !== undefined && !scopeCovers(principal.scopes, scope))
    throw new ApiError('FORBIDDEN', `This API key lacks the scope ${scope}.`, {
      requiredScope: scope,
    })
}

export type RequireOperator = (session: Session) => Promise<void>

type ServiceStepsDeps = {
  /** @throws ApiError FORBIDDEN */
  requireOperator: RequireOperator
  timeout: RequestTimeout
  concurrency: ConcurrencyLimit
  idempotentResponses: IdempotentResponses
}

export function createServiceSteps({
  requireOperator,
  timeout,
  concurrency,
  idempotentResponses,
}: ServiceStepsDeps) {
  const idempotency = new Idempotency(idempotentResponses)

  function run<T>(
    { caller, untilAnswered }: FastifyRequest,
    work: (signal: AbortSignal) => Promise<T>,
    { skipConcurrencyLimit, limits }: Partial<Pick<Route, 'skipConcurrencyLimit' | 'limits'>> = {},
  ): Promise<T> {
    const owner = caller!
    return timeout(
      toOwner(owner),
      untilAnswered,
      (signal) =>
        skipConcurrencyLimit ? work(signal) : concurrency(owner, signal, () => work(signal)),
      limits?.timeoutMs,
    )
  }

  return {
    find: (request, _reply, { find }) =>
      find &&
      run(request, (signal) =>
        find(request.caller!.principal!, request.params as Record<string, string>, signal),
      ),
    authorize: async (request, _reply, { requires }) => {
      if (requires.operator) await run(request, () => requireOperator(request.caller!.session!))
      if (requires.role) authorize(request.caller!.principal!, requires)
    },
    /** A repeated request with an answer costs none of the rate. */
    limitRoute: async (request, _reply, route) => {
      try {
        await route.requireRate?.(request.caller!.principal!)
      } catch (error) {
        if (!(await run(request, () => idempotency.hasAnswer(request, route)))) throw error
      }
    },
    handle: async (request, reply, route) => {
      const result = await idempotency.handle(
        request,
        reply,
        route,
        (work) => run(request, work),
        (caller) => run(request, (signal) => callRule(request, route, caller, signal), route),
      )
      return sendReply(request, reply, route, result)
    },
  } satisfies Steps
}

/** The body stays counted until the rule has ended, even after its client left. */
function callRule(
  { params, query, headers, body, bodyHold }: FastifyRequest,
  route: Route,
  caller: Caller,
  signal: AbortSignal,
): Promise<Reply<unknown>> {
  const ifMatch = route.supportsIfMatch ? readIfMatch(headers) : undefined
  const { principal } = caller
  const acting = ifMatch ? { ...caller, principal: principal && { ...principal, ifMatch } } : caller
  const working = route.handle(acting, { params, query, headers, body }, signal)
  bodyHold?.until(working)
  return working
}

/** The gateway has identified and admitted the request. */
export function createBoundarySteps({ getCaller }: Pick<TrustBoundary, 'getCaller'>) {
  return {
    identify: (request, _reply, { requires }) => {
      const { headers } = request
      const caller = getCaller(request.raw)
      request.caller = {
        ...caller,
        wantsHtml: wantsHtml(headers),
        language: findLanguage(headers['accept-language']),
        cookies: readCookies(headers.cookie, caller.origin),
      }
      if (requires.role && !caller.principal)
        throw new ApiError('UNAUTHORIZED', 'A valid API key or session is required.')
    },
  } satisfies Partial<Steps>
}

/** The answer of the services passes unchanged. */
export function createForwardSteps(forwarder: Pick<Forwarder, 'forward'>) {
  return {
    handle: async (request, reply, { limits, isLongLived = false }) => {
      const answer = await forwarder.forward(request.raw, reply.raw, request.caller!, {
        ...limits,
        isLongLived,
      })
      if (!answer) return reply.code(499).hijack()
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    },
  } satisfies Steps
}

export function createTarpit(options: PacerOptions = {}) {
  const pace = createRefusalPacer(options)
  return async (reply: FastifyReply): Promise<void> => {
    if (reply.statusCode === 429 && !(await pace())) reply.header('connection', 'close')
  }
}
