import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import type { UndoReason, UndoRow } from '../write/bulk-schema.ts'
import { revertImportedClicks } from '../imports/rows.ts'
import { UTM_FIELDS } from '../labels.ts'
import { deleteMany, updateMany } from '../write/change.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import {
  leaveOutImages,
  readDomains,
  readGroups,
  toDomainColumns,
  toRestored,
  type Groups,
  type LinkDomain,
} from '../write/references.ts'
import { inChunks, refuseTaken } from '../write/refusals.ts'
import { failed, requireLink, type Outcome } from '../write/outcomes.ts'
import { lockMany, show, type LinkRow } from '../link/rows.ts'
import { RESTORED_FIELDS, type Link, type UpdateLink } from '../link/schema.ts'
import {
  dropDeletions,
  findOwner,
  lockDeletions,
  takeOperation,
  type Kind,
  type OperationVersion,
  type UndoData,
} from './versions.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import { undoableSince } from './expiry.ts'
import { insertLinks } from '../write/create.ts'
import { toAddresses } from '../link/addresses.ts'

/** A link and its last versions, newest first. Without `undoData` the password is kept. */
type Reverted = {
  link: LinkRow
  versions: readonly { changes: Changes; undoData?: UndoData | LinkRow }[]
}

/** New links first, since they may have the slugs of others. */
const KINDS = ['created', 'updated', 'deleted'] as const
/** Stands in for a password whose hash is given. */
const KEPT_PASSWORD = 'kept'
const REASONS: Record<Exclude<UndoReason, 'refused'>, string> = {
  changed: 'The link was changed after the operation.',
  clicked: 'The link was visited after it was created.',
  deleted: 'The link was deleted after the operation.',
}

/**
 * Undoes an operation on many links of the last hour, once: restores deleted links and the former values of changed
 * fields, and deletes links that it created. Skips links that were changed since, and new ones with clicks. Each link
 * gets the audit row and the event of a single request.
 */
export async function undoOperation(deps: LinkDeps, principal: Principal, operationId: string) {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const taken = await takeOperation(deps, tx, principal, operationId)
    const rows: UndoRow[] = []
    for (const kind of KINDS) {
      const own = taken.filter((versions) => versions.at(-1)!.kind === kind)
      for (const some of inChunks(own)) {
        const links =
          kind === 'deleted'
            ? some.map((versions) => ({ link: versions[0]!.undoData as LinkRow, versions }))
            : await lockUnchanged(tx, principal, some, rows)
        const outcomes = await undoKind(deps, tx, principal, kind, links)
        rows.push(...outcomes.map((outcome, i) => toRow(links[i]!.link.id, kind, outcome)))
      }
    }
    const keptIds = rows.filter(({ status }) => status === 'skipped').map(({ id }) => id)
    const imported = await revertImportedClicks(tx, principal, operationId, keptIds, deps.clock)
    if (rows.length + imported === 0) throw nothingToUndo()
    const skipped = keptIds.length
    const meta = { total: rows.length, succeeded: rows.length - skipped, skipped }
    return deps.saveIdempotentResponse(tx, principal, page(rows, meta))
  })
}

function nothingToUndo(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    'There is nothing to undo: the operation is unknown, more than an hour old, or undone already.',
  )
}

async function lockUnchanged(
  tx: Tx,
  principal: Principal,
  some: readonly OperationVersion[][],
  rows: UndoRow[],
): Promise<Reverted[]> {
  const ids = some.map(([last]) => last!.linkId)
  // Domains first, as in every change of links.
  const [, present] = await allOf([
    readDomains(tx, principal, [], ids),
    lockMany(tx, principal, ids),
  ])
  return some.flatMap((versions, i) => {
    const link = present.get(ids[i]!)
    const reason = whyKept(link, versions)
    if (reason === null) return [{ link: link!, versions }]
    rows.push(skip(ids[i]!, reason, REASONS[reason]))
    return []
  })
}

function whyKept(link: LinkRow | undefined, versions: readonly OperationVersion[]) {
  if (!link) return 'deleted'
  const { updatedAt } = versions[0]!.undoData as UndoData
  if (link.updatedAt.toISOString() !== updatedAt) return 'changed'
  return versions.at(-1)!.kind === 'created' && link.clicks > 0 ? 'clicked' : null
}

/** Deleted links that cannot be restored now stay deleted, and can be restored one by one. */
function undoKind(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  kind: Kind,
  undone: readonly Reverted[],
) {
  if (kind === 'updated') return revertMany(deps, tx, principal, undone)
  const links = undone.map(({ link }) => link)
  if (kind === 'deleted') return restoreMany(deps, tx, principal, links)
  const ids = links.map(({ id }) => id)
  return deleteMany(deps, tx, principal, ids)
}

function toRow(id: string, kind: Kind, outcome: Outcome): UndoRow {
  if (outcome.status === 'failed') return skip(id, 'refused', outcome.error.message)
  const status = kind === 'created' ? 'deleted' : 'restored'
  return { id, status, shortUrl: outcome.link.shortUrl, reason: null, message: null }
}

function skip(id: string, reason: UndoReason, message: string): UndoRow {
  return { id, status: 'skipped', shortUrl: null, reason, message }
}

/** An ordinary update to the fields before the last versions, without folders, domains and images that are gone. */
export async function revertMany(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  reverted: readonly Reverted[],
): Promise<Outcome[]> {
  const ids = reverted.map(({ link }) => link.id)
  const inputs = reverted.map(toFormerFields)
  const groups = await readGroups(tx, principal, inputs, ids)
  const { origin } = deps.shortHost()
  const hashes = new Map<number, string>()
  const changes = reverted.map(({ versions }, i) => {
    const hash = toFormerHash(versions)
    if (typeof hash === 'string') hashes.set(i, hash)
    const password = hash === undefined ? {} : { password: hash === null ? null : KEPT_PASSWORD }
    return { id: ids[i]!, input: { ...toRestored(inputs[i]!, groups, origin), ...password } }
  })
  return updateMany(deps, tx, principal, changes, hashes)
}

function toFormerFields({ link, versions }: Reverted): UpdateLink {
  const changed = versions.flatMap(({ changes }) => Object.entries(changes))
  const fields: Record<string, unknown> = Object.fromEntries(
    changed.filter(([name]) => RESTORED_FIELDS.has(name)).map(([name, { old }]) => [name, old]),
  )
  // Otherwise the campaign would set UTM fields that the link did not have.
  if ('campaignId' in fields)
    for (const name of UTM_FIELDS) if (!(name in fields)) fields[name] = link[name]
  if (fields['status'] === 'expired') fields['status'] = 'active'
  if (fields['status'] === 'blocked' || link.status === 'blocked') delete fields['status']
  return fields
}

function toFormerHash(versions: Reverted['versions']): string | null | undefined {
  const hashes = versions.map(({ undoData }) => (undoData as UndoData | undefined)?.passwordHash)
  return hashes.findLast((hash) => hash !== undefined)
}

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
async function restoreMany(
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
