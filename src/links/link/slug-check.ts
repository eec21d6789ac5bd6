import type { Principal } from '../../platform/routes/principal.ts'
import { checkSlug } from '../../platform/facts/slug.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import type { SlugQuery } from '../write/bulk-schema.ts'
import type { LinkDeps } from './dependencies.ts'
import { chooseDomain, toDomainColumns } from '../write/domains.ts'
import { readGroups } from '../write/groups.ts'
import { readTakenKeys } from './slugs.ts'

type Reason = 'taken' | 'reserved' | 'invalid'

/**
 * Says whether the workspace could give a link this slug. It tells what a creation would tell: of a slug
 * of another workspace only that it is taken.
 * @throws ApiError VALIDATION_ERROR for an unknown domain, FORBIDDEN for one of another workspace
 */
export async function checkSlugFor(
  { sql, clock, shortHost }: Pick<LinkDeps, 'sql' | 'clock' | 'shortHost'>,
  principal: Principal,
  { slug, ...named }: SlugQuery,
) {
  const answer = (reason: Reason | null) => ({ slug, available: reason === null, reason })
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const groups = await readGroups(tx, principal, [named])
    const domain = chooseDomain(named, null, shortHost(), groups) ?? null
    const { domainId, isCaseSensitive } = toDomainColumns(domain)
    const checked = checkSlug(slug, domain === null ? 'shared' : 'branded', isCaseSensitive)
    if ('problem' in checked) return answer(checked.isReserved ? 'reserved' : 'invalid')
    const address = { domainId: domainId ?? '', key: checked.key, linkId: '' }
    const taken = await readTakenKeys(tx, principal, [address], new Date(clock()))
    return answer(taken.size > 0 ? 'taken' : null)
  })
}
