import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PassThrough, Transform, type Duplex } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { ClickHouseFault } from './clickhouse-fault.ts'

/** Parameters of ClickHouse's HTTP interface that are not settings of a query. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'role',
  'compress',
  'decompress',
  'enable_http_compression',
  'buffer_size',
  'wait_end_of_query',
  'stacktrace',
  'close_session',
  'session_check',
  'session_timeout',
  'client_protocol_version',
])
/** Sessions would tie up a connection; `compress` is the native protocol's own LZ4 framing. */
const NOT_OFFERED = ['session_id', 'compress', 'decompress']

const DECODERS: Record<string, () => Duplex> = {
  identity: () => new PassThrough(),
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}

const DEFAULT_FORMAT = 'TabSeparated'

/** What a request's address and headers say. */
export type Call = {
  queryId: string
  /** The query as far as it stands in the address; the body continues it. */
  query: string
  database: string
  defaultFormat: string
  settings: Map<string, string>
  params: Map<string, string>
  isReadOnly: boolean
  wantsGzip: boolean
}

export type Credentials = { user: string; password: string }

export function readCall(request: IncomingMessage, search: URLSearchParams): Call {
  for (const name of NOT_OFFERED) {
    if (!['', '0'].includes(search.get(name) ?? ''))
      throw new ClickHouseFault(48, 'NOT_IMPLEMENTED', `The embedded ClickHouse has no ${name}`)
  }
  const entries = [...search]
  const accepted = String(request.headers['accept-encoding'])
  return {
    queryId: search.get('query_id') || randomUUID(),
    query: search.get('query') ?? '',
    database: header(request, 'x-clickhouse-database') || search.get('database') || 'default',
    defaultFormat:
      header(request, 'x-clickhouse-format') || search.get('default_format') || DEFAULT_FORMAT,
    settings: new Map(
      entries.filter(([name]) => !NOT_SETTINGS.has(name) && !name.startsWith('param_')),
    ),
    params: new Map(
      entries
        .filter(([name]) => name.startsWith('param_'))
        .map(([name, value]) => [name.slice('param_'.length), value]),
    ),
    isReadOnly: request.method === 'GET' || request.method === 'HEAD',
    wantsGzip: search.get('enable_http_compression') === '1' && /\bgzip\b/.test(accepted),
  }
}

/** @throws ClickHouseFault AUTHENTICATION_FAILED unless the request knows the password */
export function requireCredentials(
  request: IncomingMessage,
  search: URLSearchParams,
  expected: Credentials,
): void {
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ')
  const basic =
    scheme?.toLowerCase() === 'basic' ? Buffer.from(encoded ?? '', 'base64').toString() : ':'
  const colon = basic.indexOf(':')
  const user = basic.slice(0, colon) || header(request, 'x-clickhouse-user') || search.get('user')
  const password =
    basic.slice(colon + 1) || header(request, 'x-clickhouse-key') || search.get('password')
  if (isSame(user ?? '', expected.user) && isSame(password ?? '', expected.password)) return
  const text = 'Authentication failed: password is incorrect, or there is no such user'
  throw new ClickHouseFault(516, 'AUTHENTICATION_FAILED', text)
}

/**
 * The body, decompressed and bounded.
 * @throws ClickHouseFault, into the stream, when it is longer than `maxBytes`
 */
export function decodedBody(request: IncomingMessage, maxBytes: number): [Duplex, Transform] {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decoder = DECODERS[encoding]
  if (!decoder)
    throw new ClickHouseFault(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown encoding ${encoding}`)
  let total = 0
  const limiter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length
      const text = `The body is longer than ${maxBytes} bytes`
      if (total > maxBytes) done(new ClickHouseFault(229, 'QUERY_IS_TOO_LARGE', text))
      else done(null, chunk)
    },
  })
  return [decoder(), limiter]
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

/** Compares digests, which have one length, in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
