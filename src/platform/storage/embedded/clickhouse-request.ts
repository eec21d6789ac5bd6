import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const NOT_SETTINGS = new Set(['query', 'query_id', 'database', 'wait_end_of_query'])
const PARAMETER = 'param_'

export type Call = {
  /** A statement whose rows are the body; null when the body is the statement. */
  insert: string | null
  database: string
  settings: ReadonlyMap<string, string>
  params: ReadonlyMap<string, string>
}

export function readCall({ method, url = '/' }: IncomingMessage): Call {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  if (method !== 'POST' || pathname !== '/')
    throw clickHouseFault(48, 'NOT_IMPLEMENTED', 'The embedded ClickHouse supports only POST /')
  const call = {
    insert: searchParams.get('query'),
    database: searchParams.get('database') ?? 'default',
    settings: new Map<string, string>(),
    params: new Map<string, string>(),
  }
  for (const [name, value] of searchParams) {
    if (name.startsWith(PARAMETER)) call.params.set(name.slice(PARAMETER.length), value)
    else if (!NOT_SETTINGS.has(name)) call.settings.set(name, value)
  }
  return call
}

export function requireAuthorization(request: IncomingMessage, expected: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(request.headers.authorization ?? ''), digest(expected))) return
  throw clickHouseFault(516, 'AUTHENTICATION_FAILED', 'Authentication failed: wrong credential')
}

export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  await pipeline(request, byteLimit(maxBytes), async (source) => {
    for await (const chunk of source) chunks.push(chunk as Buffer)
  })
  return Buffer.concat(chunks).toString()
}

export function byteLimit(maxBytes: number): Transform {
  let total = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length
      const message = `The body is longer than ${maxBytes} bytes`
      if (total > maxBytes) done(clickHouseFault(229, 'QUERY_IS_TOO_LARGE', message))
      else done(null, chunk)
    },
  })
}

/** The official client reads code and name from this form. */
export function clickHouseFault(code: number, name: string, message: string): Error {
  return new Error(`Code: ${code}. DB::Exception: ${message}. (${name})`)
}

export function faultText({ message }: Error): string {
  if (/^Code: \d+\./.test(message)) return message
  return clickHouseFault(1002, 'UNKNOWN_EXCEPTION', message).message
}
