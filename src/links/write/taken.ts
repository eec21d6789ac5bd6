import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, lostRace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { blockedRefusal, readBlockedHosts } from '../blocked-hosts.ts'
import { keyTaken, pathOfKey } from '../link/aliases.ts'
import { readExternalIds } from './named-links.ts'
import { failed, repeated, type Outcome } from '../link/outcomes.ts'
import type { LinkRow } from '../link/row.ts'
import { readTakenKeys, toAddressKey, toAddressRows, type Address } from '../link/slugs.ts'

const UNIQUE_VIOLATION = '23505'

/** The link as it will be, and what it takes. */
type Wanted = { row: LinkRow; addresses: readonly Address[]; externalId: string | null }

/** What other links have: addresses as {@link toAddressKey}, and externalIds with their links. */
type Taken = { keys: ReadonlySet<string>; externalIds: ReadonlyMap<string, string> }

/**
 * Refuses links to blocked hosts, and links whose slug, alias or externalId another link has, or an earlier row of the
 * request.
 * @param leading the links whose destinations are new
 * @returns the other candidates
 */
export async function refuseTaken<Candidate extends { index: number }>(
  tx: Tx,
  principal: Principal,
  candidates: readonly Candidate[],
  toWanted: (candidate: Candidate) => Wanted,
  {
    outcomes,
    now,
    leading = candidates,
  }: {
    outcomes: Outcome[]
    now: Date
    leading?: readonly Candidate[]
  },
): Promise<Candidate[]> {
  const all = candidates.map(toWanted)
  const leadingRows = leading.map((candidate) => toWanted(candidate).row)
  const [blocked, taken] = await allOf([
    readBlockedHosts(tx, leadingRows),
    readTaken(tx, principal, all, now),
  ])
  const [keys, externalIds] = [new Set<string>(), new Set<string>()]
  return candidates.filter(({ index }, i) => {
    const wanted = all[i]!
    const refusal = blockedRefusal(wanted.row, blocked)
    const error = refusal ?? toRepeated(wanted, keys, externalIds) ?? toTaken(wanted, taken)
    if (error) outcomes[index] = failed(error)
    if (refusal) return false
    for (const address of wanted.addresses) keys.add(toAddressKey(address))
    if (wanted.externalId !== null) externalIds.add(wanted.externalId)
    return error === null
  })
}

async function readTaken(
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

/** @throws lostRace if another transaction has taken one */
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

/** Turns errors that another transaction caused into a lost race. */
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

export function isExternalIdTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION && constraint === 'links_by_external_id'
}
