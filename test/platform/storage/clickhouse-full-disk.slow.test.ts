import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../../src/platform/core/log.ts'
import { openClickHouse } from '../../../src/platform/storage/clickhouse/clickhouse.ts'
import { openEngines } from '../../../src/platform/storage/embedded/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDataDir } from '../../support/program.ts'
import { fillDisk, mountSmallDisk, skipsDisks } from '../../support/small-disk.ts'

const PARTS = 8
/** Random, so that they are as large on the disk: 10 MB. */
const SOME_ROWS = 'insert into rows select number, randomString(100) from numbers(100000)'

test(
  'neither a merge nor an insert loses rows as the disk fills',
  { skip: skipsDisks },
  async (t) => {
    const disk = mountSmallDisk(freshDataDir(t))
    if (disk === null) return t.skip('no file system can be mounted here')
    let server = await openServer(disk.path)
    const whole = (inserts: number) => ({ rows: inserts * 100_000, bytes: inserts * 10_000_000 })
    try {
      await server.run('create table rows (id UInt64, text String) engine = MergeTree order by id')
      await server.run('system stop merges rows')
      for (let i = 0; i < PARTS; i++) await server.run(SOME_ROWS)
      const { path } = await server.ask<{ path: string }>(
        "select data_paths[1] as path from system.tables where name = 'rows'",
      )
      const before = server.pid()
      await server.run('system start merges rows')
      // Until a write fails, which ends the process: one that has read its last row before the disk is full succeeds.
      do {
        await fillOnce(disk.path, path, 'tmp_merge', server.run('optimize table rows final'))
        await eventually(async () => assert.deepEqual(await server.sums(), whole(PARTS)))
      } while (server.pid() === before)

      const insert = server.run(SOME_ROWS.replace('100000', '1000000'))
      const isStored = await fillOnce(disk.path, path, 'tmp_insert', insert)
      await server.close()
      server = await openServer(disk.path)
      if (isStored) assert.deepEqual(await server.sums(), whole(PARTS + 10))
      await server.run(SOME_ROWS)
    } finally {
      await server.close()
      disk.unmount()
    }
    return undefined
  },
)

async function openServer(dataDir: string) {
  const log = openLog('silent')
  const engines = await openEngines({ dataDir, log, postgres: false, clickhouse: true })
  const clickhouse = openClickHouse(engines.clickhouseUrl!)
  const ask = async <T>(query: string) => {
    const [row] = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<T>()
    return row!
  }
  return {
    ask,
    run: (query: string) => clickhouse.command({ query }),
    // The second one reads each row.
    sums: () => ask<object>('select count() as rows, sum(length(text)) as bytes from rows'),
    pid: () => engines.pids().clickhouse,
    close: async () => {
      await clickhouse.close()
      await engines[Symbol.asyncDispose]()
    },
  }
}

/** Fills the disk while a statement writes a part, and frees it afterwards. @returns true if the statement succeeded */
async function fillOnce(
  disk: string,
  table: string,
  prefix: string,
  statement: Promise<unknown>,
): Promise<boolean> {
  let isOver = false
  const succeeded = statement.then(
    () => true,
    () => false,
  )
  void succeeded.then(() => (isOver = true))
  while (!readdirSync(table).some((name) => name.startsWith(prefix))) {
    if (isOver) return succeeded
    await sleep(1)
  }
  const filler = fillDisk(disk)
  const result = await succeeded
  rmSync(filler)
  return result
}
