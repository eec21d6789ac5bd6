import { ApiError } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import { deleteMany } from './delete.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from './dependencies.ts'
import { readGroups, toRestored } from './groups.ts'
import type { Outcome } from './outcomes.ts'
import { inChunks } from './named-links.ts'
import { restoreMany } from './restore.ts'
import type { LinkRow } from './row.ts'
import type { UpdateLink } from './schema.ts'
import { lockMany } from './stored.ts'
import { keepDeleted, type Previous } from './undo-log.ts'
import type { UndoReason, UndoRow } from '../undo-shapes.ts'
import { undoableSince, type UndoAlongside } from '../undo-window.ts'

type Deleted = { id: string; link: LinkRow }
type Changed = { linkId: string; previous: Previous | null; changedAt: Date }

/** Takes the place of a password in a request, whose hash is given. */
const KEPT_PASSWORD = 'kept'
const REASONS: Record<Exclude<UndoReason, 'refused'>, string> = {
  changed: 'The link was changed after the operation.',
  clicked: 'The link was visited after it was created.',
  deleted: 'The link was deleted after the operation.',
}

/**
 * Takes back what an operation on many links did less than an hour ago, once: deleted links return, changed
 * fields get their former values, and links that it created are deleted. A link that was changed since is
 * skipped, and so is a new one with clicks. Each link has the audit row and the event of a single request.
 * @param alongside takes back what the operation did beside the links, in the same transaction
 * @throws ApiError NOT_FOUND for an operation that is unknown, older, or taken back already
 */
export async function undoOperation(
  deps: LinkDeps,
  who: Who,
  operationId: string,
  alongside: UndoAlongside = async () => 0,
) {
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const { deleted, changed } = await take(deps, tx, who, operationId)
    const rows: UndoRow[] = []
    const created = changed.filter(({ previous }) => previous === null)
    const updated = changed.filter(({ previous }) => previous !== null)
    // New links first: they may have the slugs of others.
    for (const some of inChunks(created)) rows.push(...(await deleteCreated(deps, tx, who, some)))
    for (const some of inChunks(updated)) rows.push(...(await revert(deps, tx, who, some)))
    for (const some of inChunks(deleted)) rows.push(...(await bringBack(deps, tx, who, some)))
    const keptIds = rows.filter(({ status }) => status === 'skipped').map(({ id }) => id)
    const others = await alongside(tx, keptIds)
    if (rows.length + others === 0) throw nothingToUndo()
    const skipped = keptIds.length
    const meta = { total: rows.length, succeeded: rows.length - skipped, skipped }
    return deps.keepAnswer(tx, who, page(rows, meta))
  })
}

function nothingToUndo(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    'There is nothing to undo: the operation is unknown, more than an hour old, or undone already.',
  )
}

/** Takes the operation, so that no other request finds it. In the order of ids, in which links are locked. */
async function take(deps: LinkDeps, tx: Tx, { workspaceId }: Who, operationId: string) {
  const since = undoableSince(deps.clock)
  const changed = await tx<Changed[]>`
    delete from link_undo
    where operation_id = ${operationId} and workspace_id = ${workspaceId} and recorded_at > ${since}
    returning link_id, previous, changed_at`
  const deleted = await tx<Deleted[]>`
    delete from deleted_links
    where operation_id = ${operationId} and workspace_id = ${workspaceId} and deleted_at > ${since}
    returning id, link`
  const byId = (a: string, b: string) => (a < b ? -1 : 1)
  return {
    changed: [...changed].toSorted((a, b) => byId(a.linkId, b.linkId)),
    deleted: [...deleted].toSorted((a, b) => byId(a.id, b.id)),
  }
}

/** Locks the links and leaves out those that are not as the operation left them. */
async function lockUnchanged<Some extends Changed>(
  tx: Tx,
  who: Who,
  some: readonly Some[],
  rows: UndoRow[],
): Promise<Some[]> {
  const ids = some.map(({ linkId }) => linkId)
  const present = await lockMany(tx, who, ids)
  return some.filter(({ linkId, previous, changedAt }) => {
    const row = present.get(linkId)
    const reason =
      row === undefined
        ? 'deleted'
        : row.updatedAt.getTime() !== changedAt.getTime()
          ? 'changed'
          : previous === null && row.clicks > 0
            ? 'clicked'
            : null
    if (reason) rows.push(skip(linkId, reason, REASONS[reason]))
    return reason === null
  })
}

async function deleteCreated(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  some: readonly Changed[],
): Promise<UndoRow[]> {
  const rows: UndoRow[] = []
  const ids = (await lockUnchanged(tx, who, some, rows)).map(({ linkId }) => linkId)
  const outcomes = await deleteMany(deps, tx, who, ids)
  return [...rows, ...outcomes.map((outcome, i) => toRow(ids[i]!, 'deleted', outcome))]
}

async function revert(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  some: readonly Changed[],
): Promise<UndoRow[]> {
  const rows: UndoRow[] = []
  const unchanged = await lockUnchanged(tx, who, some, rows)
  const groups = await readGroups(
    tx,
    who,
    unchanged.map(({ previous }) => previous!.input),
  )
  const { origin } = deps.shortHost()
  const hashes = new Map<number, string>()
  const changes = unchanged.map(({ linkId, previous }, i) => {
    const { input, passwordHash } = previous!
    if (typeof passwordHash === 'string') hashes.set(i, passwordHash)
    const password: UpdateLink =
      passwordHash === undefined ? {} : { password: passwordHash === null ? null : KEPT_PASSWORD }
    return { id: linkId, input: { ...toRestored(input, groups, origin), ...password } }
  })
  const outcomes = await updateMany(deps, tx, who, changes, hashes)
  return [...rows, ...outcomes.map((outcome, i) => toRow(changes[i]!.id, 'restored', outcome))]
}

/** Links that cannot be brought back now stay deleted, and can be restored one by one. */
async function bringBack(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  some: readonly Deleted[],
): Promise<UndoRow[]> {
  const outcomes = await restoreMany(
    deps,
    tx,
    who,
    some.map(({ link }) => link),
  )
  const refused = some.filter((_, i) => outcomes[i]!.status === 'failed')
  if (refused.length > 0)
    await keepDeleted(
      tx,
      who,
      refused.map(({ link }) => link),
      null,
      new Date(deps.clock()),
    )
  return outcomes.map((outcome, i) => toRow(some[i]!.id, 'restored', outcome))
}

function toRow(id: string, status: 'restored' | 'deleted', outcome: Outcome): UndoRow {
  if (outcome.status === 'failed') return skip(id, 'refused', outcome.error.message)
  return { id, status, shortUrl: outcome.link.shortUrl, reason: null, message: null }
}

function skip(id: string, reason: UndoReason, message: string): UndoRow {
  return { id, status: 'skipped', shortUrl: null, reason, message }
}
