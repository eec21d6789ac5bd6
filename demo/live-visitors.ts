import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from './random.ts'
import { newVisitor, REFERRERS } from './visitors.ts'
import type { MadeLink } from './workspace.ts'

/** Header in which the demo names the countries of its visitors; the server trusts loopback. */
export const COUNTRY_HEADER = 'x-demo-country'

const SHORTEST_MS = 2_000
const SPREAD_MS = 12_000

/** Opens short links now and then until the signal, so that the live feed has something to show. */
export async function sendVisitors(
  origin: string,
  links: readonly MadeLink[],
  signal: AbortSignal,
): Promise<void> {
  const random = createRandom(Date.now())
  const weighted = links
    .filter(({ plan }) => plan.status === undefined && plan.options?.['password'] === undefined)
    .map(({ slug, plan }) => [slug, plan.weight] as const)
  while (!signal.aborted) {
    const waitMs = SHORTEST_MS + random.below(SPREAD_MS)
    const isEnded = await sleep(waitMs, false, { signal }).catch(() => true)
    if (isEnded) return
    await openLink(`${origin}/${random.pick(weighted)}`, random, signal).catch(() => undefined)
  }
}

/** Opens a short link as a visitor does, without following it. */
export async function openLink(url: string, random: Random, signal?: AbortSignal): Promise<void> {
  const visitor = newVisitor(random)
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: {
      'user-agent': visitor.userAgent,
      'accept-language': visitor.language,
      referer: random.pick(REFERRERS),
      'x-forwarded-for': visitor.ip,
      [COUNTRY_HEADER]: visitor.country,
    },
    ...(signal && { signal }),
  })
  await answer.body?.cancel()
}
