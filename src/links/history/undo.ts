import { ApiError } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import type { UndoReason, UndoRow } from '../write/bulk-schema.ts'
import { revertImportedClicks } from '../imports/imported-clicks.ts'
import { UTM_FIELDS } from '../labels.ts'
import { deleteMany } from '../write/delete.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { readDomains, readGroups, toRestored } from '../write/references.ts'
import { inChunks } from '../write/refusals.ts'
import type { Outcome } from '../write/outcomes.ts'
import { restoreMany } from './restore.ts'
import { lockMany, type LinkRow } from '../link/rows.ts'
import { RESTORED_FIELDS, type UpdateLink } from '../link/schema.ts'
import { updateMany } from '../write/update.ts'
import { takeOperation, type Kind, type OperationVersion, type UndoData } from './versions.ts'

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
