import type { Dispatcher } from 'undici'
import type { AgentOptions } from './agent.ts'
import type { EgressGuard } from './guard.ts'

type EgressClient = Pick<Dispatcher, 'dispatch'> & {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  destroy(): Promise<void>
}

/** Loads the agent with the first request: undici takes 15 MB, and most processes are idle for hours. */
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

/**
 * Follows no redirects.
 * @returns null unless all of it is a 200 of at most `maxBytes` within `timeoutMs`
 */
export async function readShortText(
  dispatcher: Pick<EgressClient, 'request'>,
  url: string,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<string | null> {
  const { origin, pathname } = new URL(url)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { statusCode, body } = await dispatcher.request({
      ...{ origin, path: pathname, method: 'GET', signal },
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Signpost' },
    })
    const chunks: Buffer[] = []
    let bytes = 0
    if (statusCode === 200)
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > maxBytes) break
        chunks.push(chunk)
      }
    body.on('error', () => {}).destroy()
    return statusCode === 200 && bytes <= maxBytes ? Buffer.concat(chunks).toString() : null
  } catch {
    return null
  }
}
