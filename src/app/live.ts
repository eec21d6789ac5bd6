import { CLICKS_CHANNEL } from '../clicks/arrivals.ts'
import type { Log } from '../base/log.ts'
import type { Service } from '../base/service.ts'
import type { LiveClicks } from '../services/analytics/live.ts'
import { createListener } from '../storage/listen.ts'
import type { Stores } from '../storage/stores.ts'

type Deps = { stores: Stores; live: LiveClicks; log: Log }

/** The parts behind `GET /analytics/live`, with the one connection that receives the notices of other processes. */
export function openLive({ stores, live, log }: Deps): readonly Service[] {
  stores.notices.subscribe(CLICKS_CHANNEL, () => live.wake())
  const listener = createListener({
    name: 'clicks-listener',
    channel: CLICKS_CHANNEL,
    sql: stores.openPostgres('signpost-clicks-listener'),
    onChange: () => live.wake(),
    onConnected: () => live.wake(),
    onConfirmed: () => {},
    onDisconnected: () => {},
    log,
  })
  return [...live.services, listener]
}
