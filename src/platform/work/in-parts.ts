import { setImmediate } from 'node:timers/promises'

/** A multiple of three, so that the base64 texts of parts are together that of the whole. */
const PART_BYTES = 192 * 1024

/** Parts of some bytes, between which the event loop has a turn: what is done with megabytes takes milliseconds. */
export async function* inParts(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES)
    await setImmediate()
  }
}

/** The number of parts of some bytes. */
export function countParts({ length }: Uint8Array): number {
  return Math.ceil(length / PART_BYTES)
}
