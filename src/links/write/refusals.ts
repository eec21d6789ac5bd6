import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, lostRace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  keyTaken,
  pathOfKey,
  readTakenKeys,
  toAddressKey,
  toAddressRows,
  type Address,
} from '../link/addresses.ts'
import { failed, repeated, type Outcome } from './outcomes.ts'
import { lockMany, type LinkRow } from '../link/rows.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { listHosts } from '../../platform/facts/hosts.ts'

const UNIQUE_VIOLATION = '23505'

type Wanted = { row: LinkRow; addresses: readonly Address[]; externalId: string | null }

type Taken = { keys: ReadonlySet<string>; externalIds: ReadonlyMap<string, string> }

/** Refuses links to blocked hosts, and slugs, aliases and externalIds that a link or an earlier row has. */
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

async function readTaken(tx: Tx, principal: Principal, wanted: readonly Wanted[], now: Date) {
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

export const ID_PATH = 'id'

const CHUNK_ROWS = 1_000

export function inChunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / CHUNK_ROWS) }, (_, i) =>
    items.slice(i * CHUNK_ROWS, (i + 1) * CHUNK_ROWS),
  )
}

type Named = { index: number; row: LinkRow }

/** Sets the outcomes of rows whose link is unknown, of another workspace, or named by an earlier row. */
export async function lockNamed(
  tx: Tx,
  principal: Principal,
  ids: readonly (string | null)[],
  outcomes: Outcome[],
): Promise<Named[]> {
  const known = ids.filter((id) => id !== null)
  const rows =
    known.length === 0 ? new Map<string, LinkRow>() : await lockMany(tx, principal, known)
  const missing = known.filter((id) => !rows.has(id))
  const foreign = await readForeign(tx, ['links'], missing)
  const seen = new Set<string>()
  return ids.flatMap((id, index) => {
    const row = id === null ? undefined : rows.get(id)
    if (!row)
      outcomes[index] = failed(
        id !== null && foreign.has(id)
          ? idError('FORBIDDEN', 'This link belongs to another workspace.', 'foreign')
          : idError('NOT_FOUND', 'This link does not exist.', 'unknown'),
      )
    else if (seen.has(row.id)) outcomes[index] = failed(repeated(ID_PATH, 'id'))
    else {
      seen.add(row.id)
      return [{ index, row }]
    }
    return []
  })
}

export async function readExternalIds(
  tx: Tx,
  { workspaceId }: Principal,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (externalIds.length === 0) return new Map()
  const rows = await tx<{ id: string; externalId: string }[]>`
    select id, external_id from links
    where workspace_id = ${workspaceId} and external_id = any(${[...externalIds]}::text[])`
  return new Map(rows.map(({ id, externalId }) => [externalId, id]))
}

function idError(code: 'NOT_FOUND' | 'FORBIDDEN', message: string, detail: string): ApiError {
  return new ApiError(code, message, [{ path: ID_PATH, message, code: detail }])
}

export type Destinations = { destinationUrl: string; options: LinkOptions | null }

export type Target = { path: string; url: string }

function listDestinations({ destinationUrl, options }: Destinations): Target[] {
  const { expiredUrl, iosDeepLink, androidDeepLink, rules = [], variants = [] } = options ?? {}
  const given: readonly (readonly [path: string, url: string | undefined])[] = [
    ['destinationUrl', destinationUrl],
    ['expiredUrl', expiredUrl],
    ['iosDeepLink', iosDeepLink],
    ['androidDeepLink', androidDeepLink],
    ...rules.map((rule, i) => [`rules.${i}.destinationUrl`, rule.destinationUrl] as const),
    ...variants.map((each, i) => [`variants.${i}.destinationUrl`, each.destinationUrl] as const),
  ]
  return given.flatMap(([path, url]) => (url === undefined ? [] : [{ path, url }]))
}

export function readBlockedHosts(
  tx: Tx,
  links: readonly Destinations[],
): Promise<ReadonlySet<string>> {
  return readBlockedTargets(tx, links.flatMap(listDestinations))
}

export async function readBlockedTargets(
  tx: Tx,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  const hosts = [...new Set(targets.flatMap(({ url }) => listHosts(url)))]
  if (hosts.length === 0) return new Set()
  const rows = await tx<{ value: string }[]>`
    select value from blocks
    where kind = 'host' and value = any(${hosts}::text[]) and lifted_at is null`
  return new Set(rows.map(({ value }) => value))
}

export function findBlockedHost(
  link: Destinations,
  blocked: ReadonlySet<string>,
): { path: string; host: string } | null {
  return blocked.size === 0 ? null : findBlockedTarget(listDestinations(link), blocked)
}

export function findBlockedTarget(
  targets: readonly Target[],
  blocked: ReadonlySet<string>,
): { path: string; host: string } | null {
  for (const { path, url } of targets) {
    const host = listHosts(url).find((name) => blocked.has(name))
    if (host !== undefined) return { path, host }
  }
  return null
}

function blockedRefusal(link: Destinations, blocked: ReadonlySet<string>): ApiError | null {
  const found = findBlockedHost(link, blocked)
  return found && blockedTarget(found)
}

export function blockedTarget({ path, host }: { path: string; host: string }): ApiError {
  return invalid(path, `${path}: links to ${host} are blocked.`, 'blocked')
}
