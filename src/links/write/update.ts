import { ApiError, invalid } from '../../platform/core/errors.ts'
import { isDifferent } from '../../platform/audit/audit.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { saveVersions, type UndoData } from '../history/versions.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { checkFields, checkStatus } from '../link/fields.ts'
import { failed, type Outcome } from '../link/outcomes.ts'
import { compareLinks, recordChanges } from '../link/records.ts'
import { updateRows, type LinkRow } from '../link/row.ts'
import type { UpdateLink } from '../link/schema.ts'
import {
  announce,
  compareAddresses,
  freeAddresses,
  toAddresses,
  type Address,
} from '../link/slugs.ts'
import { show } from '../link/stored.ts'
import { addsDeepLink } from '../options/options.ts'
import { saveQuotas } from '../options/quotas.ts'
import { MAX_TAGS } from '../tags/tag-names.ts'
import { readDeepLinkRefusal } from './create.ts'
import { readGroups, type Groups } from './groups.ts'
import { lockNamed } from './named-links.ts'
import { NO_HASHES, PASSWORD_MASK, type PasswordHashes } from './password.ts'
import { asRace, isExternalIdTaken, refuseTaken, takeAddresses } from './taken.ts'

/** Tags to add to each link and to remove from it. */
export type TagChange = { add: readonly string[]; remove: ReadonlySet<string> }

/** A change of one link; a null `id` is unknown. `input.tags` replaces all tags, `tags` keeps the others. */
export type LinkChange = { id: string | null; input: UpdateLink; tags?: TagChange | null }

type Candidate = {
  index: number
  before: LinkRow
  /** With its aliases in the order of the request. */
  requested: LinkRow
  /** With its aliases in the order of a read. */
  after: LinkRow
  columns: Partial<LinkRow>
  /** Addresses that the link takes or rewrites. */
  taken: readonly Address[]
  /** Addresses that it leaves. */
  left: readonly Address[]
}

/**
 * Changes links in a transaction of the caller, which is retried if another one takes a slug in between. Each change
 * fails alone. For a link that would not differ, nothing is written, audited or published.
 * @param hashes of the passwords, made by `hashPasswords` before the transaction
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
  const known = ids.filter((id) => id !== null)
  const inputs = changes.map(({ input }) => input)
  const [groups, named, deepLinks] = await allOf([
    readGroups(tx, principal, inputs, known),
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
  const free = await refuseTaken(tx, principal, checked, toWanted, { outcomes, now, leading })
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
    const input = withTags(change.input, change.tags ?? null, before)
    const updatedAt = changeTime(now.getTime(), before)
    const columns = toChangedColumns(deps, before, input, change, updatedAt)
    if (columns === null) return { status: 'unchanged', link: show(deps, before) }
    const requested = { ...before, ...columns, updatedAt } as LinkRow
    if (deepLinks && addsDeepLink(before.options, requested.options)) throw deepLinks
    const after = { ...requested, aliases: toSortedAliases(requested) }
    return { index, before, requested, after, columns, ...compareAddresses(before, after) }
  } catch (error) {
    return failed(error)
  }
}

/**
 * The columns that a change writes; null without a difference.
 * @throws ApiError VALIDATION_ERROR with the field's path; FORBIDDEN
 */
function toChangedColumns(
  deps: LinkDeps,
  before: LinkRow,
  input: UpdateLink,
  { groups, hash }: { groups: Groups; hash: string | ApiError | undefined },
  now: Date,
): Partial<LinkRow> | null {
  const password = toPasswordColumn(input, hash)
  const columns = { ...checkChange(deps, before, input, groups, now.getTime()), ...password }
  if (input.status === show(deps, before).status) delete columns.status
  else checkStatus(input.status)
  if (columns.status !== undefined && columns.status !== before.status)
    columns.archivedAt = columns.status === 'archived' ? now : null
  if (!isDifferent(before, columns)) return null
  if (before.status === 'blocked') throw linkBlocked()
  return columns
}

function linkBlocked(): ApiError {
  const message = 'The operator has blocked this link; it cannot be changed.'
  return new ApiError('FORBIDDEN', message, [{ path: 'status', message, code: 'blocked' }])
}

/** @throws ApiError VALIDATION_ERROR with the field's path */
export function checkChange(
  { shortHost }: LinkDeps,
  before: LinkRow,
  input: UpdateLink,
  groups: Groups,
  nowMs: number,
): Partial<LinkRow> {
  // An unchanged slug is not checked again, since it may have become reserved.
  const changed = input.slug === before.slug ? { ...input, slug: null } : input
  return checkFields(changed, shortHost(), before, groups, nowMs)
}

function withTags(input: UpdateLink, tags: TagChange | null, before: LinkRow): UpdateLink {
  if (tags === null) return input
  const kept = (before.tags ?? []).filter((tag) => !tags.remove.has(tag))
  const after = [...new Set([...kept, ...tags.add])]
  if (after.length > MAX_TAGS)
    throw invalid(
      'addTags',
      `The link would have ${after.length} tags; it can have at most ${MAX_TAGS}.`,
    )
  return { ...input, tags: after }
}

function toPasswordColumn({ password }: UpdateLink, hash: string | ApiError | undefined) {
  if (password === undefined || password === PASSWORD_MASK) return {}
  if (password === null) return { passwordHash: null }
  if (typeof hash !== 'string') throw hash ?? new Error('The password of a link has no hash.')
  return { passwordHash: hash }
}

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
    const { link, changes } = compareLinks(deps, before, after)
    // The mask of a changed password is the same before and after.
    if (typeof columns.passwordHash === 'string')
      changes['password'] = { old: show(deps, before).password, new: PASSWORD_MASK }
    return { link, changes }
  })
  const versions = candidates.map((candidate, i) => ({
    linkId: candidate.after.id,
    changes: changed[i]!.changes,
    undoData: operationId === null ? null : toUndoData(candidate),
  }))
  await allOf([
    writeRows(tx, principal, candidates, now),
    saveVersions(tx, principal, 'updated', versions, now, operationId),
    recordChanges(deps, tx, principal, 'link.updated', 'link.updated', changed),
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
  const taken = candidates.flatMap((candidate) => candidate.taken)
  const left = candidates.flatMap((candidate) => candidate.left)
  const quotas = candidates.map(({ before, after }) => ({
    linkId: after.id,
    before: before.options,
    after: after.options,
  }))
  await allOf([
    asRace(updateRows(tx, principal, rows).execute(), isExternalIdTaken),
    takeAddresses(tx, principal, taken, now),
    freeAddresses(tx, principal, left, now),
    saveQuotas(tx, principal, quotas),
  ])
}
