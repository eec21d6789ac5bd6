import type { Clock } from '../../platform/core/clock.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

/** The time in which a deletion and an operation on many links can be taken back. */
const UNDO_MS = 3_600_000

/** The oldest time of what can still be taken back. */
export function undoableSince(clock: Clock): Date {
  return new Date(clock() - UNDO_MS)
}

/**
 * The part of an undo that another resource has.
 * @param keptIds links that are left alone
 * @returns how many rows it took back
 */
export type UndoAlongside = (tx: Tx, keptIds: readonly string[]) => Promise<number>
