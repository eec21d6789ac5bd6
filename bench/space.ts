import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId, ulid } from '../src/platform/core/ids.ts'
import { writeBackup } from '../src/operator/backup/backup.ts'
import { encodeRecord } from '../src/clicks/journal/format.ts'
import { fillClicks, seconds, settle } from './support/analytics-clicks.ts'
import { openDatabases } from './support/databases.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures the disk that a click takes: in its journal, in ClickHouse with and without projections once its parts
 * are merged, and in a backup.
 *
 *   node bench/space.ts [--clicks 2000000] [--look 500]
 */
const { clicks, look } = readOptions({ clicks: 2_000_000, look: 500 }, {})
await using databases = await openDatabases()
const { sql, clickhouse } = databases
const now = Date.now()
const workspaceId = newId('wsp', now)
const linkId = newId('lnk', now)
const linkClicks = Math.ceil(clicks / 10)
await fillClicks(clickhouse, { clicks, linkClicks, workspaceId, linkId, endMs: now, days: 60 })
await settle(clickhouse, look)

const click = {
  clickId: ulid(now),
  atMs: now,
  workspaceId,
  linkId,
  host: 'links.example.com',
  slug: 'summer-sale',
  destination: 'https://shop.example.com/campaigns/summer/landing?ref=newsletter',
  utm: ['newsletter', 'email', 'summer', '', ''] as [string, string, string, string, string],
  trigger: 'link' as const,
  ip: '203.0.113.77',
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile',
  referrer: 'https://news.example.com/',
  language: 'en-GB,en;q=0.9',
  isPrefetch: false,
  domainId: '',
  route: 'default',
  country: '',
  isView: false,
  hasGpc: false,
  hasDnt: false,
}
console.log(`journal     ${encodeRecord(Buffer.alloc(4_096), 0, 0, click)} bytes a click`)

const sizes = await clickhouse.query({
  query: `select sum(bytes_on_disk) as bytes, sum(rows) as rows,
      (select sum(bytes_on_disk) from system.projection_parts
        where database = currentDatabase() and table = 'clicks' and active) as projections
    from system.parts where database = currentDatabase() and table = 'clicks' and active`,
  format: 'JSONEachRow',
})
const [size] = await sizes.json<{ bytes: number; rows: number; projections: number }>()
const { bytes, rows, projections } = size!
const each = (total: number) => (total / rows).toFixed(1)
console.log(`clickhouse  ${each(bytes)} bytes a click, ${each(projections)} of them projections`)

const folder = mkdtempSync(join(tmpdir(), 'signpost-space-'))
try {
  const startedAt = performance.now()
  const source = { sql, clickhouse, dataDir: databases.dataDir, version: 'bench' }
  const manifest = await writeBackup(source, join(folder, 'backup'), null)
  const files = manifest.clickhouse!.tables.find(({ table }) => table === 'clicks')!.files
  const written = files.reduce((sum, file) => sum + file.bytes, 0)
  console.log(`backup      ${each(written)} bytes a click, in ${seconds(startedAt)} s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
