import type { ClickReader } from '../../analytics/questions/reader.ts'
import { timeOfUlid } from '../../platform/core/ids.ts'
import {
  createFingerprints,
  FINGERPRINT_PURPOSE,
  fingerprintDays,
  MAX_CLICKS_PER_DAY,
  type NamedClick,
} from '../../platform/facts/click-identity.ts'
import { namedClickSql } from '../conversions/clicks.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import {
  inWorkspace,
  type SystemSql,
  type TenantSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import { findShortLink, type ToDomain } from '../../links/link/addresses.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { isPublicAddress } from '../../platform/facts/ip-address.ts'
import type { Platform } from './schema.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'

/** A click that may answer the app, or with `clickId` null the link alone. */
export type Found = { linkId: string; clickId: string | null; clickedAt: Date | null }

/** A click answers an app for this long. */
const CLICK_WINDOW_MS = 30 * 24 * 3_600_000

export type DeferredRow = {
  id: string
  slug: string
  hostname: string | null
  destinationUrl: string
  options: LinkOptions | null
  metadata: Record<string, unknown> | null
  status: string
  expiresAt: Date | null
  hasPassword: boolean
}

/** Null if unknown, of a bot or older than 30 days. A signature proves click and link, even before it is stored. */
export async function findNamed(
  { reader, nowMs }: { reader: ClickReader; nowMs: number },
  principal: Principal,
  { clickId, linkId }: NamedClick,
  signal: AbortSignal | undefined,
): Promise<Found | null> {
  const atMs = timeOfUlid(clickId)
  if (atMs <= nowMs - CLICK_WINDOW_MS) return null
  if (linkId !== null) return { linkId, clickId, clickedAt: new Date(atMs) }
  const rows = await reader.run(principal, signal, (read) =>
    read<{ linkId: string; atMs: number }>({
      query: `
        select link_id as linkId, toUnixTimestamp64Milli(at) as atMs from clicks
        where workspace_id = {workspaceId:String} and kind = 'human'
          and ${namedClickSql({ clickId, linkId })}
        limit 1`,
      params: { workspaceId: principal.workspaceId },
    }),
  )
  const [row] = rows
  return row ? { linkId: row.linkId, clickId, clickedAt: new Date(row.atMs) } : null
}

export async function findByUrl(
  deps: { systemSql: SystemSql; toDomain: ToDomain },
  principal: Principal,
  url: URL,
): Promise<Found | null> {
  const link = await findShortLink(deps, url)
  if (link === null) return null
  if (link.workspaceId !== principal.workspaceId) throw foreignLink()
  return { linkId: link.linkId, clickId: null, clickedAt: null }
}

/** Null for a deleted or blocked link. */
export async function readLink(tx: Tx, principal: Principal, linkId: string) {
  const [row] = await tx<DeferredRow[]>`
    select l.id, l.slug, d.hostname, l.destination_url, l.options, l.metadata, l.status, l.expires_at,
      l.password_hash is not null as has_password
    from links l left join domains d on d.id = l.domain_id and d.workspace_id = l.workspace_id
    where l.id = ${linkId} and l.workspace_id = ${principal.workspaceId}`
  if (row) return row.status === 'blocked' ? null : row
  if ((await readForeign(tx, ['links'], [linkId])).size > 0) throw foreignLink()
  return null
}

/**
 * Whether the link may be shown to an app that proves no click: a password, a time or a limit protects the
 * destination.
 */
export function isOpen({ status, expiresAt, options, hasPassword }: DeferredRow, nowMs: number) {
  const { startsAt, maxClicks } = options ?? {}
  return (
    (status === 'active' || status === 'archived') &&
    !hasPassword &&
    maxClicks === undefined &&
    (expiresAt === null || expiresAt.getTime() > nowMs) &&
    (startsAt === undefined || Date.parse(startsAt) <= nowMs)
  )
}

function foreignLink(): ApiError {
  return new ApiError('FORBIDDEN', 'This link belongs to another workspace.')
}

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
