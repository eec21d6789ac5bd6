import {
  MAX_CLICKS_PER_DAY,
  createFingerprints,
  fingerprintDays,
  FINGERPRINT_PURPOSE,
  utcDayOf,
  type Fingerprints,
} from '../../platform/facts/click-identity.ts'
import { allOf, type Tx, type SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/core/clock.ts'
import { dropOldest } from '../../platform/core/functions.ts'
import type { Keys } from '../../platform/core/secrets.ts'
import { isPublicAddress } from '../../platform/facts/ip-address.ts'
import type { ClickRecord } from '../journal/format.ts'
import type { EnrichedClick } from './enrich.ts'
import { NO_VISITOR } from './visitor.ts'

/** Clicks beyond the daily limit are only counted. Those of a deleted link, workspace or key are skipped. */
export async function storeDeepLinks(
  tx: Tx,
  clicks: readonly DeepLinkClick[],
  maxPerDay = MAX_CLICKS_PER_DAY,
): Promise<void> {
  if (clicks.length === 0) return
  const list = tx`
    json_to_recordset(${JSON.stringify(clicks)}::text::json) as click (
      "workspaceId" text, "linkId" text, "clickId" text, "atMs" bigint, day date,
      platform text, language text, fingerprint text, agent text)`
  // Locked in one order, so that two shippers take turns.
  await allOf([
    tx`
    select from deep_link_keys k
    where (k.workspace_id, k.day) in (select "workspaceId", day from ${list})
    order by k.workspace_id, k.day for update`,
    tx`
    with fresh as (
      select click.*, k.clicks + row_number() over (
        partition by click."workspaceId", click.day order by click."clickId") as place
      from ${list}
      join deep_link_keys k on k.workspace_id = click."workspaceId" and k.day = click.day
      join links l on l.id = click."linkId" and l.workspace_id = click."workspaceId"
    ), counted as (
      update deep_link_keys k set clicks = last.place
      from (select "workspaceId", day, max(place) as place from fresh group by 1, 2) last
      where k.workspace_id = last."workspaceId" and k.day = last.day
    )
    insert into deep_link_clicks
      (workspace_id, click_id, link_id, clicked_at, platform, language, fingerprint, agent)
    select "workspaceId", "clickId", "linkId", to_timestamp("atMs" / 1000.0), platform, language,
      decode(fingerprint, 'base64'), decode(agent, 'base64')
    from fresh where place <= ${maxPerDay}
    on conflict do nothing`,
  ])
}

export type DeepLinkClick = {
  workspaceId: string
  linkId: string
  clickId: string
  atMs: number
  /** UTC day of the click, whose key makes the two digests. */
  day: string
  platform: 'ios' | 'android'
  language: string
  /** Digests of the address and the user agent, in base64. */
  fingerprint: string
  agent: string
}

const SALT_BYTES = 16
/** How long a workspace without a key is not queried again. */
const GONE_MS = 60_000
const CACHED_KEYS = 10_000

type Key = { fingerprints: Fingerprints | null; expiresAtMs: number }

export type DeepLinkFingerprints = ReturnType<typeof createDeepLinkFingerprints>

export function createDeepLinkFingerprints(deps: { sql: SystemSql; secrets: Keys; clock: Clock }) {
  const { sql, secrets, clock } = deps
  const root = secrets.keyFor(FINGERPRINT_PURPOSE)
  const cache = new Map<string, Key>()
  let cachedOn = ''

  return { load, identify }

  /** Creates missing keys. Days before yesterday have none. */
  async function load(records: readonly ClickRecord[]): Promise<void> {
    const nowMs = clock()
    const days = new Set(fingerprintDays(nowMs))
    forgetOldKeys(utcDayOf(nowMs))
    dropOldest(cache, CACHED_KEYS)
    const wanted = new Map<string, { workspaceId: string; day: string }>()
    for (const record of records) {
      if (!isDeepLink(record)) continue
      const day = utcDayOf(record.atMs)
      const name = toName(record.workspaceId, day)
      if (!days.has(day) || (cache.get(name)?.expiresAtMs ?? 0) > nowMs) continue
      wanted.set(name, { workspaceId: record.workspaceId, day })
    }
    if (wanted.size === 0) return
    const keys = await readKeys(sql, [...wanted.values()])
    for (const name of wanted.keys())
      cache.set(name, { fingerprints: null, expiresAtMs: nowMs + GONE_MS })
    for (const { workspaceId, day, salt } of keys)
      cache.set(toName(workspaceId, day), {
        fingerprints: createFingerprints(root, salt),
        expiresAtMs: Infinity,
      })
  }

  /** Undefined for a click that led to no app, has no public address, or opted out of recognition. */
  function identify(click: EnrichedClick): DeepLinkClick | undefined {
    const { record, kind, visitor, language } = click
    if (kind !== 'human' || visitor === NO_VISITOR || !isDeepLink(record)) return undefined
    const { workspaceId, linkId, clickId, atMs, ip, userAgent } = record
    const day = utcDayOf(atMs)
    const fingerprints = cache.get(toName(workspaceId, day))?.fingerprints
    if (!fingerprints) return undefined
    return {
      workspaceId,
      linkId,
      clickId,
      atMs,
      day,
      platform: record.route === 'ios' ? 'ios' : 'android',
      language,
      fingerprint: fingerprints.ofAddress(ip).toString('base64'),
      agent: fingerprints.ofAgent(userAgent).toString('base64'),
    }
  }

  /** Keys leave memory when they leave the table. */
  function forgetOldKeys(today: string): void {
    if (today !== cachedOn) cache.clear()
    cachedOn = today
  }
}

/** The first of several processes creates a key; all of them read its salt. */
async function readKeys(sql: SystemSql, wanted: readonly { workspaceId: string; day: string }[]) {
  const ids = wanted.map(({ workspaceId }) => workspaceId)
  const days = wanted.map(({ day }) => day)
  const salts = wanted.map(() => randomBytes(SALT_BYTES).toString('hex'))
  await sql`
    insert into deep_link_keys (workspace_id, day, salt)
    select w.id, fresh.day::date, decode(fresh.salt, 'hex')
    from unnest(${ids}::text[], ${days}::text[], ${salts}::text[]) as fresh (id, day, salt)
    join workspaces w on w.id = fresh.id
    order by w.id, fresh.day
    on conflict do nothing`
  return sql<{ workspaceId: string; day: string; salt: Buffer }[]>`
    select k.workspace_id, k.day::text as day, k.salt
    from unnest(${ids}::text[], ${days}::text[]) as wanted (id, day)
    join deep_link_keys k on k.workspace_id = wanted.id and k.day = wanted.day::date`
}

/** A shared network's address identifies nobody. */
function isDeepLink({ route, ip, isView, isPrefetch }: ClickRecord): boolean {
  return (route === 'ios' || route === 'android') && !isView && !isPrefetch && isPublicAddress(ip)
}

function toName(workspaceId: string, day: string): string {
  return `${workspaceId} ${day}`
}
