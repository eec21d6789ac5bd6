import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import { readTakenKeys, toAddressKey, toAddressRows, type Address } from './slugs.ts'

/**
 * Takes addresses for a page, which are unique together with those of links.
 * @returns the keys of those that are taken, or reserved for other workspaces; the caller rolls back then
 */
export async function takePageAddresses(
  tx: Tx,
  who: Who,
  addresses: readonly Address[],
  now: Date,
): Promise<string[]> {
  // Looked up first, so that an address that is taken locks none of the others.
  const taken = await readTakenKeys(tx, who, addresses, now)
  const known = addresses.filter((address) => taken.has(toAddressKey(address)))
  if (known.length > 0) return known.map(({ key }) => key)
  const rows = await toAddressRows(tx, who, addresses, now)
  const own = new Set(rows.map(({ slugKey }) => slugKey))
  return addresses.flatMap(({ key }) => (own.has(key) ? [] : [key]))
}
