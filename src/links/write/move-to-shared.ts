import type { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from '../link/dependencies.ts'

/** A link that cannot be on the shared host. */
export type NotMoved = { slug: string; error: ApiError }

/**
 * Moves links to the shared host, each with its history, audit row and event, in a transaction of the caller,
 * which rolls back when a link cannot move.
 */
export async function moveToSharedHost(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  links: readonly { id: string; slug: string }[],
): Promise<NotMoved[]> {
  const changes = links.map(({ id }) => ({ id, input: { domainId: null } }))
  const outcomes = await updateMany(deps, tx, principal, changes)
  return outcomes.flatMap((outcome, i) =>
    outcome.status === 'failed' ? [{ slug: links[i]!.slug, error: outcome.error }] : [],
  )
}
