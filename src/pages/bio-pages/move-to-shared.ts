import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { announceLinks } from '../../links/link/addresses.ts'
import type { NotMoved } from '../../links/write/update.ts'
import { changeTime } from '../../platform/resources/versions.ts'
import { moveAddresses, SHARED_HOST, toAddresses, toKeys } from './addresses.ts'
import { columnsOf, withDomain, type PageRow } from './row.ts'

type Deps = Pick<LinkDeps, 'clock' | 'audit'>

/** The caller has locked the domain, and rolls back if a page cannot move. A root page keeps only its slug. */
export async function movePagesToSharedHost(
  deps: Deps,
  tx: Tx,
  principal: Principal,
  domainId: string,
): Promise<NotMoved[]> {
  const { workspaceId } = principal
  const pages = await tx<PageRow[]>`
    select ${columnsOf(tx)} from bio_pages p ${withDomain(tx)}
    where p.domain_id = ${domainId} and p.workspace_id = ${workspaceId} order by p.id for update of p`
  const left: NotMoved[] = []
  for (const before of pages)
    try {
      await move(deps, tx, principal, before)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      left.push({ slug: before.slug, error })
    }
  return left
}

async function move(deps: Deps, tx: Tx, principal: Principal, before: PageRow): Promise<void> {
  const { id, title, domainId, isRoot } = before
  const now = changeTime(deps.clock(), before)
  const after = { ...before, domainId: null, isRoot: false }
  const [left, taken] = [
    toAddresses(before, { ...before, rootRedirectUrl: null }),
    toAddresses(after, SHARED_HOST),
  ]
  await moveAddresses(tx, principal, left, taken, now)
  await tx`
    update bio_pages set domain_id = null, is_root = false, updated_at = ${now}
    where id = ${id} and workspace_id = ${principal.workspaceId}`
  await deps.audit(tx, principal, {
    action: 'bio_page.updated',
    target: { type: 'bio_page', id, name: title },
    changes: {
      domainId: { old: domainId, new: null },
      ...(isRoot && { isRoot: { old: true, new: false } }),
    },
  })
  await announceLinks(tx, toKeys([...left, ...taken]))
}
