import type { Secrets } from '../../platform/core/secrets.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  createFingerprints,
  FINGERPRINT_PURPOSE,
  fingerprintDays,
  MAX_CLICKS_PER_DAY,
} from '../../platform/facts/click-identity.ts'
import { isPublicAddress } from '../../platform/facts/ip-address.ts'
import {
  inWorkspace,
  type SystemSql,
  type TenantSql,
} from '../../platform/storage/postgres/postgres.ts'
import { CLICK_WINDOW_MS, type Found } from './found.ts'
import type { Platform } from './schema.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'

type Deps = {
  sql: TenantSql
  systemSql: SystemSql
  secrets: Secrets
  nowMs: number
}

/** A phone is recognized by its address for this long. */
const WINDOW_MS = 24 * 3_600_000

/** Null for none or several, and for a shared address: private, or with more than one user agent in a day. */
export async function findByFingerprint(
  deps: Deps,
  principal: Principal,
  { platform, language }: { platform: Platform; language: string },
): Promise<Found | null> {
  const { ip, workspaceId } = principal
  if (ip === null || !isPublicAddress(ip)) return null
  const fingerprints = await readFingerprints(deps, principal, ip)
  if (fingerprints === null || fingerprints.length === 0) return null
  const since = new Date(deps.nowMs - WINDOW_MS)
  const [answer] = await inWorkspace(
    deps.sql,
    workspaceId,
    (tx) => tx<{ isShared: boolean; candidates: Found[] | null }[]>`
      with seen as (
        select * from deep_link_clicks
        where workspace_id = ${workspaceId} and fingerprint in (
          select decode(hex, 'hex') from unnest(${fingerprints}::text[]) as own (hex))
      ), candidates as (
        select s.link_id, s.click_id, s.clicked_at from seen s
        where s.platform = ${platform} and s.language = ${language} and s.clicked_at > ${since}
          and not exists (
            select from deep_link_matches m
            where m.workspace_id = ${workspaceId} and m.click_id = s.click_id)
        limit 2
      )
      select
        exists (
          select from seen group by fingerprint having count(distinct agent) > 1) as is_shared,
        (select json_agg(json_build_object(
          'linkId', link_id, 'clickId', click_id, 'clickedAt', clicked_at)) from candidates
        ) as candidates`,
  )
  const [only, ...others] = answer!.candidates ?? []
  if (answer!.isShared || !only || others.length > 0) return null
  return { ...only, clickedAt: new Date(only.clickedAt!) }
}

/** Null when not all clicks of one of the days are stored. */
async function readFingerprints(
  { systemSql, secrets, nowMs }: Deps,
  { workspaceId }: Principal,
  ip: string,
): Promise<string[] | null> {
  const keys = await systemSql<{ salt: Buffer; clicks: number }[]>`
    select salt, clicks from deep_link_keys
    where workspace_id = ${workspaceId} and day::text = any(${fingerprintDays(nowMs)}::text[])`
  if (keys.some(({ clicks }) => clicks > MAX_CLICKS_PER_DAY)) return null
  const root = secrets.keyFor(FINGERPRINT_PURPOSE)
  return keys.map(({ salt }) => createFingerprints(root, salt).ofAddress(ip).toString('hex'))
}

/** Deletes the keys of fingerprints after two days, and what can no longer be matched. */
export async function deleteExpiredDeepLinks(
  { sql, clock }: { sql: SystemSql; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const nowMs = clock()
  const firstDay = fingerprintDays(nowMs).at(-1)!
  const since = new Date(nowMs - CLICK_WINDOW_MS)
  await inPieces(
    signal,
    () => sql`
      delete from deep_link_keys where ctid = any(array(
        select ctid from deep_link_keys where day < ${firstDay}::date limit ${PIECE_ROWS}))`,
  )
  await inPieces(
    signal,
    () => sql`
      delete from deep_link_clicks where ctid = any(array(
        select ctid from deep_link_clicks where clicked_at < ${firstDay}::date at time zone 'UTC'
        limit ${PIECE_ROWS}))`,
  )
  await inPieces(
    signal,
    () => sql`
      delete from deep_link_matches where ctid = any(array(
        select ctid from deep_link_matches where clicked_at <= ${since} limit ${PIECE_ROWS}))`,
  )
}
