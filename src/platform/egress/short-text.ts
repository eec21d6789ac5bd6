import type { EgressClient } from './client.ts'

/**
 * Reads a short text over HTTP from an address that a user chose; redirects are not followed.
 * @param dispatcher connects only to addresses that the egress guard allows
 * @returns null unless the whole answer is a 200 of at most `maxBytes` that arrives within `timeoutMs`
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
