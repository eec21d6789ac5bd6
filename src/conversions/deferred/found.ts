import type { ClickReader } from '../../analytics/questions/reader.ts'
import { timeOfUlid } from '../../platform/core/ids.ts'
import type { NamedClick } from '../../platform/facts/click-identity.ts'
import { namedClickSql } from '../conversions/clicks.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import type { SystemSql, Tx } from '../../platform/storage/postgres/postgres.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import { findShortLink, type ToDomain } from '../../links/link/addresses.ts'

/** A click that may answer the app, or with `clickId` null the link alone. */
export type Found = { linkId: string; clickId: string | null; clickedAt: Date | null }

/** A click answers an app for this long. */
export const CLICK_WINDOW_MS = 30 * 24 * 3_600_000

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
export async function readLink(
  tx: Tx,
  principal: Principal,
  linkId: string,
): Promise<DeferredRow | null> {
  const [row] = await tx<DeferredRow[]>`
    select l.id, l.slug, d.hostname, l.destination_url, l.options, l.metadata, l.status, l.expires_at,
      l.password_hash is not null as has_password
    from links l left join domains d on d.id = l.domain_id and d.workspace_id = l.workspace_id
    where l.id = ${linkId} and l.workspace_id = ${principal.workspaceId}`
  if (row) return row.status === 'blocked' ? null : row
  if ((await readForeign(tx, ['links'], [linkId])).size > 0) throw foreignLink()
  return null
}

/** For a request that proves no click: a password, a time or a limit protects the destination. */
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
