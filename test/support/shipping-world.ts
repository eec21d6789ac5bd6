import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { ulid } from '../../src/platform/core/ids.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createMeters } from '../../src/clicks/shipping/meters.ts'
import type { ShipperDeps } from '../../src/clicks/shipping/shipper.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import {
  encodeHeader,
  encodeRecord,
  segmentName,
  type ClickRecord,
  type SegmentState,
} from '../../src/clicks/journal/format.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { freshDatabases } from './engines.ts'
import { asSystem } from './privileges.ts'
import { addLink, addWorkspace, freshFolder } from './fixtures.ts'
import { selectRows } from './click-rows.ts'

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

export type Bench = {
  sql: Sql
  clickhouse: ClickHouseClient
  postgresUrl: string
  clickhouseUrl: string
  journalDir: string
  quarantineDir: string
  workspaceId: string
  linkIds: string[]
  registry: Registry
  deps: ShipperDeps
  /** A click on one of the links, now. */
  click(changes?: Partial<ClickRecord>): ClickRecord
  /** Writes a segment with `tornBytes` of another record, as a process leaves it. */
  segment(
    journalId: string,
    sequence: number,
    clicks: ClickRecord[],
    state?: SegmentState,
    tornBytes?: number,
  ): void
}

/** Dependencies of a shipper: fresh databases with one workspace and three links, and a journal. */
export async function openBench(t: TestContext): Promise<Bench> {
  const databases = await freshDatabases(t)
  const { sql, clickhouse } = databases
  const dataDir = freshFolder()
  const journalDir = join(dataDir, 'journal')
  const quarantineDir = join(dataDir, 'quarantine')
  const { workspaceId, linkIds } = await seedLinks(sql)
  const registry = new Registry()

  return {
    ...databases,
    journalDir,
    quarantineDir,
    workspaceId,
    linkIds,
    registry,
    deps: shipperDeps({ sql, clickhouse, quarantineDir, registry }),
    click: (changes) => makeClick(workspaceId, linkIds, changes),
    segment(journalId, sequence, clicks, state = 'sealed', tornBytes = 0) {
      const folder = join(journalDir, journalId)
      mkdirSync(folder, { recursive: true })
      const bytes = encodeSegment([...clicks, makeClick(workspaceId, linkIds)])
      const length = encodeSegment(clicks).length + tornBytes
      writeFileSync(join(folder, segmentName(sequence, state)), bytes.subarray(0, length))
    },
  }
}

export function shipperDeps({
  registry,
  ...given
}: {
  sql: Sql
  clickhouse: ClickHouseClient
  quarantineDir: string
  registry: Registry
}): ShipperDeps {
  return {
    ...given,
    meters: createMeters(registry),
    sql: asSystem(given.sql),
    secrets: createSecrets('a secret of the tests, long enough'),
    locate: () => ({ country: 'DE', region: 'unknown', city: 'unknown', continent: 'EU' }),
    ownHosts: ['short.example'],
    clock: Date.now,
    log: openLog('silent'),
    reports: { retire: async () => {} },
    toShortUrl: (host, slug) => `https://${host}/${slug}`,
  }
}

export async function seedLinks(sql: Sql): Promise<{ workspaceId: string; linkIds: string[] }> {
  const suffix = randomBytes(6).toString('hex')
  const workspaceId = `ws_${suffix}`
  const linkIds = [1, 2, 3].map((n) => `lnk_${suffix}_${n}`)
  await addWorkspace(sql, { id: workspaceId })
  for (const id of linkIds) await addLink(sql, { id, workspaceId })
  return { workspaceId, linkIds }
}

let serial = 0

export function makeClick(
  workspaceId: string,
  linkIds: readonly string[],
  changes: Partial<ClickRecord> = {},
): ClickRecord {
  const atMs = changes.atMs ?? Date.now()
  const linkId = linkIds[serial++ % linkIds.length]!
  return {
    clickId: ulid(atMs),
    atMs,
    workspaceId,
    linkId,
    host: 'short.example',
    slug: linkId,
    destination: 'https://example.com/',
    utm: ['', '', '', '', ''],
    trigger: 'link',
    ip: `203.0.113.${serial % 250}`,
    userAgent: CHROME,
    referrer: 'https://news.example.org/',
    language: 'de-DE,en;q=0.5',
    isPrefetch: false,
    domainId: '',
    route: 'default',
    country: '',
    isView: false,
    hasGpc: false,
    hasDnt: false,
    ...changes,
  }
}

export function encodeSegment(clicks: readonly ClickRecord[]): Buffer {
  const seed = randomBytes(4).readUInt32LE(0)
  const header = encodeHeader(seed)
  const target = Buffer.alloc(header.length + clicks.length * 4_000)
  header.copy(target)
  let at = header.length
  for (const click of clicks) at = encodeRecord(target, at, seed, click)
  return target.subarray(0, at)
}

/** Differences between the databases and the journaled clicks. */
export type Verdict = {
  missing: number
  twice: number
  surplus: number
  /** Human rows per link against the counters of PostgreSQL. */
  countersOff: number
}

export const JUST_RIGHT: Verdict = { missing: 0, twice: 0, surplus: 0, countersOff: 0 }

/** Compares the databases with the ids of the clicks that must be rows. */
export async function judge(
  { sql, clickhouse }: Pick<Bench, 'sql' | 'clickhouse'>,
  expected: readonly string[],
): Promise<Verdict> {
  const rows = await selectRows<{ click_id: string; link_id: string; kind: string }>(
    clickhouse,
    'select click_id, link_id, kind from clicks',
  )
  const seen = new Map<string, number>()
  const perLink = new Map<string, number>()
  for (const row of rows) {
    seen.set(row.click_id, (seen.get(row.click_id) ?? 0) + 1)
    if (row.kind === 'human') perLink.set(row.link_id, (perLink.get(row.link_id) ?? 0) + 1)
  }
  const counters = await sql<{ linkId: string; clicks: number }[]>`
    select link_id, clicks from link_clicks`
  let countersOff = 0
  for (const { linkId, clicks } of counters) {
    countersOff += Math.abs((perLink.get(linkId) ?? 0) - clicks)
    perLink.delete(linkId)
  }
  for (const clicks of perLink.values()) countersOff += clicks
  const wanted = new Set(expected)
  return {
    missing: expected.filter((id) => !seen.has(id)).length,
    twice: [...seen.values()].filter((times) => times > 1).length,
    surplus: [...seen.keys()].filter((id) => !wanted.has(id)).length,
    countersOff,
  }
}

/** All files under a journal as `folder/name`, without lock files. */
export function journalFiles(journalDir: string): string[] {
  return readdirSync(journalDir, { recursive: true })
    .map(String)
    .filter((name) => /\.(open|sealed|rows|tmp)$/.test(name))
    .toSorted()
}
