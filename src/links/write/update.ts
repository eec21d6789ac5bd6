import type { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { readBlockedHosts } from '../blocked-hosts.ts'
import { getChanges } from '../../platform/resources/changes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import { toChangedColumns } from './changed-columns.ts'
import { readDeepLinkRefusal, refuseBlocked } from './create.ts'
import { addsDeepLink } from '../options/deep-links.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import type { Columns } from '../link/fields.ts'
import { readGroups, type Groups } from './groups.ts'
import { lockNamed } from './named-links.ts'
import { failed, type Outcome } from '../link/outcomes.ts'
import { NO_HASHES, PASSWORD_MASK, withPasswordChange, type PasswordHashes } from './password.ts'
import { saveQuotas } from '../options/quotas.ts'
import { toEntry, toEvent } from '../link/records.ts'
import { updateRows } from '../link/row-columns.ts'
import type { LinkRow } from '../link/row.ts'
import type { UpdateLink } from '../link/schema.ts'
import {
  announce,
  compareAddresses,
  freeAddresses,
  toAddresses,
  type Address,
} from '../link/slugs.ts'
import { show } from '../link/stored.ts'
import { withTags, type TagChange } from '../link/tag-changes.ts'
import { asRace, isExternalIdTaken, readTaken, refuseTaken, takeAddresses } from './taken.ts'
import { saveVersions, type UndoData } from '../history/versions.ts'

/** A change of one link; a null `id` is not known. `tags` are added and taken off, where `input.tags` replaces. */
export type LinkChange = { id: string | null; input: UpdateLink; tags?: TagChange | null }

type Candidate = {
  index: number
  before: LinkRow
  /** With its aliases in the order of the request. */
  requested: LinkRow
  /** With its aliases in the order of a read. */
  after: LinkRow
  columns: Columns & { passwordHash?: string | null }
  /** Addresses that the link takes or rewrites, and those that it leaves. */
  taken: readonly Address[]
  left: readonly Address[]
}

/**
 * Changes links in a transaction of the caller, which runs again if another one takes a slug in between. Each change
 * fails alone. A link that would not differ is left alone: nothing is written, audited or published.
 * @param hashes of the passwords of inputs, made by `hashPasswords` before the transaction
 * @param operationId by which the changes can be undone; null for none
 * @returns one outcome for each change
 */
export async function updateMany(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  changes: readonly LinkChange[],
  hashes: PasswordHashes = NO_HASHES,
  operationId: string | null = null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const ids = changes.map(({ id }) => id)
  const inputs = changes.map(({ input }) => input)
  const [groups, named, deepLinks] = await allOf([
    // The domains are locked before the links.
    readGroups(
      tx,
      principal,
      inputs,
      ids.filter((id) => id !== null),
    ),
    lockNamed(tx, principal, ids, outcomes),
    readDeepLinkRefusal(deps, tx, principal, inputs),
  ])
  const now = new Date(deps.clock())
  const checked = named.flatMap(({ index, row }) => {
    const change = { ...changes[index]!, groups, hash: hashes.get(index) }
    const checkedOrOutcome = toCandidate(deps, principal, index, row, change, deepLinks, now)
    if ('after' in checkedOrOutcome) return [checkedOrOutcome]
    outcomes[index] = checkedOrOutcome
    return []
  })
  if (checked.length === 0) return outcomes
  const leading = checked.filter(({ columns }) => columns.destinationUrl ?? columns.options)
  const [blocked, taken] = await allOf([
    readBlockedHosts(
      tx,
      leading.map(({ after }) => after),
    ),
    readTaken(tx, principal, checked.map(toWanted), now),
  ])
  const allowed = refuseBlocked(checked, ({ after }) => after, blocked, outcomes)
  const free = refuseTaken(allowed, toWanted, taken, outcomes)
  await writeCandidates(deps, tx, principal, free, { outcomes, operationId, now })
  return outcomes
}

function toWanted({ before, requested, taken }: Candidate) {
  const externalId = requested.externalId === before.externalId ? null : requested.externalId
  return { row: requested, addresses: taken, externalId }
}

function toCandidate(
  deps: LinkDeps,
  principal: Principal,
  index: number,
  before: LinkRow,
  change: LinkChange & { groups: Groups; hash: string | ApiError | undefined },
  deepLinks: ApiError | null,
  now: Date,
): Candidate | Outcome {
  try {
    requireMatch(principal, show(deps, before))
    const { groups } = change
    const input = withTags(change.input, change.tags ?? null, before)
    const password = toPasswordColumn(input, change.hash)
    const updatedAt = changeTime(now.getTime(), before)
    const columns = toChangedColumns(deps, before, { input, groups, password }, updatedAt)
    if (columns === null) return { status: 'unchanged', link: show(deps, before) }
    const requested = { ...before, ...columns, updatedAt } as LinkRow
    if (deepLinks && addsDeepLink(before.options, requested.options)) throw deepLinks
    const after = { ...requested, aliases: toSortedAliases(requested) }
    return { index, before, requested, after, columns, ...compareAddresses(before, after) }
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

async function writeCandidates(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  candidates: readonly Candidate[],
  { outcomes, operationId, now }: { outcomes: Outcome[]; operationId: string | null; now: Date },
): Promise<void> {
  if (candidates.length === 0) return
  const changed = candidates.map(({ before, after, columns }) => {
    const [linkBefore, link] = [show(deps, before), show(deps, after)]
    const shown = getChanges(linkBefore, link, ['updatedAt', 'clicks', 'lastClickedAt'])
    return { link, changes: withPasswordChange(shown, linkBefore, columns) }
  })
  const versions = candidates.map((candidate, i) => ({
    linkId: candidate.after.id,
    changes: changed[i]!.changes,
    undoData: operationId === null ? null : toUndoData(candidate),
  }))
  const entries = changed.map(({ link, changes }) => toEntry('link.updated', link, changes))
  const events = changed.map(({ link, changes }) =>
    toEvent(principal, 'link.updated', link, changes),
  )
  await allOf([
    writeRows(tx, principal, candidates, now),
    saveVersions(tx, principal, 'updated', versions, now, operationId),
    deps.audit(tx, principal, ...entries),
    deps.publish(tx, ...events),
    announce(tx, ...candidates.flatMap(({ before, after }) => [before, after])),
  ])
  for (const [i, { index }] of candidates.entries())
    outcomes[index] = { status: 'updated', link: changed[i]!.link }
}

function toUndoData({ before, after, columns }: Candidate): UndoData {
  const { passwordHash } = before
  const updatedAt = after.updatedAt.toISOString()
  return { updatedAt, ...(columns.passwordHash !== undefined && { passwordHash }) }
}

async function writeRows(
  tx: Tx,
  principal: Principal,
  candidates: readonly Candidate[],
  now: Date,
) {
  const rows = candidates.map(({ after }) => after)
  const quotas = candidates.map(({ before, after }) => ({
    linkId: after.id,
    before: before.options,
    after: after.options,
  }))
  await allOf([
    asRace(updateRows(tx, principal, rows).execute(), isExternalIdTaken),
    takeAddresses(
      tx,
      principal,
      candidates.flatMap(({ taken }) => taken),
      now,
    ),
    freeAddresses(
      tx,
      principal,
      candidates.flatMap(({ left }) => left),
      now,
    ),
    saveQuotas(tx, principal, quotas),
  ])
}
