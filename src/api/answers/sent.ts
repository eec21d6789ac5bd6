import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route, Sent } from '../../platform/routes/route.ts'
import { isStoredFile, sendFile } from './ranges.ts'
import { discard, toStream } from './streams.ts'

/** Lets a browser show an answer, such as an image with an embedded one, and run nothing in it. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
const MAX_NAME_CHARS = 150
const YEAR_SECONDS = 31_536_000

/** Sends the bytes or the stream of a route with `sends`. */
export async function sendBytes(
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
    // Kept by the client alone, and asked for again before each use, unless the bytes never change.
    const use = isImmutable ? `max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
    reply.headers({ etag: `"${etag}"`, 'cache-control': `private, ${use}` })
    if (isKnown(request, etag)) {
      if (!Buffer.isBuffer(body) && !isStoredFile(body)) await discard(body)
      return reply.code(304).send()
    }
  }
  reply.code(status).header('content-type', contentType)
  if (Buffer.isBuffer(body)) return reply.send(body)
  if (isStoredFile(body)) return sendFile(request, reply, body, { etag, partMs: limits.timeoutMs })
  if (request.method === 'HEAD') {
    await discard(body)
    // The framework drops it, and announces no length.
    return reply.send(Readable.from([]))
  }
  return reply.send(toStream(request, reply, body, limits.timeoutMs))
}

/** Compares weakly, as RFC 9110 (13.1.2) asks for reads. */
function isKnown({ method, headers }: FastifyRequest, etag: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const known = headers['if-none-match']
  if (known === undefined) return false
  return known.split(',').some((one) => ['*', `"${etag}"`].includes(one.trim().replace(/^W\//, '')))
}

/**
 * A `Content-Disposition` by which browsers save the answer under a name. Characters that have a meaning in
 * the header or in a path are replaced; other alphabets go into the second form of the name (RFC 6266).
 */
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
