import type { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from './dependencies.ts'

/** A link that cannot be on the shared host. */
export type NotMoved = { slug: string; error: ApiError }

/**
 * Moves links to the shared host, each with its history, audit row and event, in a transaction of the caller,
 * which rolls back when a link cannot move.
 */
export async function moveToSharedHost(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  links: readonly { id: string; slug: string }[],
): Promise<NotMoved[]> {
  const changes = links.map(({ id }) => ({ id, input: { domainId: null } }))
  const outcomes = await updateMany(deps, tx, who, changes)
  return outcomes.flatMap((outcome, i) =>
    outcome.status === 'failed' ? [{ slug: links[i]!.slug, error: outcome.error }] : [],
  )
}
