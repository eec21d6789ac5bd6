import type { Registry } from 'prom-client'
import { createReadMetrics } from '../../platform/core/read-metrics.ts'
import type { Flusher } from './flusher.ts'
import type { Lanes } from './lanes.ts'

export function registerGauges(
  registry: Registry,
  lanes: Lanes,
  flusher: Pick<Flusher, 'unwritten'>,
): void {
  const { gauge } = createReadMetrics(registry)
  gauge('signpost_deliveries_in_flight', 'Webhook requests on the wire.', () => lanes.inFlight)
  gauge('signpost_delivery_lanes', 'Endpoints whose lanes this worker holds.', () => lanes.size)
  gauge(
    'signpost_delivery_lanes_held_back',
    'Endpoints whose deliveries wait because their host is at the rate of WEBHOOK_HOST_RATE.',
    () => lanes.countHeldBack(),
  )
  gauge(
    'signpost_delivery_outcomes_unwritten',
    'Attempts that have ended and whose outcomes are not in the database yet.',
    () => flusher.unwritten,
  )
}
