import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import { allOf, inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { undoableSince } from './expiry.ts'
import { insertLinks } from '../write/create.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import {
  leaveOutImages,
  readGroups,
  toDomainColumns,
  type Groups,
  type LinkDomain,
} from '../write/references.ts'
import { failed, requireLink, type Outcome } from '../write/outcomes.ts'
import { show, type LinkRow } from '../link/rows.ts'
import type { Link } from '../link/schema.ts'
import { toAddresses } from '../link/addresses.ts'
import { refuseTaken } from '../write/refusals.ts'
import { dropDeletions, findOwner, lockDeletions } from './versions.ts'

type Candidate = { index: number; row: LinkRow }
type Counters = Pick<LinkRow, 'id' | 'clicks' | 'lastClickedAt' | 'served'>

/** An existing link passes, since {@link restoreLink} has the error for it. */
export async function findDeleted(
  { sql }: LinkDeps,
  principal: Principal,
  params: Record<string, string>,
): Promise<void> {
  const owner = await findOwner(sql, params['id'] ?? '')
  if (owner === null) throw notDeleted()
  if (owner !== principal.workspaceId)
    throw new ApiError('FORBIDDEN', 'This link belongs to another workspace.')
}

/** Restores a link that was deleted in the last hour. The plan is not charged: the deletion gave nothing back. */
export async function restoreLink(deps: LinkDeps, principal: Principal, id: string): Promise<Link> {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [gone] = await lockDeletions(tx, principal, [id])
    if (!gone || gone.deletedAt <= undoableSince(deps.clock))
      throw await explainMissing(tx, principal, id)
    const [outcome] = await restoreMany(deps, tx, principal, [gone.link])
    return deps.saveIdempotentResponse(tx, principal, requireLink(outcome))
  })
}

/** The caller has locked the deletions. A link whose slug, alias or externalId is taken stays deleted. */
export async function restoreMany(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  stored: readonly LinkRow[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const present = await toPresentRows(deps, tx, principal, stored, outcomes)
  const toWanted = ({ row }: Candidate) => ({
    row,
    addresses: toAddresses(row),
    externalId: row.externalId,
  })
  const now = new Date(deps.clock())
  const free = await refuseTaken(tx, principal, present, toWanted, { outcomes, now })
  await insertRestored(deps, tx, principal, free, outcomes)
  return outcomes
}

/** Rows with present clicks and case rule, without groups that are gone. A link whose domain is gone fails. */
async function toPresentRows(
  { shortHost }: LinkDeps,
  tx: Tx,
  principal: Principal,
  stored: readonly LinkRow[],
  outcomes: Outcome[],
): Promise<Candidate[]> {
  const groups = await readGroups(tx, principal, stored.map(toNames))
  const counters = await tx<Counters[]>`
    select own.id, coalesce(c.clicks, 0) as clicks, c.last_clicked_at, q.served
    from unnest(${stored.map(({ id }) => id)}::text[]) as own (id)
    left join link_clicks c on c.link_id = own.id and c.workspace_id = ${principal.workspaceId}
    left join link_quotas q on q.link_id = own.id and q.workspace_id = ${principal.workspaceId}`
  const byId = new Map(counters.map((row) => [row.id, row]))
  return stored.flatMap((row, index) => {
    const domain = groups.domains.find(({ id }) => id === row.domainId) ?? null
    if (row.domainId === null || domain !== null) {
      const present = toPresentRow(row, domain, groups, shortHost().origin)
      return [{ index, row: { ...present, ...byId.get(row.id) } }]
    }
    outcomes[index] = failed(domainGone())
    return []
  })
}

function toNames({ folderId, campaignId, domainId, options }: LinkRow) {
  const { card = null, qrLogoMediaId = null } = options ?? {}
  return { folderId, campaignId, domainId, card, qrLogoMediaId }
}

function toPresentRow(
  row: LinkRow,
  domain: LinkDomain | null,
  { folders, campaigns, images }: Groups,
  origin: string,
): LinkRow {
  const host = toDomainColumns(domain)
  return {
    ...row,
    ...host,
    slugKey: slugKeyOf(row.slug, host.isCaseSensitive),
    expiresAt: toDateOrNull(row.expiresAt),
    archivedAt: toDateOrNull(row.archivedAt),
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    options: toPresentOptions(row.options, images, origin),
    folderId: row.folderId !== null && folders.has(row.folderId) ? row.folderId : null,
    campaignId: row.campaignId !== null && campaigns.has(row.campaignId) ? row.campaignId : null,
  }
}

function toPresentOptions(
  options: LinkOptions | null,
  images: ReadonlySet<string>,
  origin: string,
): LinkOptions | null {
  if (options === null) return null
  const present = Object.entries({ ...options, ...leaveOutImages(options, images, origin) })
  const kept = present.filter(([, value]) => value !== null)
  return kept.length === 0 ? null : (Object.fromEntries(kept) as LinkOptions)
}

function domainGone(): ApiError {
  const message = 'The domain of this link is deleted.'
  return new ApiError('CONFLICT', message, [{ path: 'domainId', message, code: 'gone' }])
}

/** The row comes from JSON, so its times are texts. */
function toDateOrNull(time: Date | null): Date | null {
  return time === null ? null : new Date(time)
}

async function insertRestored(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  candidates: readonly Candidate[],
  outcomes: Outcome[],
): Promise<void> {
  if (candidates.length === 0) return
  const rows = candidates.map(({ row }) => row)
  const ids = rows.map(({ id }) => id)
  const links = rows.map((row) => show(deps, row))
  await allOf([
    insertLinks(deps, tx, principal, rows, links, 'link.restored'),
    dropDeletions(tx, principal, ids),
    // A trigger has inserted the ranks without clicks.
    tx`
      update link_ranks r set clicks = c.clicks, last_clicked_at = c.last_clicked_at
      from link_clicks c
      where r.link_id = c.link_id and r.workspace_id = ${principal.workspaceId}
        and c.link_id = any(${ids}::text[])`,
  ])
  for (const [i, { index }] of candidates.entries())
    outcomes[index] = { status: 'created', link: links[i]! }
}

async function explainMissing(tx: Tx, { workspaceId }: Principal, id: string): Promise<ApiError> {
  const live = await tx`
    select from links where id = ${id} and workspace_id = ${workspaceId}`
  if (live.length === 0) return notDeleted()
  return new ApiError('CONFLICT', 'This link is not deleted.', { reason: 'not_deleted' })
}

function notDeleted(): ApiError {
  return new ApiError('NOT_FOUND', 'No link with this id was deleted in the last hour.')
}
