import { Counter, Histogram, type Registry } from 'prom-client'
import { DROP_REASONS, KINDS } from './enrich.ts'

/** Invariant: answered = shipped (all kinds) + discarded + dropped + quarantined + still in the journal. */
export type Meters = ReturnType<typeof createMeters>

export function createMeters(registry: Registry) {
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
