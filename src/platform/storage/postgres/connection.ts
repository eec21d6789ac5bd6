import { connect as connectSocket, Socket } from 'node:net'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { type Compiled, type Row, type Rows, TYPES } from './statement.ts'

export type ConnectionOptions = {
  applicationName: string
  parameters: Readonly<Record<string, string | number>>
  /** False behind a pooler, which may use another session for each transaction. */
  isPreparing: boolean
}

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 60_000
const CANCEL_TIMEOUT_MS = 1_000
const CANCEL_REQUEST = 80_877_102

const CODES: readonly (readonly [message: RegExp, code: string])[] = [
  [/timeout expired/, 'CONNECT_TIMEOUT'],
  [/does not support SSL/, 'TLS_REFUSED'],
  [/^Connection terminated|not queryable/, 'CONNECTION_CLOSED'],
]

/**
 * Statements are pipelined: sent at once, and run in order. When the connection is lost, unanswered and later ones
 * are rejected.
 */
export class Connection {
  readonly client: pg.Client
  readonly #isPreparing: boolean
  readonly openedAtMs = performance.now()
  isUsable = true
  #isGathering = false

  constructor(client: pg.Client, isPreparing: boolean) {
    this.client = client
    this.#isPreparing = isPreparing
    // Without a listener losing an idle connection would end the process.
    client.on('error', () => (this.isUsable = false))
    client.on('end', () => (this.isUsable = false))
  }

  /** @param url like libpq's, with the socket directory as the parameter `host` and with `sslmode` */
  static async open(url: string, options: ConnectionOptions): Promise<Connection> {
    const { sslmode, ...address } = readAddress(url)
    try {
      return await connect({ ...address, ...toTls(sslmode) }, options)
    } catch (error) {
      if (sslmode !== 'prefer' || (error as { code?: string }).code !== 'TLS_REFUSED') throw error
      return connect(address, options)
    }
  }

  async run({ text, values }: Compiled): Promise<Rows> {
    const name = this.#isPreparing && values.length > 0 ? nameOf(text) : undefined
    const query = { text, values: values as never, rowMode: 'array' as const, types: TYPES, name }
    this.#gather()
    try {
      return await new Promise<Rows>((resolve, reject) => {
        this.client.query(query as pg.QueryArrayConfig, (error: Error | null, result) => {
          if (error) return reject(error)
          resolve(toRows(Array.isArray(result) ? (result.at(-1) as typeof result) : result))
        })
      })
    } catch (error) {
      Error.captureStackTrace(error as Error)
      throw toCoded(error)
    }
  }

  /** One system call for all statements of a turn. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = (this.client as pg.Client & Backend).connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /** Resolves once the server has the request or failed to take it. */
  async cancel(): Promise<void> {
    const { processID, secretKey, host, port } = this.client as pg.Client & Backend
    const request = Buffer.alloc(16)
    for (const [index, word] of [16, CANCEL_REQUEST, processID, secretKey].entries())
      request.writeInt32BE(word, 4 * index)
    const socket = connectSocket(
      host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    )
    socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.write(request)
    socket.resume()
    await once(socket, 'close')
  }

  async close(): Promise<void> {
    this.isUsable = false
    await this.client.end().catch(() => {})
  }

  destroy(): void {
    this.isUsable = false
    ;(this.client as pg.Client & Backend).connection.stream.destroy()
  }
}

type Backend = {
  processID: number
  secretKey: number
  connection: { stream: Writable }
}

async function connect(address: pg.ClientConfig, options: ConnectionOptions): Promise<Connection> {
  const client = new pg.Client({
    ...address,
    stream: () => new JoiningSocket(),
    application_name: options.applicationName,
    options: toOptions(options.parameters),
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  } as pg.ClientConfig)
  const connection = new Connection(client, options.isPreparing)
  await client.connect().catch((error: unknown) => {
    throw toCoded(error)
  })
  return connection
}

/** The driver writes five messages per statement. */
class JoiningSocket extends Socket {
  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    const joined = Buffer.concat(chunks.map(({ chunk }) => chunk))
    this._write(joined, 'buffer' as never, callback)
  }
}

function toOptions(parameters: ConnectionOptions['parameters']): string | undefined {
  const settings = Object.entries(parameters).map(
    ([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, '\\$&')}`,
  )
  return settings.length > 0 ? settings.join(' ') : undefined
}

function readAddress(url: string) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const directory = searchParams.get('host')
  return {
    host: directory ?? hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(searchParams.get('port') ?? (port || 5432)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    sslmode: searchParams.get('sslmode'),
  }
}

function toTls(sslmode: string | null): { ssl?: pg.ClientConfig['ssl'] } {
  if (sslmode === null || sslmode === 'disable') return {}
  return { ssl: { rejectUnauthorized: sslmode.startsWith('verify-') } }
}

function toCoded(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const known = CODES.find(([pattern]) => pattern.test(message))
  return code === undefined && known ? Object.assign(error as Error, { code: known[1] }) : error
}

function toRows({ rows, fields, rowCount }: pg.QueryArrayResult): Rows {
  const names = fields.map(({ name }) => toCamel(name))
  const named = (rows as unknown[][]).map((values) => {
    const row: Row = {}
    for (let index = 0; index < names.length; index++) row[names[index]!] = values[index]
    return row
  })
  return Object.assign(named, { count: rowCount ?? named.length })
}

const camelNames = new Map<string, string>()

function toCamel(name: string): string {
  let camel = camelNames.get(name)
  if (camel === undefined) {
    camel = name.replaceAll(/(?<=.)_(.)/g, (_, letter: string) => letter.toUpperCase())
    if (camelNames.size < MAX_NAMES) camelNames.set(name, camel)
  }
  return camel
}

const MAX_NAMES = 2_000
const statementNames = new Map<string, string>()

/** Undefined beyond so many texts. */
function nameOf(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size === MAX_NAMES) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}
