import { randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/core/clock.ts'
import { dropOldest } from '../../platform/core/memo.ts'
import type { Keys } from '../../platform/core/secrets.ts'
import {
  createFingerprints,
  fingerprintDays,
  FINGERPRINT_PURPOSE,
  utcDayOf,
  type Fingerprints,
} from '../../platform/facts/deep-link-fingerprint.ts'
import { isPublicAddress } from '../../platform/facts/network.ts'
import type { ClickRecord } from '../journal/format.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import type { EnrichedClick } from './enrich.ts'
import { NO_VISITOR } from './visitor.ts'

/** A click that led a phone to an app, with what recognizes the phone for two days. */
export type DeepLinkClick = {
  workspaceId: string
  linkId: string
  clickId: string
  atMs: number
  /** UTC day of the click, by whose key the two digests are made. */
  day: string
  platform: 'ios' | 'android'
  language: string
  /** Digests of the address and of the user agent, in base64. */
  fingerprint: string
  agent: string
}

const SALT_BYTES = 16
/** Time after which a workspace that has no key is asked for again. */
const GONE_MS = 60_000
const CACHED_KEYS = 10_000

type Key = { fingerprints: Fingerprints | null; expiresAtMs: number }

/** Fingerprints of deep links (src/platform/facts/deep-link-fingerprint.ts), in the pipeline of clicks. */
export type DeepLinkFingerprints = ReturnType<typeof createDeepLinkFingerprints>

export function createDeepLinkFingerprints(deps: { sql: SystemSql; secrets: Keys; clock: Clock }) {
  const { sql, secrets, clock } = deps
  const root = secrets.keyFor(FINGERPRINT_PURPOSE)
  const cache = new Map<string, Key>()
  let cachedOn = ''

  return { load, identify }

  /**
   * Loads the keys of the days of these clicks, and makes those that are missing. Days before yesterday have none.
   * @throws the error of PostgreSQL
   */
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

  /** Undefined for a click that led to no app, has no public address or asks not to be recognized. */
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

  /** Keys are gone from the memory as they are from the table. */
  function forgetOldKeys(today: string): void {
    if (today !== cachedOn) cache.clear()
    cachedOn = today
  }
}

/** Of several processes the first one makes a key; all of them read its salt. */
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

/** The address of a network that many share recognizes none of them. */
function isDeepLink({ route, ip, isView, isPrefetch }: ClickRecord): boolean {
  return (route === 'ios' || route === 'android') && !isView && !isPrefetch && isPublicAddress(ip)
}

function toName(workspaceId: string, day: string): string {
  return `${workspaceId} ${day}`
}
