import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CHUNK_BYTES, toChunks } from '../../platform/core/chunks.ts'
import type { Sent, StoredFile } from '../../platform/routes/route.ts'
import { withinMs } from '../../platform/core/service.ts'
import { isClientGone } from '../requests/until-answered.ts'

type Body = Exclude<Sent['body'], Buffer | StoredFile>

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
  return stream
}

/** Ends a body of which nothing is sent. */
export async function discard(body: Body): Promise<void> {
  if (body instanceof Readable) body.destroy()
  else await body[Symbol.asyncIterator]().return?.()
}

/** Parts of at most {@link CHUNK_BYTES}. */
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
