import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { openClickHouse } from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../../src/platform/storage/postgres/postgres.ts'
import {
  UnavailableError,
  requireClickHouse,
  requirePostgres,
} from '../../../src/platform/storage/installation/reachable.ts'
import { withDatabase } from '../../support/engine-pair.ts'
import { testEngines } from '../../support/engines.ts'

const PASSWORD = 'hunter2%40x'

/** A port that answers every connection in the same way; closed after the test. */
async function listen(t: TestContext, answer: (socket: Socket) => void): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A PostgreSQL that refuses every start-up packet: an ErrorResponse, as its protocol has it. */
function refusing(code: string, message: string) {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([head, fields])))
  }
}

function isSentence(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.match(error.message, pattern)
    assert.match(error.message, /^[^\n]*(DATABASE_URL|CLICKHOUSE_URL)[^\n]*\.$/)
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  }
}

async function refusesPostgres(url: string, pattern: RegExp): Promise<void> {
  const sql = openPostgres(url, { maxConnections: 1 })
  await assert.rejects(requirePostgres(sql, url), isSentence(pattern))
  await closePostgres(sql)
}

async function refusesClickHouse(url: string, pattern: RegExp): Promise<void> {
  const client = openClickHouse(url)
  await assert.rejects(requireClickHouse(client, url), isSentence(pattern))
  await client.close()
}

test('the embedded databases pass the checks', async () => {
  const { postgresUrl, clickhouseUrl } = await testEngines()
  const sql = openPostgres(postgresUrl)
  const clickhouse = openClickHouse(clickhouseUrl)
  await requirePostgres(sql, postgresUrl)
  await requireClickHouse(clickhouse, clickhouseUrl)
  await Promise.all([closePostgres(sql), clickhouse.close()])
})

test('a wrong DATABASE_URL is one sentence without the password', async (t) => {
  const at = (host: string) => `postgres://me:${PASSWORD}@${host}/db`
  await refusesPostgres(at(`127.0.0.1:${await closedPort()}`), /:\d+\/db\) refused the connection/)
  await refusesPostgres(at('nowhere.invalid:5432'), /cannot be found/)
  const port = await listen(t, refusing('28P01', 'password authentication failed for user "me"'))
  await refusesPostgres(at(`127.0.0.1:${port}`), /refused the password of the user me/)
  const closed = await listen(t, refusing('28000', 'no pg_hba.conf entry for host'))
  await refusesPostgres(at(`127.0.0.1:${closed}`), /cannot be used \(no pg_hba\.conf entry/)
  const { postgresUrl } = await testEngines()
  await refusesPostgres(withDatabase(postgresUrl, 'nowhere'), /has no database nowhere/)
})

test('a PostgreSQL without TLS is refused under sslmode=require, and is not waited for', async () => {
  // PostgreSQL has no TLS on its sockets.
  const { postgresUrl } = await testEngines()
  const url = `${postgresUrl}&sslmode=require`
  const sql = openPostgres(url, { maxConnections: 1 })
  await assert.rejects(requirePostgres(sql, url), (error) => {
    assert.ok(!(error instanceof UnavailableError), 'it would be waited for')
    return isSentence(/does not accept TLS, which the sslmode in DATABASE_URL requires/)(error)
  })
  await closePostgres(sql)
})

test('a PostgreSQL that is too old is one sentence', async () => {
  const url = `postgres://me:${PASSWORD}@db:5432/db`
  const old = (async () => [{ version: '14.11 (Debian)' }]) as unknown as Sql
  const expected = isSentence(/is version 14\.11 \(Debian\), and Signpost needs 15 or later/)
  await assert.rejects(requirePostgres(old, url), expected)
})

test('a wrong CLICKHOUSE_URL is one sentence without the password', async () => {
  const at = (host: string) => `http://me:${PASSWORD}@${host}/db`
  await refusesClickHouse(at(`127.0.0.1:${await closedPort()}`), /refused the connection/)
  await refusesClickHouse(at('nowhere.invalid:8123'), /cannot be found/)
  const { clickhouseUrl } = await testEngines()
  const { search } = new URL(clickhouseUrl)
  await refusesClickHouse(at('localhost') + search, /refused the password of the user me/)
  await refusesClickHouse(withDatabase(clickhouseUrl, 'nowhere'), /has no database nowhere/)
})
