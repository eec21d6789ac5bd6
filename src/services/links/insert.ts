import type { Who } from '../../base/who.ts'
import { allOf, type Tx } from '../../storage/postgres.ts'
import type { LinkDeps } from './dependencies.ts'
import { toAddressChanges, toEntry, toEvent } from './records.ts'
import { insertRows } from './row-columns.ts'
import type { LinkRow } from './row.ts'
import type { Link } from './schema.ts'
import { announce, toAddresses } from './slugs.ts'
import { asRace, isExternalIdTaken, takeAddresses } from './taken.ts'

/**
 * Inserts links with their addresses, audit rows, events and notices. Its statements are sent together.
 * @param links the rows as a read returns them
 */
export async function insertLinks(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  rows: readonly LinkRow[],
  links: readonly Link[],
  action: 'link.created' | 'link.restored',
): Promise<void> {
  const entries = links.map((link) => toEntry(action, link, toAddressChanges(null, link)))
  const events = links.map((link) => toEvent(who, 'link.created', link))
  await allOf([
    takeAddresses(tx, who, rows.flatMap(toAddresses), new Date(deps.clock())),
    asRace(insertRows(tx, who, rows).execute(), isExternalIdTaken),
    deps.audit(tx, who, ...entries),
    deps.publish(tx, ...events),
    announce(tx, ...rows),
  ])
}
