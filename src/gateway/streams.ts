import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sent } from '../base/route.ts'
import { withinMs } from '../base/service.ts'
import { isClientGone } from './until-answered.ts'

/** A reader that takes nothing for this long is cut off, and what its answer holds is released. */
const STALL_MS = 30_000
const CHUNK_BYTES = 64 * 1024

type Body = Exclude<Sent['body'], Buffer>

/**
 * The body of an answer as a stream that holds one chunk beside the connection's own buffers. Its source
 * ends by `return()` when the client disconnects or takes nothing for some time. An error within it is logged
 * and cuts the connection, since a file that ends early could be taken for a whole one.
 * @param partMs the longest time until the next part
 */
export function toStream(
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
  cutStalled(reply.raw)
  return stream
}

/** Ends a body of which nothing is sent. */
export async function discard(body: Body): Promise<void> {
  if (body instanceof Readable) body.destroy()
  else await body[Symbol.asyncIterator]().return?.()
}

/** Parts of at most {@link CHUNK_BYTES}, so that a slow reader is seen to take them. */
async function* eachInTime(body: AsyncIterable<Buffer | string>, partMs: number) {
  const parts = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await withinMs(parts.next(), partMs)
      if (part.done) return
      const bytes = typeof part.value === 'string' ? Buffer.from(part.value) : part.value
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
        yield bytes.subarray(at, at + CHUNK_BYTES)
    }
  } finally {
    // Not awaited: `return()` of a generator waits for a part that is late.
    parts.return?.().catch(() => {})
  }
}

/** Destroys an answer whose reader has taken none of its waiting bytes for `stallMs`. */
export function cutStalled(response: ServerResponse, stallMs = STALL_MS): void {
  const { socket } = response
  if (!socket) return
  const taken = () => socket.bytesWritten - socket.writableLength
  let takenBefore = -1
  let movedMs = performance.now()
  const timer = setInterval(() => {
    const now = taken()
    if (now !== takenBefore || response.writableLength === 0) movedMs = performance.now()
    else if (performance.now() - movedMs >= stallMs) response.destroy()
    takenBefore = now
  }, stallMs / 6).unref()
  response.once('close', () => clearInterval(timer))
}
