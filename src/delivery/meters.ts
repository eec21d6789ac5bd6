import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { GiveWay } from './give-way.ts'

export function deliveryMeters(
  registry: Registry,
  lanes: { inFlight(): number; size(): number; heldBack(): number },
  unwritten: () => number,
  giveWay: Pick<GiveWay, 'roundMs'>,
) {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      }),
    )
  gauge('signpost_deliveries_in_flight', 'Webhook requests on the wire.', () => lanes.inFlight())
  gauge('signpost_delivery_lanes', 'Endpoints whose deliveries this worker holds.', () =>
    lanes.size(),
  )
  gauge(
    'signpost_delivery_lanes_held_back',
    'Endpoints whose deliveries wait because their host gets as many as WEBHOOK_HOST_RATE allows.',
    () => lanes.heldBack(),
  )
  gauge(
    'signpost_delivery_outcomes_unwritten',
    'Attempts that have ended and whose outcomes wait for the database.',
    () => unwritten(),
  )
  gauge(
    'signpost_delivery_backlog_interval_seconds',
    'How far apart endpoints with a backlog are asked at the moment; above 0.01 they give way.',
    () => giveWay.roundMs(performance.now()) / 1000,
  )
  return {
    attempts: new Counter({
      name: 'signpost_delivery_attempts_total',
      help: 'Attempts by outcome: completed, http_error, or why no answer came.',
      labelNames: ['outcome'],
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'signpost_delivery_wait_seconds',
      help: 'How long a delivery was due when it was claimed, by how its endpoint answers.',
      labelNames: ['pace'],
      buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60, 300],
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
