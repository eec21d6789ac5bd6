import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { DROP_REASONS, KINDS } from './steps.ts'

/**
 * The law, in numbers: answered = shipped (kind human: counted, others: classified) + dropped
 * + quarantined + still in the journal. Everything here is counted when the segment is committed.
 */
export type Meters = ReturnType<typeof createMeters>

const known = new WeakMap<Registry, Meters>()

/** One set for each registry, however many shippers share it. */
export function metersOf(registry: Registry): Meters {
  const meters = known.get(registry) ?? createMeters(registry)
  known.set(registry, meters)
  return meters
}

function createMeters(registry: Registry) {
  const registers = [registry]
  const shipped = new Counter({
    name: 'signpost_clicks_shipped_total',
    help: 'Clicks that are in both databases, by kind; only human ones count.',
    labelNames: ['kind'] as const,
    registers,
  })
  const discarded = new Counter({
    name: 'signpost_clicks_discarded_total',
    help: 'Journal records that became no row, by reason.',
    labelNames: ['reason'] as const,
    registers,
  })
  for (const kind of KINDS) shipped.inc({ kind }, 0)
  for (const reason of DROP_REASONS) discarded.inc({ reason }, 0)
  return {
    shipped,
    discarded,
    quarantined: new Counter({
      name: 'signpost_clicks_quarantined_total',
      help: 'Rows that ClickHouse refused for good; they lie in DATA_DIR/quarantine.',
      registers,
    }),
    repaired: new Counter({
      name: 'signpost_clicks_repaired_total',
      help: 'Rows whose deduplication token was known although they were not stored, sent again.',
      registers,
    }),
    surplus: new Counter({
      name: 'signpost_clicks_surplus_total',
      help: 'Rows found twice when a segment was checked. Anything but 0 is a defect.',
      registers,
    }),
    fenced: new Counter({
      name: 'signpost_clicks_fenced_total',
      help: 'Segments that another shipper had committed first.',
      registers,
    }),
    failures: new Counter({
      name: 'signpost_clicks_ship_failures_total',
      help: 'Attempts at a segment that failed and were made again.',
      registers,
    }),
    shipSeconds: new Histogram({
      name: 'signpost_clicks_ship_seconds',
      help: 'From the sealing of a segment until it is in both databases.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3_600],
      registers,
    }),
    waitingSegments: new Gauge({
      name: 'signpost_clicks_journal_segments',
      help: 'Sealed segments that wait to be shipped, when the journals were last looked at.',
      labelNames: ['journal'] as const,
      registers,
    }),
    waitingBytes: new Gauge({
      name: 'signpost_clicks_journal_bytes',
      help: 'Size of the sealed segments that wait to be shipped.',
      labelNames: ['journal'] as const,
      registers,
    }),
  }
}
