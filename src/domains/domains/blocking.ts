import { bindDeps } from '../../platform/core/functions.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import { findBlockedTarget, readBlockedTargets } from '../../links/write/refusals.ts'
import { getChanges } from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { announceDomain } from '../../links/link/addresses.ts'
import { changeTime } from '../../platform/resources/versions.ts'
import { targetsOf } from './fields.ts'
import { columnsOf, toDomain, type DomainRow } from './row.ts'

type Deps = Pick<Dependencies, 'clock' | 'audit'>
type Batch = {
  after: string
  limit: number
  which: 'with urls' | 'with blocked'
}

export type DomainBlocking = ReturnType<typeof createDomainBlocking>

export const createDomainBlocking = (deps: Deps) => bindDeps(deps, { refreshBlocked })

async function refreshBlocked(deps: Deps, tx: Tx, { after, limit, which }: Batch) {
  const rows = await tx<DomainRow[]>`
    select ${columnsOf(tx)} from domains
    where id > ${after} and ${
      which === 'with blocked'
        ? tx`blocked_urls <> '{}'`
        : tx`coalesce(root_redirect_url, not_found_url, expired_url) is not null`
    }
    order by id limit ${limit}`
  const changed = await findChanged(tx, rows)
  if (changed.length > 0) {
    const locked = await tx<DomainRow[]>`
      select ${columnsOf(tx)} from domains
      where id = any(${changed.map(({ before }) => before.id)}::text[]) order by id for update`
    for (const domain of await findChanged(tx, locked)) await write(deps, tx, domain)
  }
  return rows.length < limit ? null : rows.at(-1)!.id
}

type Refreshed = { before: DomainRow; blockedUrls: DomainRow['blockedUrls'] }

async function findChanged(tx: Tx, rows: readonly DomainRow[]): Promise<Refreshed[]> {
  const hosts = await readBlockedTargets(tx, rows.flatMap(targetsOf))
  return rows.flatMap((before) => {
    const blocked = targetsOf(before).filter((target) => findBlockedTarget([target], hosts))
    const blockedUrls = blocked.map(({ path }) => path)
    return blockedUrls.join() === before.blockedUrls.join() ? [] : [{ before, blockedUrls }]
  })
}

async function write(deps: Deps, tx: Tx, { before, blockedUrls }: Refreshed): Promise<void> {
  const { id, workspaceId, hostname } = before
  const updatedAt = changeTime(deps.clock(), before)
  const after = { ...before, blockedUrls, updatedAt }
  await tx`
    update domains set blocked_urls = ${blockedUrls}, updated_at = ${updatedAt}
    where id = ${id} and workspace_id = ${workspaceId}`
  await announceDomain(tx, id)
  await deps.audit(tx, systemActing(workspaceId, 'operator'), {
    action: 'domain.updated',
    target: { type: 'domain', id, name: hostname },
    changes: getChanges(toDomain(before), toDomain(after), ['updatedAt']),
  })
}
