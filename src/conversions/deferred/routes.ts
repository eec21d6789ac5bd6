import { route } from '../../platform/routes/route.ts'
import { resolveDeferred, type DeferredDeps } from './resolve.ts'
import { DeferredMatch, ResolveDeferred } from './schema.ts'

export const deferredRoutes = (deps: DeferredDeps) => [
  route('POST /deferred/resolve', {
    requires: { credential: 'any', role: 'member', scope: 'deferred:write' },
    tier: 'ingestion',
    idempotent: true,
    name: 'resolveDeferredLink',
    summary: 'Resolve a deferred deep link',
    description:
      'Tells an app that is opened for the first time which link led to its installation: by the install referrer, by the click or the short URL, or by the address of the phone. A click is matched once.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag: 'Deep links',
    shapes: { body: ResolveDeferred, reply: DeferredMatch },
    handle: (principal, { body }, signal) => resolveDeferred(deps, principal, body, signal),
  }),
]
