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
}
