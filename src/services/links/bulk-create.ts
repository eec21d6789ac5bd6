import type { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import { randomSlug } from '../../facts/slug.ts'
import { allOf, type Tx } from '../../storage/postgres.ts'
import { requires, runParts, type Part } from '../../storage/statement-parts.ts'
import { blockedRefusal, readBlockedHosts } from '../blocked-hosts.ts'
import type { Capability } from '../plan.ts'
import { keyTaken } from './aliases.ts'
import { addsDeepLink } from './deep-links.ts'
import type { LinkDeps } from './dependencies.ts'
import { checkFields, checkStatus } from './fields.ts'
import { readGroups, type Groups } from './groups.ts'
import { failed, refuseRepeated, type Outcome } from './outcomes.ts'
import { readExternalIds } from './named-links.ts'
import { checkPassword, NO_HASHES, type PasswordHashes } from './password.ts'
import { quotasPart } from './quotas.ts'
import { toAddressChanges, toEntry, toEvent } from './records.ts'
import { insertRows } from './row-columns.ts'
import type { LinkRow } from './row.ts'
import type { CreateLink } from './schema.ts'
import {
  announcePart,
  externalIdTaken,
  readTakenKeys,
  SLUG_TAKEN,
  toAddresses,
  toAddressKey,
  toAddressRows,
} from './slugs.ts'
import { show, toNewRow } from './stored.ts'
import { writeUntaken } from './untaken.ts'

type Candidate = { index: number; row: LinkRow; isRandom: boolean }

/**
 * Creates links in a transaction of the caller, with one statement for all rows of each table. Each input
 * fails alone; beyond the plan limit the later ones do.
 * @param hashes of the passwords of inputs, made by `hashPasswords` before the transaction
 * @returns one outcome for each input
 */
export async function createMany(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  inputs: readonly CreateLink[],
  hashes: PasswordHashes = NO_HASHES,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const checked = await checkInputs(deps, tx, who, inputs, hashes, outcomes)
  separateRandomSlugs(checked)
  const toWanted = ({ row }: Candidate) => ({
    row,
    addresses: toAddresses(row),
    externalId: row.externalId,
  })
  await writeUntaken(
    tx,
    refuseRepeated(checked, toWanted, outcomes),
    (rows) => refuseTaken(tx, who, rows, outcomes),
    (part, rows) => insertCandidates(deps, part, who, rows, outcomes),
  )
  return outcomes
}

async function checkInputs(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  inputs: readonly CreateLink[],
  hashes: PasswordHashes,
  outcomes: Outcome[],
): Promise<Candidate[]> {
  const groups = await readGroups(tx, who, inputs)
  const candidates: Candidate[] = []
  for (const [index, input] of inputs.entries())
    try {
      const row = toNewRow(deps, who, {
        ...checkNew(deps, input, groups),
        ...toPasswordColumn(input, hashes.get(index)),
      })
      candidates.push({ index, row, isRandom: !input.slug })
    } catch (error) {
      outcomes[index] = failed(error)
    }
  const allowed = await refuseBlocked(tx, candidates, ({ row }) => row, outcomes)
  return refuseByCapability(deps, tx, who, allowed, outcomes)
}

/** Refuses links to blocked hosts. */
export async function refuseBlocked<Some extends { index: number }>(
  tx: Tx,
  candidates: readonly Some[],
  toRow: (candidate: Some) => LinkRow,
  outcomes: Outcome[],
): Promise<Some[]> {
  const blocked = await readBlockedHosts(tx, candidates.map(toRow))
  return candidates.filter((candidate) => {
    const refusal = blockedRefusal(toRow(candidate), blocked)
    if (refusal) outcomes[candidate.index] = failed(refusal)
    return refusal === null
  })
}

/** @throws ApiError VALIDATION_ERROR with the field's path; FORBIDDEN */
export function checkNew(
  { shortHost, clock }: Pick<LinkDeps, 'shortHost' | 'clock'>,
  input: CreateLink,
  groups: Groups,
) {
  checkStatus(input.status)
  return checkFields(input, shortHost(), null, groups, clock())
}

function toPasswordColumn({ password }: CreateLink, hash: string | ApiError | undefined) {
  if (typeof password !== 'string') return {}
  if (typeof hash === 'string') return { passwordHash: hash }
  checkPassword(password)
  throw hash ?? new Error('The password of a link has no hash.')
}

async function refuseByCapability(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  candidates: readonly Candidate[],
  outcomes: Outcome[],
): Promise<Candidate[]> {
  const needs: readonly [Capability, (row: LinkRow) => boolean][] = [
    ['deep_links', ({ options }) => addsDeepLink(null, options)],
    ['password', ({ passwordHash }) => passwordHash !== null],
  ]
  let allowed = [...candidates]
  for (const [capability, isNeeded] of needs) {
    if (!allowed.some(({ row }) => isNeeded(row))) continue
    const refusal = await deps.requireCapability.refusal(tx, who.workspaceId, capability)
    if (refusal === null) continue
    for (const { index, row } of allowed)
      if (isNeeded(row)) outcomes[index] = { status: 'failed', error: refusal }
    allowed = allowed.filter(({ row }) => !isNeeded(row))
  }
  return allowed
}

/** Replaces random slugs that another row of the request has. */
function separateRandomSlugs(candidates: readonly Candidate[]): void {
  const chosen = candidates.flatMap(({ row, isRandom }) =>
    toAddresses(row).filter(({ isAlias }) => isAlias || !isRandom),
  )
  const keys = new Set(chosen.map(toAddressKey))
  for (const { row, isRandom } of candidates) {
    if (!isRandom) continue
    while (keys.has(toSlugKey(row))) chooseSlug(row)
    keys.add(toSlugKey(row))
  }
}

/** Refuses rows whose slug, alias or externalId another link has; a taken random slug is replaced. */
async function refuseTaken(
  tx: Tx,
  who: Who,
  candidates: readonly Candidate[],
  outcomes: Outcome[],
): Promise<Candidate[]> {
  const rows = candidates.map(({ row }) => row)
  const [keys, externalIds] = await allOf([
    readTakenKeys(tx, who, rows.flatMap(toAddresses), rows[0]?.createdAt ?? new Date()),
    readExternalIds(
      tx,
      who,
      rows.flatMap(({ externalId }) => externalId ?? []),
    ),
  ])
  return candidates.filter(({ index, row, isRandom }) => {
    if (isRandom && keys.has(toSlugKey(row))) chooseSlug(row)
    const taken = toAddresses(row).find((address) => keys.has(toAddressKey(address)))
    if (taken) outcomes[index] = failed(keyTaken(taken.key, row))
    else if (row.externalId !== null && externalIds.has(row.externalId))
      outcomes[index] = failed(externalIdTaken())
    else return true
    return false
  })
}

function toSlugKey({ domainId, slugKey }: LinkRow): string {
  return toAddressKey({ domainId: domainId ?? '', key: slugKey })
}

function chooseSlug(row: LinkRow): void {
  row.slug = randomSlug()
  row.slugKey = row.slug
}

/** Takes the plan limit and writes the rows that it allows, with audit rows, events and notices. */
async function insertCandidates(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  candidates: readonly Candidate[],
  outcomes: Outcome[],
): Promise<void> {
  const { workspaceId } = who
  const { taken, refusal } = await deps.limit.upTo(
    tx,
    workspaceId,
    'links_monthly',
    candidates.length,
  )
  for (const { index } of candidates.slice(taken)) outcomes[index] = failed(refusal)
  if (taken === 0) return
  const rows = candidates.slice(0, taken).map(({ row }) => row)
  const links = rows.map((row) => show(deps, row))
  const quotas = rows.flatMap(({ id, options }) =>
    options?.maxClicks === undefined ? [] : [{ linkId: id, maxClicks: options.maxClicks }],
  )
  const entries = links.map((link) => toEntry('link.created', link, toAddressChanges(null, link)))
  await runParts(tx, [
    insertPart(tx, who, rows),
    ...(quotas.length > 0 ? [quotasPart(tx, who, quotas)] : []),
    deps.audit.part(tx, who, ...entries),
    deps.publish.part(tx, ...links.map((link) => toEvent(who, 'link.created', link))),
    announcePart(tx, ...rows),
  ])
  for (const [i, { index }] of candidates.slice(0, taken).entries())
    outcomes[index] = { status: 'created', link: links[i]! }
}

/** Fails with {@link SLUG_TAKEN} unless every address was free. */
function insertPart(tx: Tx, who: Who, rows: readonly LinkRow[]): Part {
  const addresses = rows.flatMap(toAddresses)
  return {
    ctes: tx`
      address as (${toAddressRows(tx, who, addresses, rows[0]!.createdAt)}),
      inserted as (${insertRows(tx, who, rows)})`,
    columns: requires(
      tx,
      tx`(select count(*) from address) = ${addresses.length}::integer`,
      SLUG_TAKEN,
    ),
  }
}
