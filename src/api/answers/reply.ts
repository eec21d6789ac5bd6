import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toEntityTag } from '../../platform/resources/versions.ts'
import {
  isPage,
  isVersioned,
  type Reply,
  type Route,
  type Sent,
  type StoredFile,
} from '../../platform/routes/route.ts'
import { toSetCookie } from '../requests/browser.ts'
import { sendPage } from '../site/pages.ts'
import { isUnchanged } from '../site/static-file.ts'
import { Readable } from 'node:stream'
import { ApiError } from '../../platform/core/errors.ts'
import { CHUNK_BYTES, toChunks } from '../../platform/http/connections.ts'
import { withinMs } from '../../platform/core/service.ts'

export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  result: Reply<unknown>,
): FastifyReply | Promise<FastifyReply> {
  const { cookies = [] } = result
  if (cookies.length > 0) {
    const { origin } = request.caller!
    reply.header(
      'set-cookie',
      cookies.map((cookie) => toSetCookie(cookie, origin)),
    )
  }
  if ('html' in result) return sendPage(reply, result.status ?? 200, result.html)
  if ('redirect' in result)
    return reply.code(302).header('location', checkLocation(result.redirect)).send()
  if ('plain' in result) return reply.code(result.status).send(result.plain)
  if ('sent' in result) return sendBytes(request, reply, route, result.sent)
  if (result.headers) reply.headers(result.headers)
  reply.code(route.status)
  if (route.status === 204) return reply.send()
  const { data, meta } = isPage(result.data) ? result.data : { data: result.data, meta: {} }
  if (isVersioned(route))
    reply.header('etag', toEntityTag((data as { updatedAt: string }).updatedAt))
  if (route.etagWithout) {
    const own = Object.entries(meta).filter(([field]) => !route.etagWithout!.includes(field))
    const etag = digestOf([data, own])
    // Weak, since the bytes of the answer differ under it.
    reply.header('etag', `W/"${etag}"`)
    if (isKnown(request, etag)) return reply.code(304).send()
  }
  return reply.send({ data: data ?? null, meta: { requestId: request.id, ...meta } })
}

function digestOf(contents: unknown): string {
  return createHash('sha256').update(JSON.stringify(contents)).digest('base64url').slice(0, 22)
}

/** Refuses `//elsewhere` and its variants. */
function checkLocation(location: string): string {
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(location)
  const isUrl = /^https?:\/\/[\x21-\x7e]+$/.test(location) && URL.canParse(location)
  if (!isPath && !isUrl)
    throw new Error('the location of a redirect is neither a path nor an absolute URL')
  return location
}

/** Lets a browser show an answer, such as an image with an embedded one, and run nothing in it. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
const MAX_NAME_CHARS = 150
const YEAR_SECONDS = 31_536_000

async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, limits, sends = [], name }: Route,
  { contentType, body, filename, isInline, isImmutable, etag, headers }: Sent,
): Promise<FastifyReply> {
  if (!sends.includes(contentType.split(';')[0]!))
    throw new Error(`the route ${name} does not declare that it sends ${contentType}`)
  reply.headers({ ...headers, 'content-security-policy': POLICY })
  if (filename !== undefined)
    reply.header('content-disposition', toDisposition(filename, isInline ? 'inline' : 'attachment'))
  if (etag !== undefined) {
    // Only the client stores it, and revalidates it before each use, unless the bytes never change.
    const use = isImmutable ? `max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
    reply.headers({ etag: `"${etag}"`, 'cache-control': `private, ${use}` })
    if (isKnown(request, etag)) {
      if (!Buffer.isBuffer(body) && !isStoredFile(body)) await discard(body)
      return reply.code(304).send()
    }
  }
  reply.code(status).header('content-type', contentType)
  if (Buffer.isBuffer(body)) return reply.send(body)
  if (isStoredFile(body)) return sendPart(request, reply, body, { etag, partMs: limits.timeoutMs })
  if (request.method === 'HEAD') {
    await discard(body)
    // The framework drops it, and sends no length.
    return reply.send(Readable.from([]))
  }
  return reply.send(toStream(request, reply, body, limits.timeoutMs))
}

/** A weak comparison (RFC 9110, 13.1.2). */
function isKnown({ method, headers }: FastifyRequest, etag: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return isUnchanged(headers['if-none-match'], `"${etag}"`)
}

/** Characters with a meaning in the header or in a path are replaced; other alphabets go into the second form (RFC 6266). */
function toDisposition(filename: string, kind: 'inline' | 'attachment'): string {
  const safe =
    filename
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}"\\/:*?<>|%]+/gu, '_')
      .slice(0, MAX_NAME_CHARS)
      .toWellFormed()
      .replace(/^\.+/, '_') || 'download'
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_')
  const rest =
    ascii === safe
      ? ''
      : `; filename*=UTF-8''${encodeURIComponent(safe).replace(/['()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`
  return `${kind}; filename="${ascii}"${rest}`
}

type Range = { from: number; to: number }

function isStoredFile(body: Sent['body']): body is StoredFile {
  return 'read' in body && 'size' in body
}

/**
 * As RFC 9110, 14.2 allows, several parts, malformed ranges and ranges of a HEAD are ignored.
 * @throws ApiError RANGE_NOT_SATISFIABLE
 */
function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  { etag, partMs }: { etag: string | undefined; partMs: number },
): FastifyReply {
  reply.header('accept-ranges', 'bytes')
  const { range, 'if-range': ifRange } = request.headers
  const isHead = request.method === 'HEAD'
  const isOfThisFile = ifRange === undefined || ifRange === `"${etag}"`
  const part = range && isOfThisFile && !isHead ? parseRange(range, file.size) : null
  if (part === 'unsatisfiable') {
    // Clients must not store the refusal as the file.
    reply.headers({ 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store' })
    throw new ApiError('RANGE_NOT_SATISFIABLE')
  }
  const { from, to } = part ?? { from: 0, to: file.size }
  if (part) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${file.size}`)
  reply.header('content-length', to - from)
  if (isHead) return reply.send(Readable.from([]))
  return reply.send(toStream(request, reply, file.read(from, to), partMs))
}

function parseRange(header: string, size: number): Range | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim()) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') {
    const bytes = Math.min(Number(last), size)
    return bytes === 0 ? 'unsatisfiable' : { from: size - bytes, to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return null
  if (from >= size) return 'unsatisfiable'
  return { from, to: last === '' ? size : Math.min(Number(last) + 1, size) }
}

type Body = Exclude<Sent['body'], Buffer | StoredFile>

/**
 * The source ends by `return()` when the client disconnects or reads nothing. An error cuts the connection, since a
 * file that ends early could pass for a whole one.
 */
function toStream(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  partMs: number,
): Readable {
  const stream =
    body instanceof Readable
      ? body
      : Readable.from(eachInTime(body, partMs), { objectMode: false, highWaterMark: CHUNK_BYTES })
  stream.once('error', (error) => {
    if (!isClientGone(reply)) request.log.error({ err: error }, 'a streamed answer failed')
  })
  return stream
}

async function discard(body: Body): Promise<void> {
  if (body instanceof Readable) body.destroy()
  else await body[Symbol.asyncIterator]().return?.()
}

async function* eachInTime(body: AsyncIterable<Buffer | string>, partMs: number) {
  const parts = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await withinMs(parts.next(), partMs)
      if (part.done) return
      const bytes = typeof part.value === 'string' ? Buffer.from(part.value) : part.value
      yield* toChunks(bytes)
    }
  } finally {
    // Not awaited: `return()` of a generator waits for a part that is late.
    parts.return?.().catch(() => {})
  }
}

export function isClientGone({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished
}
