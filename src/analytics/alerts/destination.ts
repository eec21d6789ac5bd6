import type { Dispatcher } from 'undici'
import { EgressBlockedError, type EgressGuard } from '../../platform/egress/guard.ts'

export type DestinationDeps = {
  dispatcher: { request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> }
  guard: Pick<EgressGuard, 'checkUrl'>
}

const TIMEOUT_MS = 3_000
const HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'Signpost' }

/**
 * Asks with HEAD, and with GET if that fails, since some servers answer only that. Redirects are not followed: the
 * destination has answered.
 * @returns null for an address that this server does not ask
 */
export async function isAnswering(deps: DestinationDeps, url: string): Promise<boolean | null> {
  try {
    await deps.guard.checkUrl(url, { allowHttp: true })
    if (await answers(deps, url, 'HEAD').catch(rethrowBlocked)) return true
    return await answers(deps, url, 'GET').catch(rethrowBlocked)
  } catch {
    return null
  }
}

async function answers(
  { dispatcher }: DestinationDeps,
  url: string,
  method: 'HEAD' | 'GET',
): Promise<boolean> {
  const { origin, pathname, search } = new URL(url)
  const { statusCode, body } = await dispatcher.request({
    ...{ origin, path: pathname + search, method, headers: HEADERS },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  body.on('error', () => {}).destroy()
  // Pages that ask for a sign-in, or refuse programs, work for visitors.
  return statusCode < 500 && statusCode !== 404 && statusCode !== 410
}

function rethrowBlocked(error: unknown): false {
  if (error instanceof EgressBlockedError) throw error
  return false
}
