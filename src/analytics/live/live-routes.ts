import { TIMES } from '../../platform/limits/times.ts'
import { route } from '../../platform/routes/route.ts'
import { LIVE_SCOPE, LiveHeaders, LiveQuery, type LiveClicks } from './live.ts'

/** More than the ten seconds between two pings. */
const PART_MS = TIMES.stream.ms

export const liveRoutes = (live: LiveClicks) => [
  route('GET /analytics/live', {
    requires: { credential: 'any', role: 'viewer', scope: LIVE_SCOPE },
    skipConcurrencyLimit: true,
    isLongLived: true,
    name: 'streamClicks',
    summary: 'Clicks as they happen',
    description:
      'Server-sent events: `click` with the data of click.received and the id of the click, `ping` every ten seconds, and `skipped` with the number of clicks that were left out, which is null when it is unknown. With `Last-Event-ID` the clicks that began to count after that one come first.',
    tag: 'Analytics',
    limits: { timeoutMs: PART_MS },
    sends: ['text/event-stream'],
    shapes: { query: LiveQuery, headers: LiveHeaders },
    handle: (principal, { query, headers }, signal, caller) =>
      live.start(principal, { query, headers }, signal, caller),
  }),
]
