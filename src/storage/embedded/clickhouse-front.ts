import { createWriteStream } from 'node:fs'
import { open, rm, statfs, type FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ClickHouseFault, describeFault } from './clickhouse-fault.ts'
import type { Pool } from './clickhouse-pool.ts'
import {
  decodedBody,
  readCall,
  requireCredentials,
  type Call,
  type Credentials,
} from './clickhouse-request.ts'
import type { SessionResult } from './clickhouse-session.ts'
import { insertFrom, readStatement, selectInto, type Statement } from './clickhouse-statement.ts'

/** Text of a statement, rows in it included. Rows in a body of their own go through a file. */
/** Below this an answer may have been cut short. */
const LEAST_ROOM_BYTES = 1024 ** 2
const MAX_TEXT_BYTES = 16 * 1024 * 1024
const MAX_ROWS_BYTES = 4 * 1024 * 1024 * 1024

const CONTENT_TYPES: [pattern: RegExp, type: string][] = [
  [/^JSON.*EachRow/, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^CSV/, 'text/csv; charset=UTF-8'],
  [/^(TSV|TabSeparated)/, 'text/tab-separated-values; charset=UTF-8'],
  [/^/, 'application/octet-stream'],
]

export type FrontOptions = {
  credentials: Credentials
  /** One connection: inserts, and what changes tables. */
  writers: Pool
  readers: Pool
  /** Free even when all the others are busy; it ends the statements of clients that are gone. */
  control: Pool
}

/** How an answer's rows are held until they are sent. */
type Answer = { format: string; result: SessionResult; isInsert: boolean; file: FileHandle | null }

/**
 * ClickHouse's HTTP interface in front of connections to the engine in this process. Files in the
 * working directory carry rows between the two.
 *
 * An answer begins when its statement has succeeded, so a failure is always a status and an
 * exception code, never a body that breaks off.
 */
export function createFront({ credentials, writers, readers, control }: FrontOptions) {
  let serial = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/ping' || url.pathname === '/replicas_status') {
      response.end('Ok.\n')
      return
    }
    requireCredentials(request, url.searchParams, credentials)
    if (url.pathname !== '/') {
      response.writeHead(404).end(`There is no handle ${url.pathname}\n`)
      return
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort(new Error('The client is gone')))
    const call = readCall(request, url.searchParams)
    response.setHeader('X-ClickHouse-Query-Id', call.queryId)
    await send(response, await perform(request, call, gone.signal), call.wantsGzip)
  }

  async function perform(
    request: IncomingMessage,
    call: Call,
    signal: AbortSignal,
  ): Promise<Answer> {
    const early = call.query.trim() === '' ? null : readStatement(call.query)
    if (early?.kind === 'insert') return insert(request, call, early, signal)
    const text = call.query + (await readText(request))
    const statement = readStatement(text)
    if (statement.kind === 'insert') return insert(request, call, statement, signal)
    if (statement.kind === 'select') return select(call, statement, signal)
    if (statement.kind === 'read') return small(call, statement, readers, signal)
    refuseIfReadOnly(call)
    // What was begun is finished: a client that leaves must not leave a table half changed.
    return small(call, statement, writers, signal)
  }

  async function insert(
    request: IncomingMessage,
    call: Call,
    statement: Statement & { kind: 'insert' },
    signal: AbortSignal,
  ): Promise<Answer> {
    refuseIfReadOnly(call)
    const file = `in-${++serial}`
    try {
      const [decoder, limiter] = decodedBody(request, MAX_ROWS_BYTES)
      await pipeline(request, decoder, limiter, createWriteStream(file, { mode: 0o600 }), {
        signal,
      })
      const text = insertFrom(statement, file)
      const result = await writers.use(signal, (session) =>
        session.run({
          ...call,
          text,
          placeholders: statement.placeholders,
          format: 'Null',
          tag: file,
        }),
      )
      return { format: statement.format, result, isInsert: true, file: null }
    } finally {
      await rm(file, { force: true })
    }
  }

  async function select(
    call: Call,
    statement: Statement & { kind: 'select' },
    signal: AbortSignal,
  ): Promise<Answer> {
    const format = statement.format ?? call.defaultFormat
    if (!/^\w+$/.test(format))
      throw new ClickHouseFault(73, 'UNKNOWN_FORMAT', `Unknown format ${format}`)
    const file = `out-${++serial}`
    try {
      const text = selectInto(statement, file, format)
      const { placeholders } = statement
      const result = await readers.use(signal, (session) =>
        killedOnAbort(
          file,
          signal,
          session.run({ ...call, text, placeholders, format, tag: file }),
        ),
      )
      await refuseWithoutRoom()
      // Unlinked below while it is open: nothing is left behind, however the sending ends.
      return { format, result, isInsert: false, file: await open(file) }
    } finally {
      await rm(file, { force: true })
    }
  }

  async function small(
    call: Call,
    statement: Statement & { kind: 'read' | 'write' },
    pool: Pool,
    signal: AbortSignal,
  ): Promise<Answer> {
    const tag = `small-${++serial}`
    const result = await pool.use(signal, (session) => {
      const run = session.run({ ...call, ...statement, format: call.defaultFormat, tag })
      return statement.kind === 'read' ? killedOnAbort(tag, signal, run) : run
    })
    return { format: call.defaultFormat, result, isInsert: statement.kind === 'write', file: null }
  }

  /** The engine cannot be interrupted from outside; a second connection asks it to stop. */
  async function killedOnAbort<T>(tag: string, signal: AbortSignal, run: Promise<T>): Promise<T> {
    const kill = () => {
      const never = new AbortController().signal
      const text = `KILL QUERY WHERE Settings['log_comment'] = '${tag}' ASYNC`
      const empty = new Map<string, string>()
      const base = { settings: empty, params: empty, placeholders: new Set<string>() }
      control
        .use(never, (session) =>
          session.run({ ...base, text, format: 'Null', database: 'default', tag: 'kill' }),
        )
        .catch(() => {})
    }
    signal.addEventListener('abort', kill, { once: true })
    try {
      return await run
    } finally {
      signal.removeEventListener('abort', kill)
    }
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => refuse(request, response, error))
  }
}

/**
 * The engine says nothing when the disk had no room for its answer, and an answer cut short would
 * be believed. While what it could write is still there, a full disk shows.
 * @throws ClickHouseFault NOT_ENOUGH_SPACE
 */
async function refuseWithoutRoom(): Promise<void> {
  const { bfree, bavail, bsize } = await statfs('.')
  const free = process.getuid?.() === 0 ? bfree : bavail
  if (free * bsize < LEAST_ROOM_BYTES)
    throw new ClickHouseFault(243, 'NOT_ENOUGH_SPACE', 'The disk has no room for the answer')
}

async function readText(request: IncomingMessage): Promise<string> {
  const [decoder, limiter] = decodedBody(request, MAX_TEXT_BYTES)
  const chunks: Buffer[] = []
  await pipeline(request, decoder, limiter, async (source) => {
    for await (const chunk of source) chunks.push(chunk as Buffer)
  })
  return Buffer.concat(chunks).toString()
}

function refuseIfReadOnly(call: Call): void {
  if (!call.isReadOnly) return
  const text =
    'Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly'
  throw new ClickHouseFault(164, 'READONLY', text)
}

async function send(response: ServerResponse, answer: Answer, wantsGzip: boolean): Promise<void> {
  const { format, file, result } = answer
  const type = CONTENT_TYPES.find(([pattern]) => pattern.test(format))?.[1] ?? ''
  response.setHeader('Content-Type', type)
  response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  response.setHeader('X-ClickHouse-Summary', summaryOf(answer))
  const rows = file ? file.createReadStream() : Readable.from([result.body])
  if (wantsGzip) {
    response.setHeader('Content-Encoding', 'gzip')
    await pipeline(rows, createGzip({ level: 1 }), response)
    return
  }
  response.setHeader('Content-Length', file ? (await file.stat()).size : result.body.length)
  await pipeline(rows, response)
}

/** Numbers as text, as ClickHouse writes them. */
function summaryOf({ result, isInsert }: Answer): string {
  const rows = String(result.rows)
  const bytes = String(result.bytes)
  return JSON.stringify({
    read_rows: rows,
    read_bytes: bytes,
    written_rows: isInsert ? rows : '0',
    written_bytes: isInsert ? bytes : '0',
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: '0',
    elapsed_ns: String(Math.round(result.elapsedSeconds * 1e9)),
  })
}

/** The rest of a refused body is read and dropped, or the client would never see the answer. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const { status, code, text } = describeFault(error)
  request.resume()
  response.removeHeader('Content-Encoding')
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
    'X-ClickHouse-Exception-Code': code,
  })
  response.end(text)
}
