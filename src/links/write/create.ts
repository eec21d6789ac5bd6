import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, inWorkspace, lostRace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { saveVersions } from '../history/versions.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { checkFields, checkStatus } from '../link/fields.ts'
import { failed, recordChanges, toAddressChanges, type Outcome } from './outcomes.ts'
import { insertRows, saveQuotas, show, toNewRow, type LinkRow } from '../link/rows.ts'
import type { CreateLink, Link } from '../link/schema.ts'
import { announce, toAddresses, toAddressRows } from '../link/addresses.ts'
import { addsDeepLink } from '../options/options.ts'
import { readGroups, type Groups } from './references.ts'
import { checkPassword, hashPasswords, NO_HASHES, type PasswordHashes } from './password.ts'
import { asRace, isExternalIdTaken, refuseTaken } from './refusals.ts'

type Candidate = { index: number; row: LinkRow }

/**
 * Creates links in a transaction of the caller, which is retried if another one takes a slug in between. Each input
 * fails alone; beyond the plan limit the later ones fail.
 * @param hashes of the passwords, made by `hashPasswords` before the transaction
 * @param operationId by which the creations can be undone; null for none
 * @returns one outcome for each input
 */
export async function createMany(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  inputs: readonly CreateLink[],
  hashes: PasswordHashes = NO_HASHES,
  operationId: string | null = null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const [groups, deepLinks, { left, toRefusal }] = await allOf([
    readGroups(tx, principal, inputs),
    readDeepLinkRefusal(deps, tx, principal, inputs),
    deps.limit.left(tx, principal.workspaceId, 'links_monthly'),
  ])
  const checked = inputs.flatMap((input, index): Candidate[] => {
    try {
      const columns = { ...checkNew(deps, input, groups), ...toHash(input, hashes.get(index)) }
      if (deepLinks && addsDeepLink(null, columns.options ?? null)) throw deepLinks
      return [{ index, row: toNewRow(deps, principal, columns) }]
    } catch (error) {
      outcomes[index] = failed(error)
      return []
    }
  })
  if (checked.length === 0) return outcomes
  // Random slugs are checked by the insertion, since they are hardly ever taken.
  const toWanted = ({ index, row }: Candidate) => ({
    row,
    addresses: toAddresses(row).filter(({ isAlias }) => isAlias || inputs[index]!.slug),
    externalId: row.externalId,
  })
  const now = new Date(deps.clock())
  const free = await refuseTaken(tx, principal, checked, toWanted, { outcomes, now })
  for (const { index } of free.slice(left)) outcomes[index] = failed(toRefusal())
  await insertNew(deps, tx, principal, free.slice(0, left), { outcomes, operationId })
  return outcomes
}

export function checkNew(
  { shortHost, clock }: Pick<LinkDeps, 'shortHost' | 'clock'>,
  input: CreateLink,
  groups: Groups,
) {
  checkStatus(input.status)
  return checkFields(input, shortHost(), null, groups, clock())
}

export async function hashNewPasswords(
  deps: LinkDeps,
  principal: Principal,
  inputs: readonly CreateLink[],
): Promise<PasswordHashes> {
  const locked = inputs.filter(({ password }) => typeof password === 'string')
  if (locked.length === 0) return NO_HASHES
  const groups = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    readGroups(tx, principal, locked),
  )
  const passwords = inputs.map((input) => {
    try {
      checkNew(deps, input, groups)
      return input.password
    } catch (error) {
      // The write refuses this row with the same error.
      return void failed(error)
    }
  })
  return hashPasswords(deps, principal, passwords)
}

export async function readDeepLinkRefusal(
  { requireCapability }: LinkDeps,
  tx: Tx,
  { workspaceId }: Principal,
  inputs: readonly Pick<CreateLink, 'iosDeepLink' | 'androidDeepLink'>[],
): Promise<ApiError | null> {
  const isNeeded = inputs.some(({ iosDeepLink, androidDeepLink }) => iosDeepLink ?? androidDeepLink)
  return isNeeded ? requireCapability.refusal(tx, workspaceId, 'deep_links') : null
}

function toHash({ password }: CreateLink, hash: string | ApiError | undefined) {
  if (typeof password !== 'string') return {}
  if (typeof hash === 'string') return { passwordHash: hash }
  checkPassword(password)
  throw hash ?? new Error('The password of a link has no hash.')
}

async function insertNew(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  candidates: readonly Candidate[],
  { outcomes, operationId }: { outcomes: Outcome[]; operationId: string | null },
): Promise<void> {
  if (candidates.length === 0) return
  const rows = candidates.map(({ row }) => row)
  const links = rows.map((row) => show(deps, row))
  const quotas = rows.map(({ id, options }) => ({ linkId: id, before: null, after: options }))
  const versions = links.map(({ id, updatedAt }) => ({ linkId: id, undoData: { updatedAt } }))
  await allOf([
    insertLinks(deps, tx, principal, rows, links, 'link.created'),
    saveQuotas(tx, principal, quotas),
    operationId !== null &&
      saveVersions(tx, principal, 'created', versions, new Date(deps.clock()), operationId),
    // Last, since other creations of the workspace wait for its lock.
    asRace(
      deps.limit(tx, principal.workspaceId, 'links_monthly', rows.length),
      (error) => error instanceof ApiError,
    ),
  ])
  for (const [i, { index }] of candidates.entries())
    outcomes[index] = { status: 'created', link: links[i]! }
}

export async function insertLinks(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  rows: readonly LinkRow[],
  links: readonly Link[],
  action: 'link.created' | 'link.restored',
): Promise<void> {
  const changed = links.map((link) => ({ link, changes: toAddressChanges(null, link) }))
  await allOf([
    insertWithAddresses(tx, principal, rows, new Date(deps.clock())),
    recordChanges(deps, tx, principal, action, 'link.created', changed),
    announce(tx, ...rows),
  ])
}

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
