import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ClickHouseError, createClient } from '@clickhouse/client'
import {
  clickHouseConnection,
  openClickHouse,
  type ClickHouseClient,
} from '../../src/storage/clickhouse.ts'
import { testEngines } from '../support/engines.ts'

/**
 * What the program, and the official client, expect of ClickHouse's HTTP interface. It is run on
 * the embedded engine; SIGNPOST_TEST_CONFORMANCE_URL names a real server to hold it against.
 */
async function serverUrl(): Promise<string> {
  return process.env.SIGNPOST_TEST_CONFORMANCE_URL ?? (await testEngines()).clickhouseUrl
}

/** A client on a database of the test's own, with `rows (id UInt64, text String)` in it. */
async function openRows(t: TestContext): Promise<{ client: ClickHouseClient; database: string }> {
  const url = await serverUrl()
  const database = `c_${randomBytes(8).toString('hex')}`
  const admin = openClickHouse(url)
  await admin.command({ query: `create database ${database}` })
  const client = openClickHouse(url, { database })
  t.after(async () => {
    await client.close()
    await admin.command({ query: `drop database ${database}` })
    await admin.close()
  })
  await client.command({
    query: `create table rows (id UInt64, text String default 'none') engine = MergeTree
      order by id settings non_replicated_deduplication_window = 100`,
  })
  return { client, database }
}

async function ask(client: ClickHouseClient, query: string): Promise<unknown[]> {
  const result = await client.query({ query, format: 'JSONEachRow' })
  return result.json()
}

async function countRows(client: ClickHouseClient): Promise<unknown> {
  const [row] = (await ask(client, 'select count() as n from rows')) as { n: number }[]
  return row?.n
}

function fails(code: string, type: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ClickHouseError, String(error))
    assert.deepEqual({ code: error.code, type: error.type }, { code, type })
    return true
  }
}

/** A request as something other than the official client would send it; its body is to follow. */
async function begin(path: string, options: { headers?: object; method?: string }) {
  const url = new URL(await serverUrl())
  const auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const { method = 'POST', headers } = options
  const socketPath = url.searchParams.get('socket') ?? undefined
  return request(new URL(path, url), { method, auth, headers: { ...headers }, socketPath })
}

async function send(path: string, options: { body?: Buffer; headers?: object; method?: string }) {
  const sent = await begin(path, options)
  sent.end(options.body)
  const [response] = (await once(sent, 'response')) as [Readable & { statusCode: number }]
  const { headers: received } = response as unknown as { headers: Record<string, string> }
  return { status: response.statusCode, headers: received, body: await buffer(response) }
}

test('a ping answers, with and without the password', async () => {
  const client = openClickHouse(await serverUrl())
  assert.deepEqual(await client.ping(), { success: true })
  assert.deepEqual(await client.ping({ select: true }), { success: true })
  await client.close()
})

test('a wrong password is refused', async () => {
  const url = new URL(await serverUrl())
  url.password = 'wrong'
  const client = openClickHouse(url.href)
  await assert.rejects(client.query({ query: 'select 1' }), fails('516', 'AUTHENTICATION_FAILED'))
  await client.close()
})

test('parameters of every shape arrive as they were given', async (t) => {
  const { client } = await openRows(t)
  const values = {
    plain: 'a',
    quotes: `it's "quoted" \`here\``,
    slashes: 'back\\slash \\n \\N',
    blanks: 'tab\tnewline\nreturn\rnul\0end',
    emoji: '😀 ünïcödé',
    sql: `'; drop table rows; --`,
    empty: '',
  }
  for (const [name, text] of Object.entries(values)) {
    const result = await client.query({
      query: 'select {text:String} as text, length({text:String}) as bytes',
      query_params: { text },
      format: 'JSONEachRow',
    })
    assert.deepEqual(await result.json(), [{ text, bytes: Buffer.byteLength(text) }], name)
  }
  const typed = await client.query({
    query: `select {list:Array(String)} as list, {n:UInt64} as n, {none:Nullable(String)} as none,
      {at:DateTime64(3, 'UTC')} as at, {map:Map(String, UInt8)} as map, {yes:Bool} as yes,
      name from system.{table:Identifier} where name = 'one'`,
    query_params: {
      list: ['a', "b'c", 'd\\e'],
      n: 2 ** 52,
      none: null,
      at: new Date('2026-01-02T03:04:05.678Z'),
      map: { a: 1 },
      yes: true,
      table: 'tables',
    },
    format: 'JSONEachRow',
  })
  assert.deepEqual(await typed.json(), [
    {
      list: ['a', "b'c", 'd\\e'],
      n: 2 ** 52,
      none: null,
      at: '2026-01-02 03:04:05.678',
      map: { a: 1 },
      yes: true,
      name: 'one',
    },
  ])
})

test('a parameter does not outlive its query', async (t) => {
  const { client } = await openRows(t)
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      client
        .query({
          query: 'select {secret:String}',
          query_params: { secret: `s${i}` },
          format: 'CSV',
        })
        .then(async (result) => assert.equal(await result.text(), `"s${i}"\n`)),
    ),
  )
  for (let i = 0; i < 12; i++)
    await assert.rejects(
      ask(client, 'select {secret:String}'),
      fails('456', 'UNKNOWN_QUERY_PARAMETER'),
    )
})

test('a setting does not outlive its query, and an unknown one is refused', async (t) => {
  const { client } = await openRows(t)
  const read = async (settings: object) => {
    const result = await client.query({
      query: `select getSetting('max_block_size') as n, getSetting('max_execution_time') as s`,
      clickhouse_settings: { ...settings },
      format: 'JSONEachRow',
    })
    return result.json<{ n: number; s: number }>()
  }
  const usual = await read({})
  assert.deepEqual(await read({ max_block_size: '777', max_execution_time: 7 }), [{ n: 777, s: 7 }])
  for (let i = 0; i < 12; i++) assert.deepEqual(await read({}), usual)
  await assert.rejects(read({ no_such_setting: 1 }), fails('115', 'UNKNOWN_SETTING'))
  for (let i = 0; i < 12; i++) assert.deepEqual(await read({}), usual)
})

test('every format comes through, text and binary', async (t) => {
  const { client } = await openRows(t)
  const query = `select toUInt64(9007199254740991) as n, 'x\\ty' as text`
  const rows = { n: 9007199254740991, text: 'x\ty' }
  const json = await client.query({ query, format: 'JSON' })
  assert.deepEqual((await json.json<object>()).data, [rows])
  const compact = await client.query({ query, format: 'JSONCompact' })
  assert.deepEqual((await compact.json<object>()).data, [Object.values(rows)])
  const csv = await client.query({ query, format: 'CSVWithNames' })
  assert.equal(await csv.text(), '"n","text"\n9007199254740991,"x\ty"\n')
  const tsv = await client.query({ query, format: 'TabSeparated' })
  assert.equal(await tsv.text(), '9007199254740991\tx\\ty\n')

  const binary = await client.exec({ query: `${query} format RowBinary` })
  assert.deepEqual(await buffer(binary.stream), Buffer.from('ffffffffffff1f0003780979', 'hex'))
  const parquet = await client.exec({ query: `${query} format Parquet settings max_threads = 1` })
  assert.equal((await buffer(parquet.stream)).subarray(0, 4).toString(), 'PAR1')
  const plain = await send('/', { body: Buffer.from('select 1, 2 -- tab-separated by default') })
  assert.equal(plain.body.toString(), '1\t2\n')
})

test('a result of many rows streams', async (t) => {
  const { client } = await openRows(t)
  const query = 'select number as n, repeat(toString(number), 10) as text from numbers(300000)'
  const result = await client.query({ query, format: 'JSONEachRow' })
  let rows = 0
  let last: unknown = null
  for await (const batch of result.stream()) {
    rows += batch.length
    last = batch.at(-1)?.json()
  }
  assert.equal(rows, 300_000)
  assert.deepEqual(last, { n: 299_999, text: '299999'.repeat(10) })
})

test('rows are inserted from arrays, streams of objects and raw streams', async (t) => {
  const { client } = await openRows(t)
  const values = [{ id: 1, text: `it's\n\\"😀` }, { id: 2 }]
  const inserted = await client.insert({ table: 'rows', values, format: 'JSONEachRow' })
  assert.equal(inserted.summary?.written_rows, '2')
  assert.deepEqual(await ask(client, 'select * from rows order by id'), [
    values[0],
    { id: 2, text: 'none' },
  ])
  const objects = Readable.from(
    (function* () {
      for (let id = 0; id < 50_000; id++) yield { id, text: `row ${id}` }
    })(),
  )
  await client.insert({ table: 'rows', values: objects, format: 'JSONEachRow' })
  assert.equal(await countRows(client), 50_002)
  const csv = Readable.from(['3,"a\nb"\n4,', '"c"\n'], { objectMode: false })
  await client.insert({ table: 'rows', values: csv, format: 'CSV', columns: ['id', 'text'] })
  const parquet = await client.exec({
    query: 'select toUInt64(number + 70000) as id from numbers(10) format Parquet',
  })
  await client.insert({ table: 'rows', values: parquet.stream, format: 'Parquet' })
  assert.equal(await countRows(client), 50_014)
})

test('an insert of nothing inserts nothing', async (t) => {
  const { client } = await openRows(t)
  await client.insert({ table: 'rows', values: [], format: 'JSONEachRow' })
  await client.insert({
    table: 'rows',
    values: Readable.from([], { objectMode: false }),
    format: 'CSV',
  })
  assert.equal(await countRows(client), 0)
})

test('statements with their rows in the text, and inserts from a select', async (t) => {
  const { client, database } = await openRows(t)
  await client.command({ query: `insert into rows (id, text) values (1, 'a;b'), (2, 'format c')` })
  await client.command({ query: 'insert into rows format JSONEachRow {"id":3}\n{"id":4}' })
  await client.command({
    query: 'insert into rows select number + {from:UInt64}, toString(number) from numbers(3)',
    query_params: { from: 10 },
  })
  const query = encodeURIComponent('insert into rows (id) values')
  const path = `/?database=${database}&query=${query}`
  assert.equal((await send(path, { body: Buffer.from('(20), (21)') })).status, 200)
  assert.equal(await countRows(client), 9)
})

test('a retry with the same deduplication token is dropped', async (t) => {
  const { client } = await openRows(t)
  const insert = (token: string) =>
    client.insert({
      table: 'rows',
      values: [{ id: 1 }],
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: token },
    })
  await insert('a')
  await insert('a')
  await insert('b')
  await client.insert({ table: 'rows', values: [{ id: 1 }], format: 'JSONEachRow' })
  assert.equal(await countRows(client), 3)
})

test('a row that cannot be read inserts none of its batch', async (t) => {
  const { client } = await openRows(t)
  const values = [{ id: 1 }, { id: 'x' }]
  await assert.rejects(
    client.insert({ table: 'rows', values, format: 'JSONEachRow' }),
    ClickHouseError,
  )
  assert.equal(await countRows(client), 0)
})

test('errors have the code and the name of the server', async (t) => {
  const { client } = await openRows(t)
  const cases = [
    ['selec 1', '62', 'SYNTAX_ERROR'],
    ['select 1; select 2', '62', 'SYNTAX_ERROR'],
    ['select * from nowhere', '60', 'UNKNOWN_TABLE'],
    ['select nothing', '47', 'UNKNOWN_IDENTIFIER'],
    ['select throwIf(1)', '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
    ['select * from rows format Nonsense', '73', 'UNKNOWN_FORMAT'],
  ] as const
  for (const [query, code, type] of cases)
    await assert.rejects(client.exec({ query }), fails(code, type), query)
  await assert.rejects(
    client.insert({ table: 'nowhere', values: [{ id: 1 }], format: 'JSONEachRow' }),
    fails('60', 'UNKNOWN_TABLE'),
  )
  const answer = await send('/', { body: Buffer.from('selec 1') })
  assert.equal(answer.status, 400)
  assert.equal(answer.headers['x-clickhouse-exception-code'], '62')
})

test('a query that fails half-way leaves nothing in the next answer', async (t) => {
  const { client } = await openRows(t)
  const failing = `select throwIf(number = 200000) from numbers(400000) settings max_block_size = 1000`
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      Array.from({ length: 5 }, () =>
        assert.rejects(
          client.query({ query: failing, format: 'JSON' }).then((result) => result.json()),
        ),
      ),
    )
    await Promise.allSettled(
      Array.from({ length: 5 }, () => client.exec({ query: 'describe table nowhere' })),
    )
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(client, 'select 1 as one')),
    )
    for (const answer of answers) assert.deepEqual(answer, [{ one: 1 }])
    assert.deepEqual(await ask(client, 'show tables'), [{ name: 'rows' }])
  }
})

test('requests and answers can be compressed', async (t) => {
  const { database } = await openRows(t)
  const client = createClient({
    ...clickHouseConnection(await serverUrl(), 1),
    database,
    compression: { request: true, response: true },
  })
  t.after(() => client.close())
  const values = Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'same'.repeat(20) }))
  await client.insert({ table: 'rows', values, format: 'JSONEachRow' })
  const result = await client.query({
    query: 'select id, text from rows order by id',
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  assert.equal(result.response_headers['content-encoding'], 'gzip')
  assert.deepEqual(await result.json(), values)
})

test('a broken compressed body is an error and changes nothing', async (t) => {
  const { client, database } = await openRows(t)
  const path = `/?database=${database}&query=${encodeURIComponent('insert into rows format CSV')}`
  const whole = gzipSync(`1,a\n${'2,b\n'.repeat(100_000)}`)
  const answer = await send(path, {
    body: whole.subarray(0, whole.length / 2),
    headers: { 'content-encoding': 'gzip' },
  })
  assert.ok(answer.status >= 400, `status ${answer.status}`)
  assert.equal(await countRows(client), 0)
})

test('a query id is echoed, made when absent', async (t) => {
  const { client } = await openRows(t)
  const named = await client.query({ query: 'select 1', query_id: 'my-query', format: 'CSV' })
  assert.equal(named.query_id, 'my-query')
  assert.equal(named.response_headers['x-clickhouse-query-id'], 'my-query')
  const answer = await send('/', { body: Buffer.from('select 1') })
  assert.match(answer.headers['x-clickhouse-query-id'] ?? '', /^[0-9a-f-]{36}$/)
  assert.ok(answer.headers['x-clickhouse-summary'])
  assert.equal(answer.headers['x-clickhouse-format'], 'TabSeparated')
})

test('GET only reads', async () => {
  const path = (query: string) => `/?query=${encodeURIComponent(query)}`
  const read = await send(path('select 5'), { method: 'GET' })
  assert.deepEqual([read.status, read.body.toString()], [200, '5\n'])
  const written = await send(path('create database from_get'), { method: 'GET' })
  assert.equal(written.headers['x-clickhouse-exception-code'], '164')
})

test('a query that takes too long is ended', async (t) => {
  const { client } = await openRows(t)
  await assert.rejects(
    client.query({
      query: 'select count() from numbers(100000000000) where sipHash64(number) = 1',
      clickhouse_settings: { max_execution_time: 1 },
    }),
    fails('159', 'TIMEOUT_EXCEEDED'),
  )
})

test('neither slow queries nor abandoned ones keep others waiting', async (t) => {
  const { client } = await openRows(t)
  const slow = 'select sleepEachRow(0.1) from numbers(600) settings max_block_size = 1'
  const began = performance.now()
  const leave = new AbortController()
  const abandoned = Array.from({ length: 8 }, () =>
    client.query({ query: slow, abort_signal: leave.signal }).catch(() => 'left'),
  )
  const running = async () => {
    const rows = await ask(
      client,
      `select 1 from system.processes where query like '%sleepEachRow(%'`,
    )
    return rows.length
  }
  // Inserts have a connection of their own, whatever the readers do.
  await client.insert({ table: 'rows', values: [{ id: 1 }], format: 'JSONEachRow' })
  setTimeout(() => leave.abort(), 200)
  await Promise.all(abandoned)
  // A tenth of a second would be enough for the row in progress; a minute is what was asked for.
  while (performance.now() - began < 30_000 && (await running()) > 1) continue
  assert.ok(performance.now() - began < 30_000, 'abandoned queries kept the others waiting')
  assert.deepEqual(await ask(client, 'select 1 as one'), [{ one: 1 }])
})

test('an insert whose sender goes away half-way inserts nothing', async (t) => {
  const { client, database } = await openRows(t)
  const query = encodeURIComponent('insert into rows (id) format CSV')
  const path = `/?database=${database}&query=${query}`
  const sent = await begin(path, { headers: { 'content-length': 1_000_000 } })
  sent.on('error', () => {})
  await new Promise<void>((resolve) => sent.write('1\n'.repeat(1_000), () => resolve()))
  sent.destroy()
  await client.insert({ table: 'rows', values: [{ id: 5 }], format: 'JSONEachRow' })
  assert.deepEqual(await ask(client, 'select id from rows'), [{ id: 5 }])
})
