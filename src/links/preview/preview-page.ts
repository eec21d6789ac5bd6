import { TextDecoder } from 'node:util'
import type { Dispatcher } from 'undici'
import { HeadReader, type PageFacts } from './preview-head.ts'

export type PageDeps = {
  dispatcher: { request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> }
  checkTarget: (url: URL) => void
}

/** The reason is for tests and debugging; no answer contains it. */
class UnreadableError extends Error {
  override name = 'UnreadableError'
}

const MAX_REDIRECTS = 3
const MAX_BYTES = 1024 * 1024
const HTML = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const PAGES = 'text/html, application/xhtml+xml'
const IMAGES = 'image/*'

/** A `<meta>` may name the encoding within this many bytes (HTML, 13.2.3.2). */
const CHARSET_WITHIN_BYTES = 1_024

const BYTE_ORDER_MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i
const META_CHARSET = /<meta[^>]{1,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const UTF_16 = /^utf-16/

/** Follows at most three redirects, none from https to http, and checks each like the first URL. */
export async function readPage(
  deps: PageDeps,
  url: URL,
  signal: AbortSignal,
): Promise<{ finalUrl: string; facts: PageFacts }> {
  const ended = new AbortController()
  try {
    const page = await openTarget(deps, url, PAGES, AbortSignal.any([signal, ended.signal]))
    const head = await readHead(page.body, readType(page.headers))
    const facts = head.facts(page.url.href, (candidate) => isTarget(deps, candidate))
    return { finalUrl: page.url.href, facts }
  } finally {
    // Closes the connection without reading the rest of the body.
    ended.abort()
  }
}

/** The bytes of a small image, by the same rules. */
export async function readImage(
  deps: PageDeps,
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const ended = new AbortController()
  try {
    const { body } = await openTarget(deps, url, IMAGES, AbortSignal.any([signal, ended.signal]))
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new UnreadableError('The image is too large.')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    ended.abort()
  }
}

async function openTarget(deps: PageDeps, first: URL, accept: string, signal: AbortSignal) {
  let url = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!isTarget(deps, url)) throw new UnreadableError('The address is not allowed.')
    const { statusCode, headers, body } = await deps.dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal,
      headers: {
        accept,
        // Compressed bodies are refused, so that nothing has to be inflated.
        'accept-encoding': 'identity',
        'user-agent': 'Signpost-Preview/1.0',
      },
      // A connection kept open for another workspace would be faster, which would reveal that request.
      reset: true,
    })
    // Without a listener, a closed connection would be an uncaught error.
    body.on('error', () => {})
    if (statusCode === 200) return { url, body, headers }
    body.destroy()
    url = toNext(url, statusCode, headers['location'])
  }
  throw new UnreadableError('There are too many redirects.')
}

function readType(headers: Record<string, string | string[] | undefined>): string {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = headers
  if (typeof type !== 'string' || !HTML.test(type))
    throw new UnreadableError('The answer is not a page.')
  if (encoding !== 'identity') throw new UnreadableError('The page is compressed.')
  return type
}

function toNext(url: URL, status: number, location: string | string[] | undefined): URL {
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && typeof location === 'string'
  const next = isRedirect ? URL.parse(location, url.href) : null
  if (next === null) throw new UnreadableError(`The server answers ${status}.`)
  if (url.protocol === 'https:' && next.protocol !== 'https:')
    throw new UnreadableError('The redirect leaves https.')
  return next
}

function isTarget({ checkTarget }: PageDeps, url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  if (url.username !== '' || url.password !== '') return false
  try {
    checkTarget(url)
    return true
  } catch {
    return false
  }
}

async function readHead(body: AsyncIterable<Buffer>, contentType: string): Promise<HeadReader> {
  const head = await HeadReader.open()
  const starts: Buffer[] = []
  let decoder: TextDecoder | null = null
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new UnreadableError('The head of the page is too long.')
    if (decoder) head.write(decoder.decode(chunk, { stream: true }))
    else {
      starts.push(chunk)
      if (bytes < CHARSET_WITHIN_BYTES) continue
      const start = Buffer.concat(starts)
      decoder = createPageDecoder(start, contentType)
      head.write(decoder.decode(start, { stream: true }))
    }
    if (head.isDone) return head
  }
  if (decoder === null) {
    const whole = Buffer.concat(starts)
    head.write(createPageDecoder(whole, contentType).decode(whole))
  }
  return head
}

/** The encoding comes from the byte order mark, else the Content-Type, else the `<meta>`; else it is UTF-8. */
function createPageDecoder(start: Buffer, contentType: string): TextDecoder {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, i) => start[i] === byte))
  if (marked) return new TextDecoder(marked[0])
  const named = toDecoder(HEADER_CHARSET.exec(contentType)?.[1])
  if (named) return named
  const text = start.toString('latin1', 0, CHARSET_WITHIN_BYTES)
  const declared = toDecoder(META_CHARSET.exec(text)?.[1])
  // If the declaration is readable as ASCII, the page is not in UTF-16.
  return declared && !UTF_16.test(declared.encoding) ? declared : new TextDecoder()
}

function toDecoder(label: string | undefined): TextDecoder | null {
  try {
    return label === undefined ? null : new TextDecoder(label)
  } catch {
    return null
  }
}
