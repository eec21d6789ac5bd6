import type { Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import { registerGauge } from '../../platform/core/read-metrics.ts'
import { unshippedSinceMs } from './age.ts'
import { totalBytes } from './size.ts'

/**
 * Registers what waits in the journals under `root`. It is read from the disk when it is asked for, so that it is
 * right while nothing is shipped.
 */
export function registerUnshipped(registry: Registry, root: string, clock: Clock): void {
  registerGauge(
    registry,
    'signpost_clicks_unshipped_age_seconds',
    'Age of the oldest click that is not in both databases yet; 0 without one.',
    async () => {
      const sinceMs = await unshippedSinceMs(root)
      return sinceMs === Infinity ? 0 : Math.max(0, clock() - sinceMs) / 1_000
    },
  )
  registerGauge(
    registry,
    'signpost_clicks_unshipped_bytes',
    'Bytes of the journals on the disk.',
    () => totalBytes(root),
  )
}
