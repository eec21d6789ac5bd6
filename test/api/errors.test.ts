import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { OperatorError } from '../../src/platform/core/errors.ts'
import { sendError } from '../../src/api/answers/errors.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { freshDatabases } from '../support/engines.ts'

test('temporary database errors are a 503, conflicts a 409, all others a 500', async (t) => {
  const { sql, clickhouse } = await freshDatabases(t)
  const nowhere = openPostgres('postgres://a@localhost/b?host=/nowhere')
  const refused = openClickHouse('http://127.0.0.1:1')
  t.after(() => Promise.all([closePostgres(nowhere), refused.close()]))
  const postgres = (state: string) => () =>
    sql.unsafe(`do $$ begin raise exception using errcode = '${state}'; end $$`)
  const asked = (code: number) => () =>
    clickhouse.query({
      query: `select throwIf(1, 'refused', toInt16(${code}))`,
      clickhouse_settings: { allow_custom_error_code_in_throwif: 1 },
    })
  const work: Record<string, [run: () => PromiseLike<unknown>, status: number]> = {
    deadlock: [postgres('40P01'), 409],
    serialization: [postgres('40001'), 409],
    idleInTransaction: [postgres('25P03'), 503],
    statementTimeout: [postgres('57014'), 503],
    shutdown: [postgres('57P01'), 503],
    lockNotAvailable: [postgres('55P03'), 503],
    mistake: [postgres('42P01'), 500],
    noSocket: [() => nowhere`select 1`, 503],
    clickhouseTimeout: [asked(159), 503],
    clickhouseMemory: [asked(241), 503],
    clickhouseBusy: [asked(202), 503],
    clickhouseMistake: [asked(62), 500],
    clickhouseRefused: [() => refused.query({ query: 'select 1' }), 503],
    operatorFault: [() => Promise.reject(new OperatorError('The pooler drops the role.')), 503],
    clickhouseSilent: [() => Promise.reject(new Error('Timeout error.')), 503],
  }
  const lines: { level: number; err?: unknown; reason?: string; msg: string }[] = []
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) }
  const app = Fastify({ logger: { level: 'warn', stream } })
  app.setErrorHandler(sendError)
  for (const [name, [run]] of Object.entries(work)) app.get(`/${name}`, async () => run())
  for (const [name, [, status]] of Object.entries(work)) {
    const answer = await app.inject(`/${name}`)
    assert.equal(answer.statusCode, status, `${name}: ${answer.body}`)
    assert.equal(answer.headers['retry-after'] !== undefined, status === 503, name)
    // Only a missing credential gets a short line; a missing right is explained.
    const [line] = lines.splice(0)
    const isAway = ['shutdown', 'noSocket', 'clickhouseRefused'].includes(name)
    assert.equal(
      line?.msg,
      isAway
        ? 'a database or the services cannot be reached'
        : status >= 500
          ? 'request failed'
          : undefined,
      name,
    )
    if (isAway) assert.equal(line?.err, undefined)
  }
})
