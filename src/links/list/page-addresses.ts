import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { readTakenKeys, toAddressKey, toAddressRows, type Address } from '../link/slugs.ts'

/**
 * Takes addresses for a page, which are unique together with those of links.
 * @returns the keys of those that are taken, or reserved for other workspaces; the caller rolls back then
 */
export async function takePageAddresses(
  tx: Tx,
  principal: Principal,
  addresses: readonly Address[],
  now: Date,
): Promise<string[]> {
  // Looked up first, so that an address that is taken locks none of the others.
  const taken = await readTakenKeys(tx, principal, addresses, now)
  const known = addresses.filter((address) => taken.has(toAddressKey(address)))
  if (known.length > 0) return known.map(({ key }) => key)
  const rows = await toAddressRows(tx, principal, addresses, now)
  const own = new Set(rows.map(({ slugKey }) => slugKey))
  return addresses.flatMap(({ key }) => (own.has(key) ? [] : [key]))
}
