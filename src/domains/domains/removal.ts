import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { announceDomain } from '../../links/link/addresses.ts'
import { moveToSharedHost, type NotMoved } from '../../links/write/update.ts'
import { loadDomain } from './row.ts'

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
    const { hostname } = await loadDomain(tx, principal, id, tx`for update`)
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
