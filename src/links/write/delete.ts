import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { lockNamed } from './named-links.ts'
import type { Outcome } from '../link/outcomes.ts'
import { recordChanges, toAddressChanges } from '../link/records.ts'
import { announce, freeAddresses, toAddresses } from '../link/slugs.ts'
import { show } from '../link/stored.ts'
import { saveVersions } from '../history/versions.ts'

/**
 * Deletes links in a transaction of the caller. Each can be restored for an hour. Its clicks stay counted, and its slug
 * stays reserved for the workspace for 30 days.
 * @param ids null for an unknown link
 * @param operationId by which the deletions can be undone together; null for none
 * @returns one outcome for each id
 */
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
