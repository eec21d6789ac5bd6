import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { announceDomain } from '../../links/link/addresses.ts'
import { moveToSharedHost, type NotMoved } from '../../links/write/change.ts'
import { loadDomain } from './row.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'

export type RemovalDeps = LinkDeps & {
  movePagesToSharedHost: (tx: Tx, principal: Principal, domainId: string) => Promise<NotMoved[]>
}

const MAX_MOVED = 1_000
const MAX_LISTED = 100

export async function removeDomain(
  deps: RemovalDeps,
  principal: Principal,
  id: string,
  isForced: boolean,
): Promise<void> {
  const { workspaceId } = principal
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.limit(tx, workspaceId, 'domains', -1)
    // New links on the domain wait for the lock, and find it gone.
    const { hostname } = await loadDomain(tx, principal, id, 'for update')
    const links = await tx<{ id: string; slug: string }[]>`
      select id, slug from links where domain_id = ${id} and workspace_id = ${workspaceId}
      order by id limit ${MAX_MOVED + 1}`
    const pages = await tx`
      select from bio_pages where domain_id = ${id} and workspace_id = ${workspaceId} limit 1`
    if (links.length + pages.length > 0 && !isForced)
      throw inUse('Links or bio pages are on this domain; move or delete them, or use force.')
    if (links.length > MAX_MOVED)
      throw inUse(
        `A request moves at most ${MAX_MOVED} links; move or delete some of them in bulk first.`,
      )
    if (links.length > 0) requireMoved('links', await moveToSharedHost(deps, tx, principal, links))
    if (pages.length > 0) requireMoved('pages', await deps.movePagesToSharedHost(tx, principal, id))
    await tx`
      delete from link_addresses
      where domain_id = ${id} and workspace_id = ${workspaceId} and link_id is null`
    await tx`delete from domains where id = ${id} and workspace_id = ${workspaceId}`
    await announceDomain(tx, id)
    await deps.audit(tx, principal, {
      action: 'domain.deleted',
      target: { type: 'domain', id, name: hostname },
      changes: { hostname: { old: hostname, new: null } },
    })
  })
}

function requireMoved(noun: 'links' | 'pages', left: readonly NotMoved[]): void {
  if (left.length === 0) return
  const details = left
    .slice(0, MAX_LISTED)
    .map(({ slug, error }) => ({ path: 'force', message: error.message, code: 'taken', slug }))
  const message = `Some ${noun} cannot move to the shared host, so none was moved.`
  throw new ApiError('CONFLICT', message, details)
}

function inUse(message: string): ApiError {
  return new ApiError('CONFLICT', message, [{ path: 'force', message, code: 'in_use' }])
}

type Address = { slugKey: string; slug: string; linkId: string | null }
type Rekeyed = Address & { key: string }

const MAX_ADDRESSES = 20_000
const MAX_COLLISIONS = 100

export async function rekeyLinks(
  tx: Tx,
  principal: Principal,
  domainId: string,
  isCaseSensitive: boolean,
): Promise<void> {
  const { workspaceId } = principal
  const addresses = await tx<Address[]>`
    select slug_key, slug, link_id from link_addresses
    where domain_id = ${domainId} and workspace_id = ${workspaceId}
    order by slug_key limit ${MAX_ADDRESSES + 1} for update`
  if (addresses.length > MAX_ADDRESSES)
    throw new ApiError(
      'CONFLICT',
      `The case rule of a domain with more than ${MAX_ADDRESSES} slugs cannot be changed.`,
      [{ path: 'caseSensitive', message: 'The domain has too many links.', code: 'too_many' }],
    )
  const rekeyed = addresses.map((row) => ({ ...row, key: slugKeyOf(row.slug, isCaseSensitive) }))
  const { kept, dropped } = withoutCollisions(rekeyed)
  if (dropped.length > 0)
    await tx`
      delete from link_addresses
      where domain_id = ${domainId} and workspace_id = ${workspaceId}
        and slug_key = any(${dropped.map(({ slugKey }) => slugKey)}::text[])`
  const changed = kept.filter(({ slugKey, key }) => slugKey !== key)
  if (changed.length === 0) return
  const [from, to] = [changed.map(({ slugKey }) => slugKey), changed.map(({ key }) => key)]
  await tx`
    update link_addresses a set slug_key = r.new_key
    from unnest(${from}::text[], ${to}::text[]) as r (old_key, new_key)
    where a.domain_id = ${domainId} and a.workspace_id = ${workspaceId} and a.slug_key = r.old_key`
  await tx`
    update links l set slug_key = r.new_key
    from unnest(${from}::text[], ${to}::text[]) as r (old_key, new_key)
    where l.domain_id = ${domainId} and l.workspace_id = ${workspaceId} and l.slug_key = r.old_key`
}

function withoutCollisions(rows: readonly Rekeyed[]): { kept: Rekeyed[]; dropped: Rekeyed[] } {
  const byKey = Map.groupBy(rows, ({ key }) => key)
  const kept: Rekeyed[] = []
  const dropped: Rekeyed[] = []
  const collisions: string[] = []
  for (const same of byKey.values()) {
    const ofLinks = same.filter(({ linkId }) => linkId !== null)
    if (ofLinks.length > 1) collisions.push(...ofLinks.map(({ slug }) => slug))
    const [first = same[0]!] = ofLinks
    kept.push(first)
    dropped.push(...same.filter((row) => row !== first))
  }
  if (collisions.length === 0) return { kept, dropped }
  const details = collisions.slice(0, MAX_COLLISIONS).map((slug) => ({
    path: 'caseSensitive',
    message: `The slug ${slug} would be the same as another.`,
    code: 'collision',
    slug,
  }))
  throw new ApiError('CONFLICT', 'Some slugs of the domain differ only in case.', details)
}
