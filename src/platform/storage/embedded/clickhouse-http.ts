import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { DiskGuard } from './clickhouse-disk.ts'
import {
  clickHouseFault,
  faultText,
  byteLimit,
  readCall,
  readText,
  requireAuthorization,
  type Call,
} from './clickhouse-request.ts'
import type { Pool } from './clickhouse-pool.ts'
import { toStatement, type EngineSession } from './clickhouse-session.ts'

const MAX_TEXT_BYTES = 16 * 1024 ** 2
const MAX_ROWS_BYTES = 4 * 1024 ** 3
const INSERT = /^(insert into \w+) format (JSONEachRow|Native)$/i
const READ = /\nFORMAT \w+$/

export type Pools = {
  writers: Pool
  readers: Pool
  /** Never busy, to end statements of clients that are gone. */
  control: Pool
}

/**
 * The part of ClickHouse's HTTP interface that our client uses (docs/decisions/0007-embedded-engines.md). A response
 * begins when its statement has succeeded, so a failure is always a status and an exception code.
 */
export class ClickHouseHttp {
  readonly #pools: Pools
  readonly #disk: DiskGuard
  readonly #authorization: string
  #statements = 0

  constructor(
    pools: Pools,
    disk: DiskGuard,
    { user, password }: { user: string; password: string },
  ) {
    this.#pools = pools
    this.#disk = disk
    this.#authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort(new Error('The client is gone')))
    try {
      requireAuthorization(request, this.#authorization)
      const body = await this.#perform(request, readCall(request), gone.signal)
      response.writeHead(200, { 'Content-Length': body.length }).end(body)
    } catch (error) {
      // An incomplete part may be the cause: then the process ends here.
      await this.#disk.requireWritten().catch(() => {})
      refuse(request, response, error as Error)
    }
  }

  async #perform(request: IncomingMessage, call: Call, signal: AbortSignal): Promise<Uint8Array> {
    const tag = `statement-${++this.#statements}`
    if (call.insert !== null) return this.#insert(request, call, call.insert, tag, signal)
    const statement = { ...call, text: await readText(request, MAX_TEXT_BYTES), tag }
    if (READ.test(statement.text))
      return this.#pools.readers.use(signal, (session) =>
        this.#killedOnAbort(tag, signal, session.run(statement)),
      )
    // Runs to its end even if the client leaves, so that no table is half changed.
    return this.#write(signal, (session) => session.run(statement))
  }

  /** Through a file, so that the rows take no memory. */
  async #insert(
    request: IncomingMessage,
    call: Call,
    insert: string,
    tag: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const [, head, format] = INSERT.exec(insert) ?? []
    if (head === undefined)
      throw clickHouseFault(
        48,
        'NOT_IMPLEMENTED',
        'The embedded ClickHouse accepts rows only for "insert into <table> format JSONEachRow" and "format Native"',
      )
    this.#disk.requireSpace()
    const file = `${tag}.rows`
    try {
      const rows = createWriteStream(file, { mode: 0o600 })
      await pipeline(request, byteLimit(MAX_ROWS_BYTES), rows, { signal })
      const text = `${head} FROM INFILE '${file}' FORMAT ${format}`
      return await this.#write(signal, (session) => session.run({ ...call, text, tag }))
    } finally {
      await rm(file, { force: true })
    }
  }

  async #write(
    signal: AbortSignal,
    work: (session: EngineSession) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const answer = await this.#pools.writers.use(signal, (session) => {
      this.#disk.requireSpace()
      return work(session)
    })
    await this.#disk.requireWritten()
    return answer
  }

  /** A connection cannot end its own statement. */
  async #killedOnAbort<T>(tag: string, signal: AbortSignal, run: Promise<T>): Promise<T> {
    const statement = toStatement(
      `KILL QUERY WHERE Settings['log_comment'] = '${tag}' ASYNC`,
      'kill',
    )
    const kill = () => {
      this.#pools.control
        .use(new AbortController().signal, (session) => session.run(statement))
        .catch(() => {})
    }
    signal.addEventListener('abort', kill, { once: true })
    try {
      return await run
    } finally {
      signal.removeEventListener('abort', kill)
    }
  }
}

/**
 * Drops the rest of a refused body, or the client would never see the response. If it cannot be read, the connection
 * ends: the next request would wait behind that rest.
 */
function refuse(request: IncomingMessage, response: ServerResponse, error: Error): void {
  if (response.destroyed) return
  if (request.destroyed && !request.readableEnded) response.setHeader('Connection', 'close')
  request.resume()
  const text = faultText(error)
  response.writeHead(500, { 'Content-Length': Buffer.byteLength(text) }).end(text)
}
