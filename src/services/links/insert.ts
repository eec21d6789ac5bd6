import type { Who } from '../../base/who.ts'
import { allOf, lostRace, type Tx } from '../../storage/postgres.ts'
import type { LinkDeps } from './dependencies.ts'
import { toAddressChanges, toEntry, toEvent } from './records.ts'
import { insertRows } from './row-columns.ts'
import type { LinkRow } from './row.ts'
import type { Link } from './schema.ts'
import { announce, toAddresses, toAddressRows } from './slugs.ts'
import { asRace, isExternalIdTaken } from './taken.ts'

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
    insertWithAddresses(tx, who, rows, new Date(deps.clock())),
    deps.audit(tx, who, ...entries),
    deps.publish(tx, ...events),
    announce(tx, ...rows),
  ])
}

/** @throws lostRace if another transaction has taken an address or an externalId */
async function insertWithAddresses(
  tx: Tx,
  who: Who,
  rows: readonly LinkRow[],
  now: Date,
): Promise<void> {
  const addresses = rows.flatMap(toAddresses)
  const inserting = tx<[{ n: number }]>`
    with inserted as (${insertRows(tx, who, rows)}),
      address as (${toAddressRows(tx, who, addresses, now)})
    select count(*) as n from address`
  const [{ n }] = await asRace(inserting, isExternalIdTaken)
  if (n < addresses.length) throw lostRace()
}
