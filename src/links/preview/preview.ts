import { bindDeps } from '../../platform/core/functions.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { sleep } from '../../platform/core/service.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { checkDestination } from '../link/destination.ts'
import { PREVIEW_TITLE_MAX_CHARS, toText } from './preview-head.ts'
import { readPage, type PageDeps } from './preview-page.ts'
import { Type, type Static } from 'typebox'
import { object } from '../../platform/routes/shape.ts'
import { nullable, text } from '../../platform/resources/shapes.ts'
import { targetUrl } from '../options/option-shapes.ts'
import { route } from '../../platform/routes/route.ts'
import { openEgressClient } from '../../platform/egress/client.ts'
import type { EgressGuard } from '../../platform/egress/guard.ts'

type Deps = PageDeps & {
  queue: FairQueue
  /** Failures are answered at these times after the start of a request; the last one ends every fetch. */
  answerTimesMs: readonly number[]
}

export type LinkPreviews = ReturnType<typeof createLinkPreviews>

/** Two times only, so that the answer reveals neither the reason of a failure nor the distance. */
const ANSWER_TIMES_MS = [1_000, 5_000]

export const createLinkPreviews = (deps: PageDeps, answerTimesMs = ANSWER_TIMES_MS) =>
  bindDeps({ ...deps, answerTimesMs, queue: new FairQueue(PLACES.previews) }, { preview })

/** Every unreadable page gets the same answer, so that it reveals nothing about the network of this server. */
async function preview(
  deps: Deps,
  { userId, workspaceId }: Principal,
  input: { url: string },
  signal: AbortSignal = new AbortController().signal,
): Promise<LinkPreview> {
  const url = checkDestination(input.url, () => false, 'url')
  const target = new URL(url)
  const startedAtMs = performance.now()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(deps.answerTimesMs.at(-1)!)])
  const owners = [`user:${userId}`, `workspace:${workspaceId}`]
  const read = () => readPage(deps, target, deadline).catch(() => null)
  const page = await deps.queue
    .run(owners, deadline, read, `host:${target.host}`)
    .catch((error: unknown) => {
      if (deadline.aborted) return null
      throw error
    })
  if (page) {
    const { finalUrl, facts } = page
    return { url, finalUrl, ...facts, title: facts.title ?? toTitle(target) }
  }
  const elapsedMs = performance.now() - startedAtMs
  const answerAtMs = deps.answerTimesMs.find((time) => time >= elapsedMs) ?? elapsedMs
  await sleep(answerAtMs - elapsedMs, signal)
  const nothing = { finalUrl: null, description: null, image: null, favicon: null, siteName: null }
  return { url, ...nothing, title: toTitle(target) }
}

function toTitle({ hostname, pathname }: URL): string {
  const path = pathname.replace(/\/+$/, '')
  return toText(`${hostname.replace(/^www\./, '')}${decode(path)}`, PREVIEW_TITLE_MAX_CHARS)!
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const PreviewQuery = Type.Object({
  url: targetUrl('The page: an http or https URL.', 'https://example.com/spring'),
})

const LinkPreview = object('LinkPreview', {
  url: text('The URL of the request, as a link would store it.', 'https://example.com/spring'),
  finalUrl: nullable(
    text(
      'The URL of the page, after redirects; null when it could not be read.',
      'https://example.com/spring',
    ),
  ),
  title: text(
    'Title of the page. Without one, or when the page could not be read, host and path of the URL.',
    'Spring sale',
  ),
  description: nullable(text('Description of the page.', 'Everything at half price.')),
  image: nullable(
    text(
      'URL of the image that the page names. The server has not fetched it.',
      'https://example.com/spring.png',
    ),
  ),
  favicon: nullable(text('URL of the icon that the page names.', 'https://example.com/icon.png')),
  siteName: nullable(text('Name of the site.', 'Example')),
})
export type LinkPreview = Static<typeof LinkPreview>

export const linkPreviewRoutes = (previews: LinkPreviews) => [
  route('GET /links/preview', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    tier: 'preview',
    skipConcurrencyLimit: true,
    name: 'previewLink',
    summary: 'Preview a destination',
    description:
      'Reads title, description, image and icon of a page, as messengers do. A page that cannot be read is answered with a title from its URL and null for the rest, without a reason.',
    tag: 'Links',
    shapes: { query: PreviewQuery, reply: LinkPreview },
    handle: (principal, { query }, signal) => previews.preview(principal, query, signal),
  }),
]

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
