import type { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from '../link/dependencies.ts'

export type NotMoved = { slug: string; error: ApiError }

/**
 * Moves links to the shared host, each with its history, audit row and event. The caller rolls back if one cannot
 * move.
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
