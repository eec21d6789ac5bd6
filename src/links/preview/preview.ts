import { bindDeps } from '../../platform/core/functions.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { sleep } from '../../platform/core/service.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { checkDestination } from '../link/destination.ts'
import { toText } from './preview-head.ts'
import { readPage, type PageDeps } from './preview-page.ts'
import { PREVIEW_TITLE_MAX_CHARS, type LinkPreview } from './preview-shapes.ts'

type Deps = PageDeps & {
  queue: FairQueue
  /** Failures are answered at these times after the start of a request; the last one ends every fetch. */
  answerTimesMs: readonly number[]
}

export type LinkPreviews = ReturnType<typeof createLinkPreviews>

/**
 * A refused address fails at once, a closed port a little later. With only two times, the answer reveals neither
 * the reason nor the distance.
 */
const ANSWER_TIMES_MS = [1_000, 5_000]

export const createLinkPreviews = (deps: PageDeps, answerTimesMs = ANSWER_TIMES_MS) =>
  bindDeps({ ...deps, answerTimesMs, queue: new FairQueue(PLACES.previews) }, { preview })

/**
 * Reads what a page says about itself. The answer for an unreadable page is the same for every reason, so that it
 * reveals nothing about the network of this server.
 * @throws ApiError VALIDATION_ERROR for a URL that no link may have; RATE_LIMITED
 */
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

/** `example.com/spring sale` */
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
