import { OperatorError } from '../../core/errors.ts'
import { LateError, sleep, withinMs } from '../../core/service.ts'
import type { ClickHouseClient } from '../clickhouse/clickhouse.ts'
import type { Sql } from '../postgres/postgres.ts'

const MIN_POSTGRES_MAJOR = 15
const MIN_CLICKHOUSE = { major: 25, minor: 8 }
const ANSWER_TIMEOUT_MS = 12_000
const STARTING_UP_TIMEOUT_MS = 60_000
const STARTING_UP_POLL_MS = 200
const TOO_MANY_CONNECTIONS = '53300'

export class UnavailableError extends OperatorError {
  override name = 'UnavailableError'
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ENOTFOUND: 'cannot be found: its host name has no address',
  EAI_AGAIN: 'cannot be found: its host name could not be looked up',
  ENOENT: 'cannot be reached: the socket does not exist',
  ECONNRESET: 'closed the connection',
  CONNECTION_CLOSED: 'closed the connection',
  CONNECT_TIMEOUT: 'did not answer in time',
  ETIMEDOUT: 'did not answer in time',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
}

export async function requirePostgres(sql: Sql, url: string): Promise<void> {
  const deadline = performance.now() + STARTING_UP_TIMEOUT_MS
  const named = `The PostgreSQL that DATABASE_URL names (${toPublicAddress(url)})`
  while (true) {
    try {
      // Another kind of server makes the driver reconnect forever, without an error.
      const version = await withinMs(readVersion(sql), ANSWER_TIMEOUT_MS)
      if (Number.parseInt(version, 10) >= MIN_POSTGRES_MAJOR) return
      throw new OperatorError(
        `${named} is version ${version}, and Signpost needs ${MIN_POSTGRES_MAJOR} or later.`,
      )
    } catch (error) {
      if (error instanceof OperatorError) throw error
      const isStarting = (error as { code?: string }).code === '57P03'
      const sentence = `${named} ${postgresReason(error, url)}.`
      if (isUnavailable(error)) throw new UnavailableError(sentence)
      if (!isStarting) throw new OperatorError(sentence)
      if (performance.now() > deadline) throw new UnavailableError(sentence)
      await sleep(STARTING_UP_POLL_MS)
    }
  }
}

export async function requireClickHouse(clickhouse: ClickHouseClient, url: string): Promise<void> {
  const named = `The ClickHouse that CLICKHOUSE_URL names (${toPublicAddress(url)})`
  const version = await readClickHouseVersion(clickhouse).catch((error: unknown) => {
    const sentence = `${named} ${clickhouseReason(error, url)}.`
    throw isUnavailable(error) ? new UnavailableError(sentence) : new OperatorError(sentence)
  })
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const { major: minMajor, minor: minMinor } = MIN_CLICKHOUSE
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  throw new OperatorError(
    `${named} is version ${version}, and Signpost needs ${minMajor}.${minMinor} or later.`,
  )
}

async function readClickHouseVersion(clickhouse: ClickHouseClient): Promise<string> {
  // Unlike a ping, it checks that the database exists.
  const answer = await clickhouse.query({ query: 'select version() as version', format: 'CSV' })
  return (await answer.text()).trim().replaceAll('"', '')
}

async function readVersion(sql: Sql): Promise<string> {
  const [row] = await sql<{ version: string }[]>`
    select current_setting('server_version') as version`
  return row?.version ?? ''
}

function isUnavailable(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string }
  const isBusy = code === TOO_MANY_CONNECTIONS
  return error instanceof LateError || code in NETWORK || isBusy || message === 'Timeout error.'
}

function postgresReason(error: unknown, url: string): string {
  const { code = '', message } = error as Error & { code?: string }
  const { username, pathname } = new URL(url)
  if (error instanceof LateError) return 'did not answer in time'
  if (code === '28P01') return `refused the password of the user ${username}`
  if (code === '3D000') return `has no database ${pathname.slice(1)}`
  if (code === TOO_MANY_CONNECTIONS) return 'has no connection left'
  if (code === 'TLS_REFUSED')
    return 'does not accept TLS, which the sslmode in DATABASE_URL requires: enable TLS there, or remove sslmode on a network that you trust'
  if (/unsupported startup parameter/.test(message))
    return `is a pooler that refuses start-up parameters (${toPublicLine(url, message)}): DATABASE_URL must name PostgreSQL itself`
  return NETWORK[code] ?? `cannot be used (${toPublicLine(url, message)})`
}

function clickhouseReason(error: unknown, url: string): string {
  const { code = '', message } = error as Error & { code?: string }
  const { username, pathname } = new URL(url)
  if (['516', '194', '193'].includes(code)) return `refused the password of the user ${username}`
  if (code === '81') return `has no database ${pathname.slice(1)}`
  if (message === 'Timeout error.') return 'did not answer in time'
  return NETWORK[code] ?? `cannot be used (${toPublicLine(url, message)})`
}

/** Host, port and path, without secrets. */
export function toPublicAddress(address: string): string {
  const url = new URL(address)
  return `${url.host}${url.pathname}`
}

function toPublicLine(address: string, message: string): string {
  const { password } = new URL(address)
  const line = message.split('\n')[0]?.replace(/\.?\s*$/, '') ?? ''
  if (password === '') return line
  return line.replaceAll(password, '***').replaceAll(decodeURIComponent(password), '***')
}
