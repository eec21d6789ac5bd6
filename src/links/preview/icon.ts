import { Type } from 'typebox'
import { bindDeps } from '../../platform/core/functions.ts'
import { sleep } from '../../platform/core/service.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { route, type Sent } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { checkDestination } from '../link/destination.ts'
import { targetUrl } from '../options/option-shapes.ts'
import { readImage, readPage, type PageDeps } from './preview-page.ts'

type Icon = { contentType: string; body: Buffer; maxAgeSeconds: number }
type Kept = { icon: Icon; untilMs: number }
type Deps = PageDeps & {
  queue: FairQueue
  kept: Map<string, Kept>
  answerTimesMs: readonly number[]
}

/** As for previews: neither the reason of a failure nor the distance shows. */
const ANSWER_TIMES_MS = [1_000, 5_000]
const MAX_BYTES = 32 * 1024
/** 8 MiB if each icon has the largest size. */
const MAX_KEPT = 256
const FOUND_SECONDS = 7 * 86_400
const MISSING_SECONDS = 3_600

/** Formats that browsers show and that cannot contain scripts. */
const FORMATS = [
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['image/x-icon', Buffer.from('00000100', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ff', 'hex')],
  ['image/gif', Buffer.from('GIF8')],
] as const
const SVG = 'image/svg+xml'

/** A globe, in a gray that can be seen on light and dark pages. */
const GLOBE = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="#8a8577" stroke-width="2"><circle cx="12" cy="12" r="10"/><path d="M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20M2 12h20"/></svg>`
const MISSING: Icon = {
  contentType: SVG,
  body: Buffer.from(GLOBE),
  maxAgeSeconds: MISSING_SECONDS,
}

export type LinkIcons = ReturnType<typeof createLinkIcons>

export const createLinkIcons = (deps: PageDeps, answerTimesMs = ANSWER_TIMES_MS) =>
  bindDeps(
    { ...deps, answerTimesMs, queue: new FairQueue(PLACES.icons), kept: new Map<string, Kept>() },
    { icon },
  )

/** Each workspace has icons of its own: a quick answer would tell that another workspace links to the site. */
async function icon(
  deps: Deps,
  { userId, workspaceId }: Principal,
  input: { url: string },
  signal: AbortSignal = new AbortController().signal,
): Promise<Sent> {
  const { origin, host } = new URL(checkDestination(input.url, () => false, 'url'))
  const key = `${workspaceId} ${origin}`
  const kept = deps.kept.get(key)
  if (kept && kept.untilMs > performance.now()) return toSent(kept.icon)
  const startedAtMs = performance.now()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(deps.answerTimesMs.at(-1)!)])
  const owners = [`user:${userId}`, `workspace:${workspaceId}`]
  const found = await deps.queue
    .run(owners, deadline, () => readIcon(deps, new URL(origin), deadline), `host:${host}`)
    .catch(() => null)
  signal.throwIfAborted()
  if (found === null) {
    const elapsedMs = performance.now() - startedAtMs
    const answerAtMs = deps.answerTimesMs.find((time) => time >= elapsedMs) ?? elapsedMs
    await sleep(answerAtMs - elapsedMs, signal)
  }
  keep(deps.kept, key, found ?? MISSING)
  return toSent(found ?? MISSING)
}

async function readIcon(deps: Deps, site: URL, signal: AbortSignal): Promise<Icon | null> {
  const page = await readPage(deps, site, signal).catch(() => null)
  const common = new URL('/favicon.ico', page?.finalUrl ?? site)
  const named = page?.facts.favicon
  for (const url of named ? [new URL(named), common] : [common]) {
    const body = await readImage(deps, url, MAX_BYTES, signal).catch(() => null)
    const format = FORMATS.find(([, start]) => body?.subarray(0, start.length).equals(start))
    if (body && format) return { contentType: format[0], body, maxAgeSeconds: FOUND_SECONDS }
  }
  return null
}

function keep(kept: Map<string, Kept>, key: string, found: Icon): void {
  kept.delete(key)
  kept.set(key, { icon: found, untilMs: performance.now() + found.maxAgeSeconds * 1_000 })
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
}

function toSent({ contentType, body, maxAgeSeconds }: Icon): Sent {
  return {
    contentType,
    body,
    headers: { 'cache-control': `private, max-age=${maxAgeSeconds}` },
  }
}

export const linkIconRoutes = (icons: LinkIcons) => [
  route('GET /links/icon', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    skipConcurrencyLimit: true,
    sends: [...FORMATS.map(([format]) => format), SVG],
    name: 'getDestinationIcon',
    summary: 'Read the icon of a destination',
    description:
      'Sends the icon of the site, which the server reads and keeps for a week, so that no browser asks the site. A site without one that can be read is answered with a globe.',
    tag: 'Links',
    shapes: {
      query: Type.Object({ url: targetUrl('A page of the site.', 'https://example.com/') }),
    },
    handle: (principal, { query }, signal) => icons.icon(principal, query, signal),
  }),
]
