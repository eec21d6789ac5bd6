import { Readable } from 'node:stream'

export const CHUNK_BYTES = 64 * 1024

/** Parts of at most {@link CHUNK_BYTES}, the most that a connection copies for a slow reader. */
export function* toChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** Sends each part when the reader has taken the one before, since TLS copies all that it is given. */
export function toChunkStream(bytes: Buffer): Readable {
  return Readable.from(toChunks(bytes), { objectMode: false, highWaterMark: CHUNK_BYTES })
}
