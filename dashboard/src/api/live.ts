import { createParser } from 'eventsource-parser'
import { send } from './client.ts'
import { isServerAway, subscribeConnection } from './connection.ts'
import { readError } from './errors.ts'

export type LiveEvent = { id: string | undefined; event: string | undefined; data: string }
type Options = {
  /** Below `/v1`, with its query. */
  path: string
  onEvent: (event: LiveEvent) => void
  onState: (state: 'live' | 'waiting') => void
  signal: AbortSignal
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/**
 * Reads a stream of events until `signal` is aborted. A lost connection is opened again after the
 * latest event, so that no event is skipped. (EventSource cannot send the header of the workspace.)
 */
export async function followLive({ path, onEvent, onState, signal }: Options): Promise<void> {
  let lastId: string | undefined
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (lastId !== undefined) headers['last-event-id'] = lastId
      const response = await send(new Request(`/v1${path}`, { headers, signal }))
      if (!response.ok) throw await readError(response)
      onState('live')
      const parser = createParser({
        onEvent: (message) => {
          lastId = message.id ?? lastId
          waitMs = FIRST_WAIT_MS
          onEvent({ id: message.id, event: message.event, data: message.data })
        },
      })
      const decoder = new TextDecoder()
      for await (const chunk of readChunks(response.body!))
        parser.feed(decoder.decode(chunk, { stream: true }))
    } catch {
      if (signal.aborted) return
    }
    onState('waiting')
    await wait(waitMs, signal)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

async function* readChunks(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** Shorter where the server is back before. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const unsubscribe = subscribeConnection(() => {
      if (!isServerAway()) end()
    })
    signal.addEventListener('abort', end)
  })
}
