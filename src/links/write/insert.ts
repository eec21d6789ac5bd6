import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, lostRace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { toAddressChanges, toEntry, toEvent } from '../link/records.ts'
import { insertRows } from '../link/row-columns.ts'
import type { LinkRow } from '../link/row.ts'
import type { Link } from '../link/schema.ts'
import { announce, toAddresses, toAddressRows } from '../link/slugs.ts'
import { asRace, isExternalIdTaken } from './taken.ts'

/**
 * Inserts links with their addresses, audit rows, events and notices. Its statements are sent together.
 * @param links the rows as a read returns them
 */
export async function insertLinks(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  rows: readonly LinkRow[],
  links: readonly Link[],
  action: 'link.created' | 'link.restored',
): Promise<void> {
  const entries = links.map((link) => toEntry(action, link, toAddressChanges(null, link)))
  const events = links.map((link) => toEvent(principal, 'link.created', link))
  await allOf([
    insertWithAddresses(tx, principal, rows, new Date(deps.clock())),
    deps.audit(tx, principal, ...entries),
    deps.publish(tx, ...events),
    announce(tx, ...rows),
  ])
}

/** @throws lostRace if another transaction has taken an address or an externalId */
async function insertWithAddresses(
  tx: Tx,
  principal: Principal,
  rows: readonly LinkRow[],
  now: Date,
): Promise<void> {
  const addresses = rows.flatMap(toAddresses)
  const inserting = tx<[{ n: number }]>`
    with inserted as (${insertRows(tx, principal, rows)}),
      address as (${toAddressRows(tx, principal, addresses, now)})
    select count(*) as n from address`
  const [{ n }] = await asRace(inserting, isExternalIdTaken)
  if (n < addresses.length) throw lostRace()
}
