import type { TestContext } from 'node:test'

export type ServerEvent = {
  event: string
  id?: string
  // eslint-disable-next-line typescript/no-explicit-any
  data: any
}

export type EventStream = {
  status: number
  headers: Headers
  /** Those that have arrived. */
  events: ServerEvent[]
  /** Those of one name. */
  named(event: string): ServerEvent[]
  isEnded(): boolean
  /** Resolves at the end; rejects when the connection was cut. */
  ended: Promise<void>
  close(): void
}

/** A client of server-sent events; closed after the test. */
export async function openEventStream(
  t: TestContext,
  url: string,
  headers: Record<string, string>,
): Promise<EventStream> {
  const client = new AbortController()
  t.after(() => client.abort())
  const answer = await fetch(url, { headers, signal: client.signal })
  const events: ServerEvent[] = []
  let isEnded = false
  const ended = receive(answer, events).finally(() => (isEnded = true))
  ended.catch(() => {})
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    named: (event) => events.filter((each) => each.event === event),
    isEnded: () => isEnded,
    ended,
    close: () => client.abort(),
  }
}

async function receive(answer: Response, events: ServerEvent[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body!) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => {
          const at = line.indexOf(': ')
          return [line.slice(0, at), line.slice(at + 2)]
        }),
      ) as { event?: string; id?: string; data?: string }
      if (fields.event === undefined) continue
      const { event, id, data } = fields
      events.push({ event, ...(id !== undefined && { id }), data: JSON.parse(data!) })
    }
  }
}
