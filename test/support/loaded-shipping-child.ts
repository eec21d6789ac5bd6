import { writeSync } from 'node:fs'
import { Registry } from 'prom-client'
import { openLog } from '../../src/platform/core/log.ts'
import { createShipper } from '../../src/clicks/shipping/shipper.ts'
import { openJournal } from '../../src/clicks/journal/writer.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { makeClick, shipperDeps } from './shipping-world.ts'

/** A process under load, until it is killed. It prints each click before and after it is settled. */
export type LoadOrders = {
  journalDir: string
  quarantineDir: string
  postgresUrl: string
  clickhouseUrl: string
  workspaceId: string
  linkIds: string[]
}

const orders = JSON.parse(process.argv[2]!) as LoadOrders
const { journalDir, quarantineDir, workspaceId, linkIds } = orders
const sql = openPostgres(orders.postgresUrl)
const clickhouse = openClickHouse(orders.clickhouseUrl)
const journal = openJournal({
  root: journalDir,
  durability: 'write',
  onFailure: 'serve',
  log: openLog('silent'),
  sealEveryMs: 30,
})
const deps = shipperDeps({ sql, clickhouse, quarantineDir, registry: new Registry() })

const click = () => {
  const record = makeClick(workspaceId, linkIds)
  writeSync(1, `? ${record.clickId}\n`)
  journal.append(record, { settled: () => writeSync(1, `! ${record.clickId}\n`) })
}
setInterval(() => {
  for (let i = 0; i < 5; i++) click()
}, 2)
await createShipper({ ...deps, journalDir }, { settleMs: 0 }).run(new AbortController().signal)
