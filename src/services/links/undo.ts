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
import { takeOperation, toEarlier, type OperationVersion, type UndoData } from './versions.ts'
import type { UndoReason, UndoRow } from '../undo-shapes.ts'
import type { UndoAlongside } from '../undo-window.ts'

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
    const taken = await takeOperation(deps.clock, tx, who, operationId)
    const rows: UndoRow[] = []
    // New links first: they may have the slugs of others.
    for (const [kind, undo] of [
      ['created', deleteCreated],
      ['updated', revert],
      ['deleted', bringBack],
    ] as const) {
      const own = taken.filter((versions) => versions.at(-1)!.kind === kind)
      for (const some of inChunks(own)) rows.push(...(await undo(deps, tx, who, some)))
    }
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

/** Locks the links and leaves out those that are not as the operation left them. */
async function lockUnchanged(
  tx: Tx,
  who: Who,
  some: readonly OperationVersion[][],
  rows: UndoRow[],
): Promise<{ link: LinkRow; versions: OperationVersion[] }[]> {
  const ids = some.map(([last]) => last!.linkId)
  const present = await lockMany(tx, who, ids)
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

async function deleteCreated(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  some: readonly OperationVersion[][],
): Promise<UndoRow[]> {
  const rows: UndoRow[] = []
  const ids = (await lockUnchanged(tx, who, some, rows)).map(({ link }) => link.id)
  const outcomes = await deleteMany(deps, tx, who, ids)
  return [...rows, ...outcomes.map((outcome, i) => toRow(ids[i]!, 'deleted', outcome))]
}

async function revert(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  some: readonly OperationVersion[][],
): Promise<UndoRow[]> {
  const rows: UndoRow[] = []
  const unchanged = await lockUnchanged(tx, who, some, rows)
  const inputs = unchanged.map(({ link, versions }) => toEarlier(link, versions))
  const groups = await readGroups(tx, who, inputs)
  const { origin } = deps.shortHost()
  const hashes = new Map<number, string>()
  const changes = unchanged.map(({ link, versions }, i) => {
    // The oldest is the last one.
    const { passwordHash } = Object.assign(
      {},
      ...versions.map(({ undoData }) => undoData),
    ) as UndoData
    if (typeof passwordHash === 'string') hashes.set(i, passwordHash)
    const password: UpdateLink =
      passwordHash === undefined ? {} : { password: passwordHash === null ? null : KEPT_PASSWORD }
    return { id: link.id, input: { ...toRestored(inputs[i]!, groups, origin), ...password } }
  })
  const outcomes = await updateMany(deps, tx, who, changes, hashes)
  return [...rows, ...outcomes.map((outcome, i) => toRow(changes[i]!.id, 'restored', outcome))]
}

/** Links that cannot be brought back now stay deleted, and can be restored one by one. */
async function bringBack(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  some: readonly OperationVersion[][],
): Promise<UndoRow[]> {
  const deleted = some.map(([last]) => last!.undoData as LinkRow)
  const outcomes = await restoreMany(deps, tx, who, deleted)
  return outcomes.map((outcome, i) => toRow(deleted[i]!.id, 'restored', outcome))
}

function toRow(id: string, status: 'restored' | 'deleted', outcome: Outcome): UndoRow {
  if (outcome.status === 'failed') return skip(id, 'refused', outcome.error.message)
  return { id, status, shortUrl: outcome.link.shortUrl, reason: null, message: null }
}

function skip(id: string, reason: UndoReason, message: string): UndoRow {
  return { id, status: 'skipped', shortUrl: null, reason, message }
}
