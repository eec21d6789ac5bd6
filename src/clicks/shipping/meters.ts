import { Counter, Histogram, type Registry } from 'prom-client'
import { DROP_REASONS, KINDS, type DropReason, type Kind } from './enrich.ts'

/**
 * Metrics of the click pipeline, as functions whose arguments can be sent to another thread. Invariant: answered =
 * shipped (all kinds) + discarded + dropped + quarantined + still in the journal. Clicks are counted when their
 * segment is committed.
 */
export type Meters = {
  shipped(kind: Kind, clicks: number): void
  discarded(reason: DropReason, records: number): void
  quarantined(rows: number): void
  repaired(rows: number): void
  surplus(rows: number): void
  fenced(): void
  failed(): void
  /** Time from the sealing of a segment until it is in both databases. */
  took(seconds: number): void
}

const metersByRegistry = new WeakMap<Registry, Meters>()

/** One set per registry, for all shippers that share it. */
export function getMeters(registry: Registry): Meters {
  const meters = metersByRegistry.get(registry) ?? createMeters(registry)
  metersByRegistry.set(registry, meters)
  return meters
}

function createMeters(registry: Registry): Meters {
  const counters = createCounters(registry)
  return {
    shipped: (kind, clicks) => counters.shipped.inc({ kind }, clicks),
    discarded: (reason, records) => counters.discarded.inc({ reason }, records),
    quarantined: (rows) => counters.quarantined.inc(rows),
    repaired: (rows) => counters.repaired.inc(rows),
    surplus: (rows) => counters.surplus.inc(rows),
    fenced: () => counters.fenced.inc(),
    failed: () => counters.failures.inc(),
    took: (seconds) => counters.shipSeconds.observe(seconds),
  }
}

function createCounters(registry: Registry) {
  const registers = [registry]
  const shipped = new Counter({
    name: 'signpost_clicks_shipped_total',
    help: 'Clicks that are in both databases, by kind; only human ones are counted on links.',
    labelNames: ['kind'] as const,
    registers,
  })
  const discarded = new Counter({
    name: 'signpost_clicks_discarded_total',
    help: 'Journal records that were not stored as rows, by reason.',
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
      help: 'Rows that ClickHouse refused; they are in DATA_DIR/quarantine.',
      registers,
    }),
    repaired: new Counter({
      name: 'signpost_clicks_repaired_total',
      help: 'Rows sent again because ClickHouse knew their token and had not stored them.',
      registers,
    }),
    surplus: new Counter({
      name: 'signpost_clicks_surplus_total',
      help: 'Rows found twice when a segment was checked. Any value but 0 is a defect.',
      registers,
    }),
    fenced: new Counter({
      name: 'signpost_clicks_fenced_total',
      help: 'Segments that another shipper committed first.',
      registers,
    }),
    failures: new Counter({
      name: 'signpost_clicks_ship_failures_total',
      help: 'Failed attempts to ship a segment, which are repeated.',
      registers,
    }),
    shipSeconds: new Histogram({
      name: 'signpost_clicks_ship_seconds',
      help: 'Time from the sealing of a segment until it is in both databases.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3_600],
      registers,
    }),
  }
}
