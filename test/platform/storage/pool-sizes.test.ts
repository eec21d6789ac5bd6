import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { holdDataDir } from '../../../src/platform/storage/installation/data-dir.ts'
import { openStores } from '../../../src/platform/storage/stores.ts'
import { freshDatabases } from '../../support/engines.ts'
import { freshDataDir } from '../../support/program.ts'

test('the pools for databases that are not embedded have the sizes of the settings', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  using dataDir = holdDataDir(freshDataDir(t), Date.now)
  const settings = {
    databaseUrl: postgresUrl,
    clickhouseUrl,
    clickhouseEngine: 'MergeTree',
    secretKey: 'a key of this test, long enough for the check',
    databaseConnections: 5,
    clickhouseConnections: 4,
  }
  await using stores = await openStores(settings, dataDir, openLog('silent'))
  const twenty = Array.from({ length: 20 }, (_, i) => i)
  const pids = await Promise.all(
    twenty.map(async () => {
      const [row] = await stores.systemSql<[{ pid: number }]>`
        select pg_backend_pid() as pid, pg_sleep(0.05)`
      return row.pid
    }),
  )
  assert.equal(new Set(pids).size, 5)

  const most = { connections: 0 }
  const proxied = await openCountingProxy(t, clickhouseUrl, most)
  await using far = await openStores(
    { ...settings, clickhouseUrl: proxied },
    dataDir,
    openLog('silent'),
  )
  await Promise.all(
    twenty.map(async () => (await far.clickhouse.query({ query: 'select sleep(0.05)' })).text()),
  )
  assert.equal(most.connections, 4)
})

/** @returns the address of a proxy that notes the most connections that were open at once */
async function openCountingProxy(
  t: TestContext,
  clickhouseUrl: string,
  most: { connections: number },
): Promise<string> {
  const address = new URL(clickhouseUrl)
  const path = address.searchParams.get('socket')
  const target = path === null ? { host: address.hostname, port: Number(address.port) } : { path }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target)
    open.add(client)
    most.connections = Math.max(most.connections, open.size)
    client.on('close', () => {
      open.delete(client)
      upstream.destroy()
    })
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  t.after(() => {
    for (const client of open) client.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address.searchParams.delete('socket')
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as AddressInfo).port)
  return address.href
}
