import { explainFailure } from '../../typescript/src/errors.ts'
import { readCredentials } from './account.ts'
import type { Command, Io } from './command.ts'

type Message = {
  id?: string | number
  method?: string
  params?: { name?: string; uri?: string; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: string }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const FAILED = -32_000

/** Sends each message of an agent to `/mcp` of the server, with the stored key. */
export const mcp: Command = {
  summary: 'serve the tools of the server to an agent, over the input and output',
  async run(io) {
    const { url, key } = readCredentials(io.env)
    const { origin } = new URL(url)
    /** That the agent and the server have agreed on. */
    let version: string | undefined
    const pass = async (line: string): Promise<void> => {
      const sent = parse(line)
      const answers = sent
        ? await post(io, origin, key, line, headersOf(sent, version))
        : [failure(undefined, 'The message is not valid JSON.')]
      for (const answer of answers) {
        version = parse(answer)?.result?.protocolVersion ?? version
        io.write(answer)
      }
    }
    const passing = new Set<Promise<void>>()
    for await (const line of io.lines()) {
      if (line.trim() === '') continue
      const one = pass(line).finally(() => passing.delete(one))
      passing.add(one)
    }
    await Promise.all(passing)
  },
}

function parse(text: string): Message | null {
  try {
    return JSON.parse(text) as Message
  } catch {
    return null
  }
}

/** By these the server checks a message before it reads it. */
function headersOf({ method, params }: Message, agreed: string | undefined) {
  const own = params?._meta?.[VERSION]
  if (typeof own !== 'string') return agreed === undefined ? {} : { 'mcp-protocol-version': agreed }
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': own,
    ...(method !== undefined && { 'mcp-method': method }),
    ...(name !== undefined && { 'mcp-name': name }),
  }
}

/** A failure is an answer, since an agent waits for one. */
async function post(
  { signal }: Io,
  origin: string,
  key: string,
  body: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const id = parse(body)?.id
  try {
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
      signal,
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream'))
      return Array.from(text.matchAll(/^data: (.+)$/gm), ([, data]) => data!)
    const answer = parse(text) as { jsonrpc?: string; error?: { message?: string } } | null
    if (answer?.jsonrpc !== undefined) return [JSON.stringify(answer)]
    if (id === undefined) return []
    return [failure(id, answer?.error?.message ?? `${origin} answered ${response.status}.`)]
  } catch (error) {
    signal.throwIfAborted()
    return id === undefined ? [] : [failure(id, explainFailure(error, origin).message)]
  }
}

function failure(id: Message['id'], message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code: FAILED, message } })
}
