import type { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import { allOf, type Tx } from '../../storage/postgres.ts'
import { requires, runParts } from '../../storage/statement-parts.ts'
import { getChanges } from '../changes.ts'
import { changeTime } from '../versions.ts'
import { keyTaken } from './aliases.ts'
import { toChangedColumns } from './changed-columns.ts'
import { refuseBlocked } from './bulk-create.ts'
import { addsDeepLink } from './deep-links.ts'
import type { LinkDeps } from './dependencies.ts'
import type { Columns } from './fields.ts'
import { readGroups, type Groups } from './groups.ts'
import { saveVersions } from './history.ts'
import { lockNamed, readExternalIds } from './named-links.ts'
import { failed, refuseRepeated, type Outcome } from './outcomes.ts'
import { NO_HASHES, PASSWORD_MASK, withPasswordChange, type PasswordHashes } from './password.ts'
import { saveQuotas } from './quotas.ts'
import { toEntry, toEvent } from './records.ts'
import { updateRows } from './row-columns.ts'
import type { LinkRow } from './row.ts'
import type { UpdateLink } from './schema.ts'
import {
  announce,
  compareAddresses,
  externalIdTaken,
  freeAddresses,
  readTakenKeys,
  SLUG_TAKEN,
  toAddresses,
  toAddressKey,
  toAddressRows,
  type Address,
} from './slugs.ts'
import { show } from './stored.ts'
import { withTags, type TagChange } from './tag-changes.ts'
import { keepUndoable, toPrevious } from './undo-log.ts'
import { writeUntaken } from './untaken.ts'

/** A change of one link; a null `id` is not known. `tags` are added and taken off, where `input.tags` replaces. */
export type LinkChange = { id: string | null; input: UpdateLink; tags?: TagChange | null }

type Candidate = {
  index: number
  before: LinkRow
  after: LinkRow
  columns: Columns & { passwordHash?: string | null }
  /** Addresses that the link takes or rewrites, and those that it leaves. */
  taken: readonly Address[]
  left: readonly Address[]
}

/**
 * Changes links in a transaction of the caller, with one statement for all rows of each table. Each
 * change fails alone.
 * @param hashes of the passwords of inputs, made by `hashPasswords` before the transaction
 * @param operationId by which the changes can be undone; null for none
 * @returns one outcome for each change
 */
export async function updateMany(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  changes: readonly LinkChange[],
  hashes: PasswordHashes = NO_HASHES,
  operationId: string | null = null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const ids = changes.map(({ id }) => id)
  const inputs = changes.map(({ input }) => input)
  const known = ids.filter((id) => id !== null)
  const groups = await readGroups(tx, who, inputs, known)
  const named = await lockNamed(tx, who, ids, outcomes)
  const now = new Date(deps.clock())
  const deepLinks = await readDeepLinkRefusal(deps, tx, who, inputs)
  const checked = named.flatMap(({ index, row }) => {
    const change = { ...changes[index]!, groups, hash: hashes.get(index) }
    const checkedOrOutcome = toCandidate(deps, index, row, change, deepLinks, now)
    if ('after' in checkedOrOutcome) return [checkedOrOutcome]
    outcomes[index] = checkedOrOutcome
    return []
  })
  const leading = checked.filter(leadsElsewhere)
  const allowed = new Set(await refuseBlocked(tx, leading, ({ after }) => after, outcomes))
  const candidates = refuseRepeated(
    checked.filter((candidate) => allowed.has(candidate) || !leadsElsewhere(candidate)),
    ({ before, after, taken }) => ({
      row: after,
      addresses: taken,
      externalId: after.externalId === before.externalId ? null : after.externalId,
    }),
    outcomes,
  )
  await writeUntaken(
    tx,
    candidates,
    (rows) => refuseTaken(tx, who, rows, outcomes, now),
    (part, rows) => writeCandidates(deps, part, who, rows, { outcomes, operationId, now }),
  )
  return outcomes
}

function leadsElsewhere({ columns }: Candidate): boolean {
  return columns.destinationUrl !== undefined || columns.options !== undefined
}

async function readDeepLinkRefusal(
  deps: LinkDeps,
  tx: Tx,
  { workspaceId }: Who,
  inputs: readonly UpdateLink[],
): Promise<ApiError | null> {
  if (!inputs.some(({ iosDeepLink, androidDeepLink }) => iosDeepLink ?? androidDeepLink))
    return null
  return deps.requireCapability.refusal(tx, workspaceId, 'deep_links')
}

function toCandidate(
  deps: LinkDeps,
  index: number,
  before: LinkRow,
  change: LinkChange & { groups: Groups; hash: string | ApiError | undefined },
  deepLinks: ApiError | null,
  now: Date,
): Candidate | Outcome {
  try {
    const { groups } = change
    const input = withTags(change.input, change.tags ?? null, before)
    const password = toPasswordColumn(input, change.hash)
    const updatedAt = changeTime(now.getTime(), before)
    const columns = toChangedColumns(deps, before, { input, groups, password }, updatedAt)
    if (columns === null) return { status: 'unchanged', link: show(deps, before) }
    const changed = { ...before, ...columns, updatedAt } as LinkRow
    if (deepLinks && addsDeepLink(before.options, changed.options)) throw deepLinks
    const after = { ...changed, aliases: toSortedAliases(changed) }
    return { index, before, after, columns, ...compareAddresses(before, after) }
  } catch (error) {
    return failed(error)
  }
}

function toPasswordColumn({ password }: UpdateLink, hash: string | ApiError | undefined) {
  if (password === undefined || password === PASSWORD_MASK) return {}
  if (password === null) return { passwordHash: null }
  if (typeof hash !== 'string') throw hash ?? new Error('The password of a link has no hash.')
  return { passwordHash: hash }
}

/** As a read returns them. */
function toSortedAliases(row: LinkRow): string[] {
  return toAddresses(row)
    .filter(({ isAlias }) => isAlias)
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
    .map(({ slug }) => slug)
}

/** Refuses changes to a slug, alias or externalId that another link has. */
async function refuseTaken(
  tx: Tx,
  who: Who,
  candidates: readonly Candidate[],
  outcomes: Outcome[],
  now: Date,
): Promise<Candidate[]> {
  const addresses = candidates.flatMap(({ taken }) => taken)
  const wanted = candidates.flatMap(({ columns }) => columns.externalId ?? [])
  const [keys, externalIds] = await allOf([
    readTakenKeys(tx, who, addresses, now),
    readExternalIds(tx, who, wanted),
  ])
  return candidates.filter(({ index, after, columns, taken }) => {
    const refused = taken.find((address) => keys.has(toAddressKey(address)))
    const holder = columns.externalId ? externalIds.get(columns.externalId) : undefined
    if (refused) outcomes[index] = failed(keyTaken(refused.key, after))
    else if (holder !== undefined && holder !== after.id)
      outcomes[index] = failed(externalIdTaken())
    else return true
    return false
  })
}

async function writeCandidates(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  candidates: readonly Candidate[],
  { outcomes, operationId, now }: { outcomes: Outcome[]; operationId: string | null; now: Date },
): Promise<void> {
  await writeRows(tx, who, candidates, now)
  const changed = candidates.map(({ before, after, columns }) => {
    const [linkBefore, link] = [show(deps, before), show(deps, after)]
    const shown = getChanges(linkBefore, link, ['updatedAt', 'clicks', 'lastClickedAt'])
    return { link, changes: withPasswordChange(shown, linkBefore, columns) }
  })
  if (operationId !== null) {
    const undoable = candidates.map(({ before, after, columns }, i) => ({
      linkId: after.id,
      previous: toPrevious(before, changed[i]!.changes, columns.passwordHash !== undefined),
      changedAt: after.updatedAt,
    }))
    await keepUndoable(tx, who, operationId, undoable, now)
  }
  const versions = changed.map(({ link, changes }) => ({ linkId: link.id, changes }))
  const entries = changed.map(({ link, changes }) => toEntry('link.updated', link, changes))
  const events = changed.map(({ link, changes }) => toEvent(who, 'link.updated', link, changes))
  await allOf([
    saveVersions(tx, who, versions, now),
    deps.audit(tx, who, ...entries),
    deps.publish(tx, ...events),
    announce(tx, ...candidates.flatMap(({ before, after }) => [before, after])),
  ])
  for (const [i, { index }] of candidates.entries())
    outcomes[index] = { status: 'updated', link: changed[i]!.link }
}

/** Writes the rows with their addresses and quotas; fails with {@link SLUG_TAKEN} unless every new address was free. */
async function writeRows(tx: Tx, who: Who, candidates: readonly Candidate[], now: Date) {
  const taken = candidates.flatMap((candidate) => candidate.taken)
  const left = candidates.flatMap((candidate) => candidate.left)
  const updated = updateRows(
    tx,
    who,
    candidates.map(({ after }) => after),
  )
  const isComplete = tx`(select count(*) from address) = ${taken.length}::integer`
  await runParts(tx, [
    { ctes: tx`updated as (${updated})`, columns: tx`true as is_updated` },
    ...(taken.length === 0
      ? []
      : [
          {
            ctes: tx`address as (${toAddressRows(tx, who, taken, now)})`,
            columns: requires(tx, isComplete, SLUG_TAKEN),
          },
        ]),
  ])
  if (left.length > 0) await freeAddresses(tx, who, left, now)
  await saveQuotas(
    tx,
    who,
    candidates.map(({ before, after }) => ({
      linkId: after.id,
      before: before.options,
      after: after.options,
    })),
  )
}
