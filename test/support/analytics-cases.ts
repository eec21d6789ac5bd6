import {
  DIMENSION_NAMES,
  DIMENSIONS,
  type Dimension,
} from '../../src/analytics/questions/dimensions.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import type { Sql } from '../../src/platform/storage/postgres/postgres.ts'
import { addLink } from './fixtures.ts'
import {
  NO_LABELS,
  type Asked,
  type Click,
  type Link,
  type Values,
  type Way,
} from './analytics-recount.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/core/clock.ts'
import { storeClicks } from './clicks.ts'

/** Random clicks and questions about them. */

export const NOON = Date.parse('2026-11-21T12:00:00Z')
export const CREATED = NOON - 390 * DAY_MS
const ZONES = [
  'UTC',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Cairo',
]
/** Also in the second of two equal hours, in the half hour that Lord Howe repeats, and around Samoa's skipped day. */
const NOWS = [
  '2026-11-01T06:30:00Z',
  '2026-04-04T15:10:00Z',
  '2026-03-08T07:00:00Z',
  '2026-04-24T00:30:00Z',
  '2011-12-30T12:00:00Z',
  '2011-12-31T12:00:00Z',
  '2012-01-03T09:59:59.999Z',
].map((text) => Date.parse(text))

export const EMOJI = '🦜'.repeat(255)
/** Labels that visitors make up. */
export const TEXTS = [
  '',
  '',
  'unknown',
  '__proto__',
  'toString',
  'a\nb\r\n\tc',
  `"'\\`,
  '\\',
  '\\N',
  '\\n',
  'a,b',
  '-x',
  "');--",
  '{x:String}',
  '%2C&a=b+c#',
  '(other)',
  'ü\u2028',
  EMOJI,
]
const WORDS: { readonly [Name in Dimension]?: readonly string[] } = {
  country: ['', 'DE', 'US', 'unknown', 'FR'],
  continent: ['', 'EU', 'NA'],
  device: ['desktop', 'mobile', 'tablet', 'other', ''],
  trigger: ['link', 'qr'],
  route: ['default', 'default', 'geo', ''],
  domain: ['', '', 'default', 'dom_1'],
}

export type Roll = (sides: number) => number

/** A small generator, so that a failure can be repeated. */
export function dice(seed: number): Roll {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

function oneOf<T>(roll: Roll, values: readonly T[]): T {
  return values[roll(values.length)]!
}

export function randomClicks(roll: Roll, linkIds: readonly string[], count: number): Click[] {
  const visitors = Array.from({ length: 400 }, () => BigInt(roll(2 ** 30)) * 7_919n + 1n)
  return Array.from({ length: count }, () => {
    const aroundMs =
      roll(8) === 0
        ? oneOf(roll, NOWS) - roll(20 * DAY_MS) + 10 * DAY_MS
        : NOON - roll(400 * DAY_MS) + DAY_MS
    const labels = { ...NO_LABELS }
    for (const name of DIMENSION_NAMES) {
      const words = WORDS[name]
      const isMany = name === 'utmTerm' || name === 'city'
      labels[name] = words
        ? oneOf(roll, words)
        : isMany && roll(2) === 0
          ? `t${roll(150)}`
          : oneOf(roll, TEXTS)
    }
    return {
      linkId: oneOf(roll, linkIds),
      // Every third click is beside a quarter hour, where hours and days begin somewhere.
      atMs: roll(3) === 0 ? Math.round(aroundMs / 900_000) * 900_000 + roll(3) - 1 : aroundMs,
      kind: oneOf(roll, ['human', 'human', 'human', 'human', 'bot', 'preview', 'prefetch', 'view']),
      visitor: roll(12) === 0 ? 0n : oneOf(roll, visitors),
      labels,
    }
  })
}

export function store(clickhouse: ClickHouseClient, workspaceId: string, clicks: Click[]) {
  const rows = clicks.map(({ labels, ...click }) => ({
    ...{ workspaceId, ...click },
    ...Object.fromEntries(DIMENSION_NAMES.map((name) => [DIMENSIONS[name].column, labels[name]])),
  }))
  return storeClicks(clickhouse, rows)
}

/** Links in campaigns and folders, with tags; one is in nothing. */
export async function makeLinks(sql: Sql, workspaceId: string): Promise<Map<string, Link>> {
  const times = { createdAt: new Date(NOON), updatedAt: new Date(NOON) }
  for (const id of ['cmp_1', 'cmp_2', 'cmp_3'])
    await sql`insert into campaigns ${sql({ id, workspaceId, name: id, ...times })}`
  for (const id of ['fld_1', 'fld_2'])
    await sql`insert into folders ${sql({ id, workspaceId, name: id, nameKey: id, ...times })}`
  const links = new Map<string, Link>()
  for (let at = 0; at < 8; at++) {
    const id = await addLink(sql, { workspaceId, nowMs: NOON })
    const link = {
      id,
      campaignId: ['', 'cmp_1', 'cmp_2'][at % 3]!,
      folderId: ['', 'fld_1'][at % 2]!,
      tags: [[], ['spring'], ['spring', 'a, b'], ['autumn']][at % 4]!,
    }
    await sql`
      update links set campaign_id = ${link.campaignId || null}, folder_id = ${link.folderId || null},
        tags = ${link.tags}, status = ${at === 5 ? 'archived' : 'active'}
      where id = ${id}`
    links.set(id, link)
  }
  return links
}

export type Case = {
  name: 'overview' | 'timeseries' | 'breakdowns' | 'breakdown' | 'topLinks' | 'link' | 'campaign'
  asked: Asked
  nowMs: number
  way: Way
  subject: { linkId?: string }
  dimension: Dimension
  limit: number
  offset: number
}

export function randomCase(roll: Roll, links: Map<string, Link>): Case {
  const nowMs = roll(2) === 0 ? NOON : oneOf(roll, NOWS)
  const name = oneOf(roll, [
    'overview',
    'overview',
    'timeseries',
    'timeseries',
    'timeseries',
    'breakdowns',
    'breakdown',
    'breakdown',
    'topLinks',
    'link',
    'campaign',
  ] as const)
  const isOfLink =
    name === 'link' || (roll(4) === 0 && (name === 'timeseries' || name === 'breakdown'))
  const asked: Asked = {
    period: randomPeriod(roll, nowMs),
    includeBots: roll(3) === 0,
    labels: randomLabels(roll),
    links: isOfLink ? {} : randomSets(roll, links),
  }
  if (name === 'timeseries' && roll(3) > 0)
    asked.granularity = oneOf(roll, ['hour', 'day', 'week', 'month'])
  if (name === 'campaign')
    asked.links.campaignId = { values: [oneOf(roll, ['cmp_1', 'cmp_3'])], isExcluded: false }
  return {
    name,
    asked,
    nowMs,
    way: oneOf(roll, ['exact', 'estimated', 'estimated', 'sampled']),
    subject: isOfLink ? { linkId: oneOf(roll, [...links.keys()]) } : {},
    dimension: oneOf(roll, DIMENSION_NAMES),
    limit: oneOf(roll, [1, 3, 100, 1_000]),
    offset: oneOf(roll, [0, 0, 2, 200]),
  }
}

function randomPeriod(roll: Roll, nowMs: number): Asked['period'] {
  const timezone = oneOf(roll, ZONES)
  const instant = (ms: number) => new Date(ms).toISOString()
  const date = (ms: number) => instant(ms).slice(0, 10)
  const endMs = nowMs - roll(30 * DAY_MS)
  const startMs = endMs - 2 * DAY_MS - roll(oneOf(roll, [1, 60, 370]) * DAY_MS)
  switch (roll(6)) {
    case 0:
    case 1:
      return { days: oneOf(roll, [1, 2, 3, 30, 45, 90, 200, 366]), timezone }
    case 2:
      return {
        interval: oneOf(roll, ['24h', '7d', '30d', '90d', '1y', 'mtd', 'qtd', 'ytd', 'all']),
        timezone,
      }
    case 3:
      return { start: date(startMs), end: date(endMs), timezone }
    case 4:
      return { start: instant(startMs), end: instant(endMs), timezone }
    default:
      return oneOf(roll, [
        { start: date(startMs), timezone },
        { end: date(endMs), timezone },
        { end: instant(Math.floor(endMs / HOUR_MS) * HOUR_MS), timezone },
        { start: date(startMs), end: instant(endMs), timezone },
        { start: instant(Math.floor(startMs / DAY_MS) * DAY_MS), end: date(endMs), timezone },
      ])
  }
}

function randomLabels(roll: Roll): Asked['labels'] {
  const labels: Asked['labels'] = {}
  for (let left = oneOf(roll, [0, 0, 0, 1, 2]); left > 0; left--) {
    const name = oneOf(roll, DIMENSION_NAMES)
    const words = (WORDS[name] ?? TEXTS).filter((word) => word !== '')
    const values = [oneOf(roll, words), oneOf(roll, words)].slice(roll(2))
    labels[name] = { values, isExcluded: roll(2) === 0 }
  }
  return labels
}

function randomSets(roll: Roll, links: Map<string, Link>): Asked['links'] {
  const sets: Asked['links'] = {}
  const choices = {
    linkId: [...links.keys(), 'lnk_unknown'],
    campaignId: ['cmp_1', 'cmp_2', 'cmp_3', 'cmp_unknown'],
    folderId: ['fld_1', 'fld_2'],
    tag: ['spring', 'a, b', 'autumn', 'none'],
  }
  for (let left = oneOf(roll, [0, 0, 0, 1, 1, 2]); left > 0; left--) {
    const path = oneOf(roll, ['linkId', 'campaignId', 'folderId', 'tag'] as const)
    const values = [oneOf(roll, choices[path]), oneOf(roll, choices[path])].slice(roll(2))
    sets[path] = { values, isExcluded: roll(3) === 0 }
  }
  return sets
}

/** Values as a query has them: separated by commas, a hyphen before all to exclude them. */
function toFilter({ values, isExcluded }: Values): string {
  const escaped = values.map((value) => value.replace(/^-|[\\,]/g, '\\$&'))
  return (isExcluded ? '-' : '') + escaped.join(',')
}

export function toQuery({ period, includeBots, granularity, labels, links }: Asked) {
  const filters = Object.entries({ ...labels, ...links }).map(([path, values]) => [
    path,
    toFilter(values),
  ])
  return {
    days: 30,
    ...(period as object),
    timezone: period.timezone,
    includeBots,
    ...(granularity && { granularity }),
    ...(Object.fromEntries(filters) as object),
  }
}

/**
 * A client that answers the statement that counts clicks with a higher number, so that visitors are
 * estimated or sampled. So few of them are estimated exactly.
 */
export function pretending(client: ClickHouseClient, way: Way): ClickHouseClient {
  if (way === 'exact') return client
  const clicks = way === 'estimated' ? 1_000_000 : 8_000_000
  const query = async (params: { query: string }) => {
    const result = await client.query({ ...params, format: 'JSONEachRow' })
    const rows = await result.json<{ section?: string; label: string; clicks: number }>()
    const raised = rows.map((row) =>
      row.section === undefined && row.label === '' ? { ...row, clicks } : row,
    )
    return { json: async () => raised }
  }
  return { query } as never
}
