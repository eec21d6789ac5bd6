import type { Dispatcher } from 'undici'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { sleep } from '../../platform/core/service.ts'
import { EgressBlockedError } from '../../platform/egress/guard.ts'
import { SIZES } from '../../platform/limits/sizes.ts'
import { FileProcessEnded, FileProcesses } from '../../platform/work/file-process.ts'
import type {
  ShlinkAnswer,
  ShlinkLink,
  ShlinkLinks,
  ShlinkRequest,
  ShlinkRules,
  ShlinkVisits,
} from './shlink-process.ts'

export type ShlinkSource = { baseUrl: string; apiKey: string }

type Deps = {
  dispatcher: { request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> }
  checkTarget: (url: URL) => void
}

const LINKS_PER_PAGE = 50
const VISITS_PER_PAGE = 5_000
const MAX_BYTES = SIZES.importFile.bytes
const REQUEST_MS = 15_000
const ATTEMPTS = 3
const RETRY_MS = 1_000
const READ_MS = 10_000
const MAX_HEAP_MB = 192
const FILE = new URL('shlink-process.ts', import.meta.url)

export type ShlinkApi = ReturnType<typeof createShlinkApi>

/** Reads Shlink's REST API, version 3. Its answers are as untrusted as uploaded files, so a process of their own parses them. */
export function createShlinkApi(deps: Deps, { requestMs = REQUEST_MS } = {}) {
  const processes = new FileProcesses<ShlinkRequest, ShlinkAnswer>(FILE, {
    deadlineMs: READ_MS,
    maxHeapMb: MAX_HEAP_MB,
  })

  async function read<Answer extends ShlinkAnswer>(
    source: ShlinkSource,
    path: string,
    request: ShlinkRequest,
  ): Promise<Answer> {
    const bytes = await fetchAnswer(deps, source, path, requestMs)
    try {
      const [answer] = await Array.fromAsync(processes.read(bytes, request))
      return answer as Answer
    } catch (error) {
      if (error instanceof ApiError || error instanceof FileProcessEnded)
        throw refuse('The server answers something else than the API of Shlink.')
      throw error
    }
  }

  return {
    links: (source: ShlinkSource, page: number) =>
      read<ShlinkLinks>(
        source,
        `short-urls?page=${page}&itemsPerPage=${LINKS_PER_PAGE}&orderBy=dateCreated-ASC`,
        { of: 'links', skippedRows: (page - 1) * LINKS_PER_PAGE },
      ),
    visits: (source: ShlinkSource, link: ShlinkLink, page: number) =>
      read<ShlinkVisits>(
        source,
        `${pathOf(link)}/visits?page=${page}&itemsPerPage=${VISITS_PER_PAGE}&excludeBots=true${domainOf(link)}`,
        { of: 'visits' },
      ),
    rules: (source: ShlinkSource, link: ShlinkLink) =>
      read<ShlinkRules>(source, `${pathOf(link)}/redirect-rules?${domainOf(link).slice(1)}`, {
        of: 'rules',
      }),
    [Symbol.asyncDispose]: () => processes.close(),
  }
}

function pathOf({ shortCode }: ShlinkLink): string {
  return `short-urls/${encodeURIComponent(shortCode)}`
}

function domainOf({ domain }: ShlinkLink): string {
  return domain === null ? '' : `&domain=${encodeURIComponent(domain)}`
}

/** Follows no redirects. @throws ApiError VALIDATION_ERROR that says what to do */
async function fetchAnswer(
  deps: Deps,
  source: ShlinkSource,
  path: string,
  requestMs: number,
): Promise<Buffer> {
  const url = toUrl(source.baseUrl, path)
  for (let attempt = 1; ; attempt++) {
    try {
      deps.checkTarget(url)
      const answer = await send(deps, url, source.apiKey, requestMs)
      if (typeof answer !== 'number') return answer
      if (answer < 500 || attempt === ATTEMPTS) throw refuseStatus(answer)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (error instanceof EgressBlockedError) throw refuse(error.message)
      if (attempt === ATTEMPTS)
        throw refuse('The server cannot be reached, or does not answer within 15 seconds.')
    }
    await sleep(RETRY_MS * attempt)
  }
}

/** @returns the body of a 200, else the status */
async function send(
  deps: Deps,
  url: URL,
  apiKey: string,
  requestMs: number,
): Promise<Buffer | number> {
  const { statusCode, body } = await deps.dispatcher.request({
    ...{ origin: url.origin, path: url.pathname + url.search, method: 'GET' },
    signal: AbortSignal.timeout(requestMs),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'Signpost-Import/1.0',
      'x-api-key': apiKey,
    },
  })
  // Without a listener, a closed connection would be an uncaught error.
  body.on('error', () => {})
  if (statusCode !== 200) {
    body.destroy()
    return statusCode
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw refuse('The server sends more than 10 MiB for one page.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toUrl(baseUrl: string, path: string): URL {
  const base = URL.parse(baseUrl)
  if (base === null || !/^https?:$/.test(base.protocol))
    throw refuse('baseUrl must be the http or https address of a Shlink server.')
  if (base.username !== '' || base.password !== '')
    throw refuse('baseUrl must not contain a user name or password.')
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}/rest/v3/${path}`)
}

function refuseStatus(status: number): ApiError {
  if (status === 401 || status === 403)
    return invalid('apiKey', 'The Shlink server refuses the API key.', 'refused')
  if (status === 404)
    return refuse('The server has no API of Shlink there. Give its address without /rest.')
  if (status >= 300 && status < 400)
    return refuse('The server redirects to another address. Give the one where it ends.')
  return refuse(`The server answers ${status}.`)
}

function refuse(message: string): ApiError {
  return invalid('baseUrl', message, 'source')
}
