import type { Socket } from 'node:net'
import { readClientHello, type ClientHello } from './client-hello.ts'

/** A first message fits in one or two packets; these bound the work on one that arrives in small parts. */
const MAX_BYTES = 32_768
const MAX_CHUNKS = 32
const TIMEOUT_MS = 5_000

/**
 * Reads the first message of a connection and pushes its bytes back, so that a TLS server can read them. A connection
 * that sends none in time is closed.
 * @param onRead called with null for bytes that are no such message; not called for a connection that was closed
 */
export function readFirstMessage(
  socket: Socket,
  onRead: (hello: ClientHello | null) => void,
  timeoutMs = TIMEOUT_MS,
): void {
  const chunks: Buffer[] = []
  const destroy = () => void socket.destroy()
  const timer = setTimeout(destroy, timeoutMs)
  const stop = () => {
    clearTimeout(timer)
    socket.off('data', onData).off('end', destroy).off('error', destroy).off('close', stop)
  }
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    const hello = readClientHello(bytes)
    const isFull = chunks.length === MAX_CHUNKS || bytes.length >= MAX_BYTES
    if (hello === 'incomplete' && !isFull) return
    stop()
    socket.pause()
    socket.unshift(bytes)
    onRead(hello === 'incomplete' ? null : hello)
  }
  socket.on('data', onData).on('end', destroy).on('error', destroy).on('close', stop)
}
