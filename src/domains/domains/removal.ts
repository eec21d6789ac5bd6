import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { announceDomain } from '../../links/link-changes.ts'
import { loadDomain } from './row.ts'

type OwnLink = { id: string; slug: string }

export type RemovalDeps = Pick<Dependencies, 'sql' | 'audit' | 'limit'> & {
  /** @returns the links that cannot be on the shared host; the caller rolls back then */
  moveToSharedHost: (
    tx: Tx,
    principal: Principal,
    links: readonly OwnLink[],
  ) => Promise<{ slug: string; error: ApiError }[]>
  /** As `moveToSharedHost`, for the bio pages of a domain. */
  movePagesToSharedHost: (
    tx: Tx,
    principal: Principal,
    domainId: string,
  ) => Promise<{ slug: string; error: ApiError }[]>
}

/** Links that one request moves, as many as one of the bulk routes changes. */
const MAX_MOVED = 1_000
/** Slugs that the error lists. */
const MAX_LISTED = 100

/**
 * Deletes a domain. With `isForced` its links and pages move to the shared host in the same transaction, all of them or none.
 * @throws ApiError CONFLICT while links or pages are on it; with `isForced` for slugs that are taken or reserved on the
 *   shared host, and for more links than one request moves
 */
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
    const { hostname } = await loadDomain(tx, principal, id, tx`for update`)
    const links = await readLinks(tx, principal, id)
    const hasPages = await readHasPages(tx, principal, id)
    if ((links.length > 0 || hasPages) && !isForced)
      throw inUse('Links or bio pages are on this domain; move or delete them, or use force.')
    if (links.length > 0) await moveLinks(deps, tx, principal, links)
    if (hasPages) requireMoved('pages', await deps.movePagesToSharedHost(tx, principal, id))
    // Slugs that its links and pages have left.
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

/** One more than a request moves at most. */
function readLinks(tx: Tx, { workspaceId }: Principal, id: string): Promise<OwnLink[]> {
  return tx<OwnLink[]>`
    select id, slug from links where domain_id = ${id} and workspace_id = ${workspaceId}
    order by id limit ${MAX_MOVED + 1}`
}

async function moveLinks(
  { moveToSharedHost }: RemovalDeps,
  tx: Tx,
  principal: Principal,
  links: readonly OwnLink[],
): Promise<void> {
  if (links.length > MAX_MOVED)
    throw inUse(
      `A request moves at most ${MAX_MOVED} links; move or delete others first, many at a time.`,
    )
  requireMoved('links', await moveToSharedHost(tx, principal, links))
}

async function readHasPages(tx: Tx, { workspaceId }: Principal, id: string): Promise<boolean> {
  const pages = await tx`
    select from bio_pages where domain_id = ${id} and workspace_id = ${workspaceId} limit 1`
  return pages.length > 0
}

function requireMoved(
  noun: 'links' | 'pages',
  left: readonly { slug: string; error: ApiError }[],
): void {
  if (left.length === 0) return
  const details = left
    .slice(0, MAX_LISTED)
    .map(({ slug, error }) => ({ path: 'force', message: error.message, code: 'taken', slug }))
  throw new ApiError(
    'CONFLICT',
    `Some ${noun} cannot be on the shared host; none was moved.`,
    details,
  )
}

function inUse(message: string): ApiError {
  return new ApiError('CONFLICT', message, [{ path: 'force', message, code: 'in_use' }])
}
