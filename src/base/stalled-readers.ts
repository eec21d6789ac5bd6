import type { ServerResponse } from 'node:http'

/** A reader that takes nothing for this long is cut off, and what its answer holds is released. */
const STALL_MS = 30_000
export const CHUNK_BYTES = 64 * 1024

/** Parts of at most {@link CHUNK_BYTES}, so that a slow reader is seen to take them. */
export function* toChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
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
