import type { LiveEvent } from './call.ts'
import { ConnectionError } from './errors.ts'
import { isPassing, pause, pauseBefore } from './request.ts'

/** The server sends something every ten seconds; a connection without it is lost. */
const SILENCE_MS = 30_000

type Message = { id?: string; event: string; data: string }

/** Repeats what fails for a moment, until `signal` is aborted. */
export async function* untilAborted<Item>(
  next: () => AsyncGenerator<Item, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void> {
  for (let failures = 0; ; failures++) {
    try {
      for await (const item of next()) {
        failures = 0
        yield item
      }
      return
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      await pause(pauseBefore(error, failures), signal)
    }
  }
}

const lost = () => new ConnectionError('The connection was lost.', { code: 'NO_ANSWER' })

/** Clicks as they come. After a lost connection it continues behind the last click. */
export function followClicks(
  open: (headers: Record<string, string>) => Promise<Response>,
  signal: AbortSignal | undefined,
  isEndless: boolean,
): AsyncGenerator<LiveEvent, void> {
  let lastId: string | undefined
  return untilAborted<LiveEvent>(async function* () {
    const response = await open(lastId === undefined ? {} : { 'last-event-id': lastId })
    for await (const { id, event, data } of readMessages(response.body!)) {
      if (id !== undefined) lastId = id
      if (event === 'click' || event === 'skipped')
        yield { type: event, id, data: JSON.parse(data) } as LiveEvent
    }
    if (isEndless) throw lost()
  }, signal)
}

async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await readOrGiveUp(reader)
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) yield readMessage(block)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function readOrGiveUp(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout>
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lost()), SILENCE_MS)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } catch {
    throw lost()
  } finally {
    clearTimeout(timer!)
  }
}

function readMessage(block: string): Message {
  const message: Message = { event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, field, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (field !== undefined) message[field as keyof Message] = value!
  }
  return message
}
