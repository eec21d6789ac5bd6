import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, lostRace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { keyTaken, pathOfKey } from '../link/aliases.ts'
import { readExternalIds } from './named-links.ts'
import { failed, repeated, type Outcome } from '../link/outcomes.ts'
import type { LinkRow } from '../link/row.ts'
import { readTakenKeys, toAddressKey, toAddressRows, type Address } from '../link/slugs.ts'

const UNIQUE_VIOLATION = '23505'

/** What a link takes, and the link as it will be. */
type Wanted = { row: LinkRow; addresses: readonly Address[]; externalId: string | null }

/** What other links have: addresses, as `toAddressKey` writes them, and externalIds with their links. */
type Taken = { keys: ReadonlySet<string>; externalIds: ReadonlyMap<string, string> }

export async function readTaken(
  tx: Tx,
  principal: Principal,
  wanted: readonly Wanted[],
  now: Date,
): Promise<Taken> {
  const addresses = wanted.flatMap((each) => each.addresses)
  const ids = wanted.flatMap(({ externalId }) => externalId ?? [])
  const [keys, externalIds] = await allOf([
    readTakenKeys(tx, principal, addresses, now),
    readExternalIds(tx, principal, ids),
  ])
  return { keys, externalIds }
}

/** Refuses rows whose slug, alias or externalId another link has, or an earlier row of the request. */
export function refuseTaken<Candidate extends { index: number }>(
  candidates: readonly Candidate[],
  toWanted: (candidate: Candidate) => Wanted,
  taken: Taken,
  outcomes: Outcome[],
): Candidate[] {
  const [keys, externalIds] = [new Set<string>(), new Set<string>()]
  return candidates.filter((candidate) => {
    const wanted = toWanted(candidate)
    const error = toRepeated(wanted, keys, externalIds) ?? toTaken(wanted, taken)
    if (error) outcomes[candidate.index] = failed(error)
    for (const address of wanted.addresses) keys.add(toAddressKey(address))
    if (wanted.externalId !== null) externalIds.add(wanted.externalId)
    return error === null
  })
}

function toRepeated(
  { row, addresses, externalId }: Wanted,
  keys: ReadonlySet<string>,
  externalIds: ReadonlySet<string>,
): ApiError | null {
  const address = addresses.find((each) => keys.has(toAddressKey(each)))
  if (address) return repeated(pathOfKey(address.key, row), address.isAlias ? 'alias' : 'slug')
  if (externalId === null || !externalIds.has(externalId)) return null
  return repeated('externalId', 'externalId')
}

function toTaken({ row, addresses, externalId }: Wanted, taken: Taken): ApiError | null {
  const address = addresses.find((each) => taken.keys.has(toAddressKey(each)))
  if (address) return keyTaken(address.key, row)
  const holder = externalId === null ? undefined : taken.externalIds.get(externalId)
  if (holder === undefined || holder === row.id) return null
  const message = 'Another link of this workspace has this externalId.'
  return new ApiError('CONFLICT', message, [{ path: 'externalId', message, code: 'taken' }])
}

/** Gives links addresses that were free. @throws lostRace if another transaction has taken one */
export async function takeAddresses(
  tx: Tx,
  principal: Principal,
  addresses: readonly Address[],
  now: Date,
): Promise<void> {
  if (addresses.length === 0) return
  const rows = await toAddressRows(tx, principal, addresses, now)
  if (rows.length < addresses.length) throw lostRace()
}

/** Reports errors that another transaction caused as a lost race. */
export async function asRace<T>(
  work: Promise<T>,
  isCausedByOther: (error: unknown) => boolean,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isCausedByOther(error) ? lostRace() : error
  }
}

/** True for the error of a statement that gives a link the `externalId` of another link of the workspace. */
export function isExternalIdTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION && constraint === 'links_by_external_id'
}
