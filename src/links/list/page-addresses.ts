import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { readTakenKeys, toAddressKey, toAddressRows, type Address } from '../link/slugs.ts'

/**
 * Takes addresses for a page. No link may have them.
 * @returns the keys that are taken or reserved; then the caller rolls back
 */
export async function takePageAddresses(
  tx: Tx,
  principal: Principal,
  addresses: readonly Address[],
  now: Date,
): Promise<string[]> {
  // Looked up first, so that a taken address locks none of the others.
  const taken = await readTakenKeys(tx, principal, addresses, now)
  const known = addresses.filter((address) => taken.has(toAddressKey(address)))
  if (known.length > 0) return known.map(({ key }) => key)
  const rows = await toAddressRows(tx, principal, addresses, now)
  const own = new Set(rows.map(({ slugKey }) => slugKey))
  return addresses.flatMap(({ key }) => (own.has(key) ? [] : [key]))
}
