import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { lockNamed } from './refusals.ts'
import { recordChanges, toAddressChanges, type Outcome } from './outcomes.ts'
import { announce, freeAddresses, toAddresses } from '../link/addresses.ts'
import { show } from '../link/rows.ts'
import { saveVersions } from '../history/versions.ts'

/** The links can be restored for an hour; their slugs stay reserved for the workspace for 30 days. */
export async function deleteMany(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  ids: readonly (string | null)[],
  operationId: string | null = null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const named = await lockNamed(tx, principal, ids, outcomes)
  if (named.length === 0) return outcomes
  const rows = named.map(({ row }) => row)
  const deleted = rows.map(({ id }) => id)
  const links = rows.map((row) => show(deps, row))
  const changed = links.map((link) => ({ link, changes: toAddressChanges(link, null) }))
  const now = new Date(deps.clock())
  const versions = rows.map((row) => ({ linkId: row.id, undoData: row }))
  await allOf([
    tx`delete from links where id = any(${deleted}::text[]) and workspace_id = ${principal.workspaceId}`,
    saveVersions(tx, principal, 'deleted', versions, now, operationId),
    freeAddresses(tx, principal, rows.flatMap(toAddresses), now),
    recordChanges(deps, tx, principal, 'link.deleted', 'link.deleted', changed),
    announce(tx, ...rows),
  ])
  for (const [i, { index }] of named.entries())
    outcomes[index] = { status: 'deleted', link: links[i]! }
  return outcomes
}
