import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/core/errors.ts'
import type { Sent, StoredFile } from '../../platform/routes/route.ts'
import { toStream } from './streams.ts'

/** From the first position to the one behind the last. */
type Range = { from: number; to: number }

export function isStoredFile(body: Sent['body']): body is StoredFile {
  return 'read' in body && 'size' in body
}

/**
 * Sends a file, or the one part of it that `Range` names (RFC 9110, 14.2). Several parts, other units and what is
 * no range are ignored, as the standard allows, and so is any range of a HEAD: the answer is the whole file.
 * @param options.etag of the file; a client that names another one in `If-Range` has a part of another file
 * @param options.partMs the longest time until the next piece
 * @throws ApiError RANGE_NOT_SATISFIABLE
 */
export function sendFile(
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
    // A refusal is not the file that clients may keep.
    reply.headers({ 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store' })
    throw new ApiError('RANGE_NOT_SATISFIABLE')
  }
  const { from, to } = part ?? { from: 0, to: file.size }
  if (part) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${file.size}`)
  reply.header('content-length', to - from)
  if (isHead) return reply.send(Readable.from([]))
  return reply.send(toStream(request, reply, file.read(from, to), partMs))
}

/** @returns null for what is ignored */
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
