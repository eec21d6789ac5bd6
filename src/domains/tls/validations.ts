import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext } from 'node:tls'
import type { Log } from '../../platform/core/log.ts'
import { memoize } from '../../platform/core/functions.ts'
import { Loader } from '../../platform/work/load.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { createChallengeCertificate } from './signing.ts'

type Deps = {
  sql: SystemSql
  log: Log
  isServed: (hostname: string) => boolean
}

const PROTOCOL = 'acme-tls/1'
const HANDSHAKE_TIMEOUT_MS = 10_000
const BUDGET_MS = 3_000
const MAX_CACHED = 100

/**
 * Answers authorities that validate a host by a handshake (TLS-ALPN-01, RFC 8737), with the answers in the database.
 * Node requests a certificate before it tells the client's protocols, so the first message of each connection is
 * read beforehand, and validations go to a TLS server of their own, which serves nothing.
 */
export class Validations {
  readonly #deps: Deps
  readonly #answers: Loader<string>
  readonly #server = createServer(
    {
      ALPNProtocols: [PROTOCOL],
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      SNICallback: (name, done) => this.#find(name, (found) => done(null, found ?? undefined)),
    },
    (socket) => socket.on('error', () => {}).destroySoon(),
  )
  /** By `<host>\n<answer>`: authorities connect from several places. */
  readonly #toContext = memoize(MAX_CACHED, (key): SecureContext => {
    const [hostname = '', answer = ''] = key.split('\n')
    return createSecureContext(createChallengeCertificate(hostname, answer))
  })

  constructor(deps: Deps) {
    this.#deps = deps
    const { sql, log } = deps
    this.#answers = new Loader<string>({
      fetch: (hostnames) => readAnswers(sql, hostnames),
      onLoaded: () => {},
      log,
      what: 'answers to certificate authorities',
      budgetMs: BUDGET_MS,
    })
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy())
  }

  /** Answers a validation; calls `proceed` for any other connection, with no bytes read from it. */
  accept(socket: Socket, proceed: () => void): void {
    readFirstMessage(socket, (hello) => {
      // Authorities offer only this protocol.
      if (hello?.protocols.length === 1 && hello.protocols[0] === PROTOCOL)
        this.#server.emit('connection', socket)
      else proceed()
    })
  }

  #find(servername: string, callback: (context: SecureContext | null) => void): void {
    const hostname = servername.toLowerCase()
    if (!this.#deps.isServed(hostname)) return callback(null)
    this.#answers.load(hostname, (answer) =>
      callback(answer ? this.#toContext(`${hostname}\n${answer}`) : null),
    )
  }
}

async function readAnswers(sql: SystemSql, hostnames: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ hostname: string; answer: string }[]>`
    select distinct on (hostname) hostname, answer from tls_challenges
    where hostname = any(${hostnames}::text[]) order by hostname, created_at desc`
  return new Map(rows.map(({ hostname, answer }) => [hostname, answer]))
}

/** Names in the first message of a client: the host (SNI, RFC 6066) and the protocols that it speaks (ALPN, RFC 7301). */
export type ClientHello = { servername: string | null; protocols: string[] }

const HANDSHAKE_RECORD = 22
const CLIENT_HELLO = 1
const MAJOR_VERSION = 3
const RECORD_HEADER_BYTES = 5
const MESSAGE_HEADER_BYTES = 4
const MAX_RECORD_BYTES = 16_384
const MAX_MESSAGE_BYTES = 16_384
/** A first message fits in one or two packets; these bound the work on one that arrives in small parts. */
const MAX_READ_BYTES = 32_768
const MAX_CHUNKS = 32
const FIRST_MESSAGE_TIMEOUT_MS = 5_000
const SERVER_NAME = 0
const ALPN = 16
const HOST_NAME = 0

class Malformed extends Error {}

export function readFirstMessage(
  socket: Socket,
  onRead: (hello: ClientHello | null) => void,
  timeoutMs = FIRST_MESSAGE_TIMEOUT_MS,
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
    const isFull = chunks.length === MAX_CHUNKS || bytes.length >= MAX_READ_BYTES
    if (hello === 'incomplete' && !isFull) return
    stop()
    socket.pause()
    socket.unshift(bytes)
    onRead(hello === 'incomplete' ? null : hello)
  }
  socket.on('data', onData).on('end', destroy).on('error', destroy).on('close', stop)
}

/**
 * Reads the first message of a TLS connection (RFC 8446, 4.1.2), which may be spread over records (5.1).
 * @returns 'incomplete' for the beginning of one; null for other bytes
 */
export function readClientHello(bytes: Buffer): ClientHello | 'incomplete' | null {
  const message = joinRecords(bytes)
  if (!Buffer.isBuffer(message)) return message
  try {
    return readMessage(message)
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

function joinRecords(bytes: Buffer): Buffer | 'incomplete' | null {
  const parts: Buffer[] = []
  let joinedBytes = 0
  let messageBytes = Infinity
  for (let at = 0; at < bytes.length && joinedBytes < messageBytes;) {
    if (bytes[at] !== HANDSHAKE_RECORD) return null
    if (bytes.length < at + RECORD_HEADER_BYTES) break
    const length = bytes.readUInt16BE(at + 3)
    if (bytes[at + 1] !== MAJOR_VERSION || length === 0 || length > MAX_RECORD_BYTES) return null
    at += RECORD_HEADER_BYTES
    const part = bytes.subarray(at, at + length)
    at += length
    parts.push(part)
    joinedBytes += part.length
    if (messageBytes !== Infinity || joinedBytes < MESSAGE_HEADER_BYTES) continue
    const header = Buffer.concat(parts)
    messageBytes = MESSAGE_HEADER_BYTES + header.readUIntBE(1, 3)
    if (header[0] !== CLIENT_HELLO || messageBytes > MAX_MESSAGE_BYTES) return null
  }
  if (joinedBytes < messageBytes) return 'incomplete'
  const joined = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  return joined.subarray(MESSAGE_HEADER_BYTES, messageBytes)
}

function readMessage(message: Buffer): ClientHello {
  const fields = new Fields(message)
  fields.take(2 + 32)
  fields.takeVector(1)
  fields.takeVector(2)
  fields.takeVector(1)
  const hello: ClientHello = { servername: null, protocols: [] }
  // A client without extensions ends here.
  if (fields.isAtEnd) return hello
  const extensions = new Fields(fields.takeVector(2))
  while (!extensions.isAtEnd) {
    const type = extensions.takeNumber(2)
    const content = new Fields(extensions.takeVector(2))
    if (type === SERVER_NAME) hello.servername = readServername(content)
    if (type === ALPN) hello.protocols = readProtocols(content)
  }
  return hello
}

function readServername(content: Fields): string | null {
  const names = new Fields(content.takeVector(2))
  while (!names.isAtEnd) {
    const type = names.takeNumber(1)
    const name = names.takeVector(2)
    if (type === HOST_NAME) return name.toString('latin1')
  }
  return null
}

function readProtocols(content: Fields): string[] {
  const names = new Fields(content.takeVector(2))
  const found: string[] = []
  while (!names.isAtEnd) found.push(names.takeVector(1).toString('latin1'))
  return found
}

class Fields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Malformed()
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  takeNumber(bytes: number): number {
    return this.take(bytes).readUIntBE(0, bytes)
  }

  /** Bytes that follow their own length. */
  takeVector(lengthBytes: number): Buffer {
    return this.take(this.takeNumber(lengthBytes))
  }
}
