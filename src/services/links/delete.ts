import type { Who } from '../../base/who.ts'
import { allOf, type Tx } from '../../storage/postgres.ts'
import type { LinkDeps } from './dependencies.ts'
import { lockNamed } from './named-links.ts'
import type { Outcome } from './outcomes.ts'
import { toAddressChanges, toEntry, toEvent } from './records.ts'
import { announce, freeAddresses, toAddresses } from './slugs.ts'
import { show } from './stored.ts'
import { saveVersions } from './versions.ts'

/**
 * Deletes links in a transaction of the caller. Each can be restored for an hour; its clicks stay counted, and its slug
 * stays reserved for the workspace for 30 days.
 * @param ids null for one that is not known
 * @param operationId by which the deletion can be undone; null for one by one
 * @returns one outcome for each id
 */
export async function deleteMany(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  ids: readonly (string | null)[],
  operationId: string | null = null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const named = await lockNamed(tx, who, ids, outcomes)
  if (named.length === 0) return outcomes
  const rows = named.map(({ row }) => row)
  const deleted = rows.map(({ id }) => id)
  const links = rows.map((row) => show(deps, row))
  const entries = links.map((link) => toEntry('link.deleted', link, toAddressChanges(link, null)))
  const events = links.map((link) => toEvent(who, 'link.deleted', link))
  const now = new Date(deps.clock())
  const versions = rows.map((row) => ({ linkId: row.id, undoData: row }))
  await allOf([
    tx`delete from links where id = any(${deleted}::text[]) and workspace_id = ${who.workspaceId}`,
    saveVersions(tx, who, 'deleted', versions, now, operationId),
    freeAddresses(tx, who, rows.flatMap(toAddresses), now),
    deps.audit(tx, who, ...entries),
    deps.publish(tx, ...events),
    announce(tx, ...rows),
  ])
  for (const [i, { index }] of named.entries())
    outcomes[index] = { status: 'deleted', link: links[i]! }
  return outcomes
}
