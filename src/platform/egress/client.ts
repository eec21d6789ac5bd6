import type { Dispatcher } from 'undici'
import type { AgentOptions } from './agent.ts'
import type { EgressGuard } from './guard.ts'

/** Sends requests to addresses that users chose; those that the guard refuses fail. */
export type EgressClient = Pick<Dispatcher, 'dispatch'> & {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  destroy(): Promise<void>
}

/**
 * The agent of src/platform/egress/agent.ts, which is loaded with the first request: undici takes 15 MB, and most processes
 * rest without webhooks for hours.
 */
export function openEgressClient(guard: EgressGuard, options: AgentOptions = {}): EgressClient {
  let loaded: EgressClient | null = null
  let loading: Promise<EgressClient> | null = null
  async function load(): Promise<EgressClient> {
    const { createEgressAgent } = await import('./agent.ts')
    loaded = createEgressAgent(guard, options)
    return loaded
  }
  const agent = () => (loading ??= load())
  return {
    dispatch(request, handler) {
      if (loaded) return loaded.dispatch(request, handler)
      void agent().then((client) => client.dispatch(request, handler))
      return true
    },
    request: async (request) => (await agent()).request(request),
    destroy: async () => (await loading)?.destroy(),
  }
}
