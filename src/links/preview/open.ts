import { openEgressClient } from '../../platform/egress/client.ts'
import type { EgressGuard } from '../../platform/egress/guard.ts'

/** Fetches pages for previews, behind the egress guard. */
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
