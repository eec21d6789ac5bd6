import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'
import { openProxy } from '../../test/support/database-proxy.ts'
import type { Owner } from '../../test/support/owner.ts'
import { startManaged } from '../../test/support/service-manager.ts'
import { openDatabases } from './databases.ts'
import { fillLinks } from './links.ts'
import { warmLinks } from './visitors.ts'

const ENTRY = join(import.meta.dirname, '../../src/main.ts')

/**
 * An edge as a process of its own that has all links in memory. It reaches both databases through proxies; its socket is held for it
 * as systemd does.
 * @param delayMs by which the proxies delay each direction
 */
export async function openDistantEdge({ links, delayMs = 0 }: { links: number; delayMs?: number }) {
  await using opening = new AsyncDisposableStack()
  const owner: Owner = { after: (close) => opening.defer(async () => void (await close())) }
  const databases = opening.use(await openDatabases())
  await fillLinks(databases.sql, { plain: links })
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-edge-'))
  opening.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const postgres = await openProxy(owner, databases.url, { delayMs })
  const clickhouse = await openProxy(owner, databases.clickhouseUrl, { delayMs })
  const edge = await startManaged(owner, [process.execPath, ENTRY, '--role=edge'], (port) => ({
    DATA_DIR: dataDir,
    PORT: String(port),
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    SECRET_KEY: 'the secret of a benchmark, long enough',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '1',
  }))
  await warmLinks(edge.port, links)
  const systemSql = openPostgres(databases.url, { role: WORKER_ROLE })
  opening.defer(() => closePostgres(systemSql))
  const opened = opening.move()
  return {
    port: edge.port,
    restart: edge.restart,
    journalDir: join(dataDir, 'journal'),
    /** Past the proxies. */
    databases: { systemSql, clickhouse: databases.clickhouse },
    setAway: (isAway: boolean) => {
      for (const proxy of [postgres, clickhouse])
        if (isAway) proxy.cut()
        else proxy.restore()
    },
    output: edge.output,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
