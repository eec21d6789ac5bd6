import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { test, type TestContext } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import { testEngines } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'

/**
 * Behavior of ClickHouse's HTTP interface that the program depends on. The suite runs on the embedded
 * engine, or on the server that SIGNPOST_TEST_CONFORMANCE_URL names.
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

/** A request whose body is to follow, with the credential of the address or another. */
async function begin(path: string, headers: OutgoingHttpHeaders, method = 'POST') {
  const url = new URL(await serverUrl())
  const auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const socketPath = url.searchParams.get('socket') ?? undefined
  return request(new URL(path, url), { method, auth, headers, socketPath })
}

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
  await client.insert({ table: 'rows', values, format: 'JSONEachRow' })
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
  const lines = Readable.from(['{"id":60001,"text":"a', '\\nb"}\n{"id":60002}\n'], {
    objectMode: false,
  })
  const { stream } = await client.exec({
    query: 'insert into rows format JSONEachRow',
    values: lines,
  })
  await finished(stream.resume())
  assert.equal(await countRows(client), 50_004)
})

test('an insert of nothing inserts nothing', async (t) => {
  const { client } = await openRows(t)
  await client.insert({ table: 'rows', values: [], format: 'JSONEachRow' })
  await client.insert({
    table: 'rows',
    values: Readable.from([]),
    format: 'JSONEachRow',
  })
  assert.equal(await countRows(client), 0)
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
    ['select * from nowhere', '60', 'UNKNOWN_TABLE'],
    ['select nothing', '47', 'UNKNOWN_IDENTIFIER'],
    ['select throwIf(1)', '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
  ] as const
  for (const [query, code, type] of cases)
    await assert.rejects(ask(client, query), fails(code, type), query)
  await assert.rejects(
    client.insert({ table: 'nowhere', values: [{ id: 1 }], format: 'JSONEachRow' }),
    fails('60', 'UNKNOWN_TABLE'),
  )
})

test('a query that fails half-way leaves nothing in the next answer', async (t) => {
  const { client } = await openRows(t)
  const failing = `select throwIf(number = 200000) from numbers(400000) settings max_block_size = 1000`
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      Array.from({ length: 5 }, () =>
        assert.rejects(
          client.query({ query: failing, format: 'JSONEachRow' }).then((result) => result.json()),
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
  // Inserts have a separate connection.
  await client.insert({ table: 'rows', values: [{ id: 1 }], format: 'JSONEachRow' })
  setTimeout(() => leave.abort(), 200)
  await Promise.all(abandoned)
  // The row in progress takes a tenth of a second, a whole query a minute.
  await eventually(async () => assert.ok((await running()) <= 1, 'abandoned queries still run'))
  assert.deepEqual(await ask(client, 'select 1 as one'), [{ one: 1 }])
})

test('an insert whose sender goes away half-way inserts nothing', async (t) => {
  const { client, database } = await openRows(t)
  const query = encodeURIComponent('insert into rows format JSONEachRow')
  const path = `/?database=${database}&query=${query}`
  const sent = await begin(path, { 'content-length': 1_000_000 })
  sent.on('error', () => {})
  await new Promise<void>((resolve) => sent.write('{"id":1}\n'.repeat(1_000), () => resolve()))
  sent.destroy()
  await client.insert({ table: 'rows', values: [{ id: 5 }], format: 'JSONEachRow' })
  assert.deepEqual(await ask(client, 'select id from rows'), [{ id: 5 }])
})

const FRONT_ONLY = process.env.SIGNPOST_TEST_CONFORMANCE_URL && 'a full server does more'

test(
  'the embedded engine serves the credential of its address alone',
  { skip: FRONT_ONLY },
  async () => {
    const url = new URL(await serverUrl())
    const socketPath = url.searchParams.get('socket')!
    const { username, password } = url
    const attempts: [path: string, headers: OutgoingHttpHeaders][] = [
      ['/', {}],
      [`/?user=${username}&password=${password}`, {}],
      ['/', { 'x-clickhouse-user': username, 'x-clickhouse-key': password }],
      ['/', { authorization: `Bearer ${password}` }],
    ]
    for (const [path, headers] of attempts) {
      const sent = request({ path, headers, socketPath, method: 'POST' })
      sent.end('select 1')
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      assert.equal(response.statusCode, 500)
      assert.match(await readText(response), /^Code: 516\. .*\(AUTHENTICATION_FAILED\)$/)
    }
  },
)

test(
  'the embedded engine refuses requests that the program never sends',
  { skip: FRONT_ONLY },
  async () => {
    const insert = (statement: string) => `/?query=${encodeURIComponent(statement)}`
    for (const [method, path] of [
      ['GET', '/?query=select+1'],
      ['GET', '/ping'],
      ['POST', '/play'],
      ['POST', insert('insert into rows format CSV')],
      ['POST', insert('insert into rows select 1')],
    ] as const) {
      const sent = await begin(path, {}, method)
      sent.end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      assert.match(await readText(response), /^Code: 48\. .*\(NOT_IMPLEMENTED\)$/, path)
    }
  },
)

test(
  'a read of the embedded engine changes nothing and has a bounded answer',
  { skip: FRONT_ONLY },
  async (t) => {
    const { client } = await openRows(t)
    const write = {
      query: 'insert into rows (id) values (1); select 1',
      format: 'JSONEachRow',
    } as const
    await assert.rejects(client.query(write), fails('164', 'READONLY'))
    const [limit] = await ask(client, `select getSetting('max_result_bytes') as bytes`)
    assert.deepEqual(limit, { bytes: 256 * 1024 ** 2 })
    assert.equal(await countRows(client), 0)
  },
)
