import type { Who } from '../../base/who.ts'
import { checkSlug } from '../../facts/slug.ts'
import { inWorkspace } from '../../storage/postgres.ts'
import type { SlugQuery } from './bulk-schema.ts'
import type { LinkDeps } from './dependencies.ts'
import { readTakenKeys } from './slugs.ts'
import { refuseUnavailable } from './unavailable.ts'

type Reason = 'taken' | 'reserved' | 'invalid'

/**
 * Says whether the workspace could give a link this slug. It tells what a creation would tell: of a slug
 * of another workspace only that it is taken.
 * @throws ApiError VALIDATION_ERROR for a domain that is not available
 */
export async function checkSlugFor(
  { sql, clock, shortHost }: Pick<LinkDeps, 'sql' | 'clock' | 'shortHost'>,
  who: Who,
  { slug, domainId }: SlugQuery,
) {
  refuseUnavailable({ domainId: domainId ?? null }, shortHost().domain)
  const answer = (reason: Reason | null) => ({ slug, available: reason === null, reason })
  const checked = checkSlug(slug)
  if ('problem' in checked) return answer(checked.isReserved ? 'reserved' : 'invalid')
  const address = { domainId: '', key: checked.key, linkId: '' }
  const taken = await inWorkspace(sql, who.workspaceId, (tx) =>
    readTakenKeys(tx, who, [address], new Date(clock())),
  )
  return answer(taken.size > 0 ? 'taken' : null)
}
