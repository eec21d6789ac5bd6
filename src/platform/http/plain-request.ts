import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What the redirect reads of a request; `IncomingMessage` of node:http has it too. */
export type RequestHead = Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'rawHeaders' | 'socket'
>

/** Longer heads are left to node:http, whose limit is about the same. */
const MAX_HEAD_LENGTH = 16_000
const CRLF = 2

/**
 * A whole request without a body, in the strictest reading of RFC 9112: origin-form target (3.2.1), HTTP/1.1, each
 * field a token, a colon, one space and visible ASCII (5.1), without folding (5.2), and nothing after it.
 */
const PLAIN =
  /^(GET|HEAD) (\/[\w\-.~!$&'()*+,;=:@%/?]*) HTTP\/1\.1\r\n(?:[\w!#$%&'*+\-.^`|~]+: [!-~](?:[ -~]*[!-~])?\r\n)+\r\n$/

/** Fields that change the meaning or the length of a request. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const NO_FIELDS: string[] = []

/**
 * Reads a chunk that is one plain request. node:http accepts every such request with the same meaning.
 * @returns null for anything else, such as half a request, two of them, or a field that is repeated
 */
export function readPlainRequest(chunk: Buffer, socket: Socket): RequestHead | null {
  if (chunk.length > MAX_HEAD_LENGTH) return null
  const head = chunk.toString('latin1')
  const match = PLAIN.exec(head)
  if (match === null) return null
  const [, method, url] = match
  const headers = readFields(head, head.indexOf('\r\n') + CRLF)
  if (headers === null || headers.host === undefined) return null
  return { method, url, headers, rawHeaders: NO_FIELDS, socket }
}

function readFields(head: string, start: number): IncomingHttpHeaders | null {
  const headers: IncomingHttpHeaders = Object.create(null) as IncomingHttpHeaders
  const end = head.length - CRLF
  for (let at = start; at < end;) {
    const colon = head.indexOf(':', at)
    const next = head.indexOf('\r\n', colon)
    const name = head.slice(at, colon).toLowerCase()
    const value = head.slice(colon + 2, next)
    if (headers[name] !== undefined || NOT_PLAIN.has(name)) return null
    if (name === 'connection' && value !== 'keep-alive' && value !== 'close') return null
    headers[name] = value
    at = next + CRLF
  }
  return headers
}
