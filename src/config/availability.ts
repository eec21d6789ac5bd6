import { setting } from './setting.ts'
import { integer } from './values.ts'

/** Settings of stops, outages and load. */
export const AVAILABILITY = {
  drainSeconds: setting(
    'DRAIN_SECONDS',
    integer(0, 300),
    0,
    'Seconds from a stop signal, when `/ready` begins to answer 503, until the server accepts no more requests: longer than a load balancer takes to notice. 0 for a server without one.',
  ),
  edgeSnapshotHours: setting(
    'EDGE_SNAPSHOT_HOURS',
    integer(1, 8_760),
    24,
    'Hours for which an edge that starts while PostgreSQL is away serves the links, domains and certificates that it keeps in DATA_DIR, counted from the last moment at which it knew of every change.',
  ),
}
