import { openEgressClient } from '../egress/client.ts'
import type { EgressGuard } from '../egress/guard.ts'

/** What previews of destinations need to fetch pages, behind the egress guard. */
export function openPreviews(guard: EgressGuard) {
  const dispatcher = openEgressClient(guard)
  return {
    dispatcher,
    checkTarget: ({ hostname, port }: URL) => {
      guard.checkHost(hostname)
      guard.checkPort(port)
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  }
}
