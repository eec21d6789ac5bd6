import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'

export type DeliveryMeters = ReturnType<typeof deliveryMeters>

export function deliveryMeters(registry: Registry, lanes: { inFlight(): number; size(): number }) {
  const registers = [registry]
  new Gauge({
    name: 'signpost_deliveries_in_flight',
    help: 'Webhook requests on the wire.',
    registers,
    collect() {
      this.set(lanes.inFlight())
    },
  })
  new Gauge({
    name: 'signpost_delivery_lanes',
    help: 'Endpoints whose deliveries this worker holds.',
    registers,
    collect() {
      this.set(lanes.size())
    },
  })
  return {
    attempts: new Counter({
      name: 'signpost_delivery_attempts_total',
      help: 'Attempts by outcome: completed, http_error, or why no answer came.',
      labelNames: ['outcome'],
      registers,
    }),
    flushSeconds: new Histogram({
      name: 'signpost_delivery_flush_seconds',
      help: 'How long a batch of outcomes took to be written.',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
      registers,
    }),
  }
}
