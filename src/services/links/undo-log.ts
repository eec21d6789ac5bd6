import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Changes } from '../audit.ts'
import { UTM_FIELDS } from '../utm.ts'
import type { LinkRow } from './row.ts'
import { undoableSince } from '../undo-window.ts'
import { RESTORED_FIELDS, type UpdateLink } from './schema.ts'

/** The former values of a link; the hash of a password where that has changed. */
export type Previous = { input: UpdateLink; passwordHash?: string | null }

/** A link that an operation has changed, or created (`previous` null), with its `updatedAt` after that. */
type Undoable = { linkId: string; previous: Previous | null; changedAt: Date }

/** The id of an operation on many links. */
export function newOperationId(clock: Clock): string {
  return newId('und', clock())
}

/** Keeps links that the transaction deletes. @param operationId null for a single deletion */
export async function keepDeleted(
  tx: Tx,
  { workspaceId }: Who,
  rows: readonly LinkRow[],
  operationId: string | null,
  now: Date,
): Promise<void> {
  await tx`
    insert into deleted_links (id, workspace_id, link, operation_id, deleted_at)
    select id, ${workspaceId}, link::json, ${operationId}, ${now}
    from unnest(${rows.map(({ id }) => id)}::text[],
      ${rows.map((row) => JSON.stringify(row))}::text[]) as gone (id, link)`
}

/** Notes what an operation has changed, in its transaction. A link that it changes again keeps its first values. */
export async function keepUndoable(
  tx: Tx,
  { workspaceId }: Who,
  operationId: string,
  changed: readonly Undoable[],
  now: Date,
): Promise<void> {
  if (changed.length === 0) return
  const previous = changed.map((change) => change.previous && JSON.stringify(change.previous))
  await tx`
    insert into link_undo (operation_id, link_id, workspace_id, previous, changed_at, recorded_at)
    select ${operationId}, link_id, ${workspaceId}, previous::json, changed_at::timestamptz, ${now}
    from unnest(${changed.map(({ linkId }) => linkId)}::text[], ${previous}::text[],
      ${changed.map(({ changedAt }) => changedAt.toISOString())}::text[])
      as changed (link_id, previous, changed_at)
    on conflict (operation_id, link_id) do update
      set changed_at = excluded.changed_at, recorded_at = excluded.recorded_at`
}

/** Operations that created or changed links and can still be taken back. */
export async function findUndoable(
  clock: Clock,
  tx: Tx,
  { workspaceId }: Who,
  operationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ operationId: string }[]>`
    select operation_id from unnest(${[...operationIds]}::text[]) as asked (operation_id)
    where exists (
      select from link_undo
      where link_undo.operation_id = asked.operation_id and workspace_id = ${workspaceId}
        and recorded_at > ${undoableSince(clock)})`
  return new Set(rows.map(({ operationId }) => operationId))
}

/**
 * The values before a change, as a request that restores them. With a campaign all UTM fields are among
 * them: otherwise the campaign would set those that the link did not have.
 */
export function toPrevious(
  before: LinkRow,
  changes: Changes,
  isPasswordChanged: boolean,
): Previous {
  const fields = Object.entries(changes)
    .filter(([name]) => RESTORED_FIELDS.has(name))
    .map(([name, { old }]) => [name, name === 'status' ? before.status : old] as const)
  const input: Record<string, unknown> = Object.fromEntries(fields)
  if ('campaignId' in input) for (const name of UTM_FIELDS) input[name] = before[name]
  // Only the operator sets it.
  if (input['status'] === 'blocked') delete input['status']
  return { input, ...(isPasswordChanged && { passwordHash: before.passwordHash }) }
}
