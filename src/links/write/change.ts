import { ApiError, invalid } from '../../platform/core/errors.ts'
import { isDifferent } from '../../platform/audit/audit.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { saveVersions, type UndoData } from '../history/versions.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { checkFields, checkStatus } from '../link/fields.ts'
import { compareLinks, failed, recordChanges, toAddressChanges, type Outcome } from './outcomes.ts'
import { load, lockMany, saveQuotas, show, updateRows, type LinkRow } from '../link/rows.ts'
import type { UpdateLink } from '../link/schema.ts'
import {
  announce,
  compareAddresses,
  freeAddresses,
  toAddresses,
  type Address,
} from '../link/addresses.ts'
import { addsDeepLink } from '../options/options.ts'
import { MAX_TAGS } from '../labels.ts'
import { readDeepLinkRefusal } from './create.ts'
import { imagesOf, leaveOutImages, readDomains, readGroups, type Groups } from './references.ts'
import { asRace, isExternalIdTaken, lockNamed, refuseTaken, takeAddresses } from './refusals.ts'
import { hashPasswords, NO_HASHES, PASSWORD_MASK, type PasswordHashes } from './password.ts'

export type TagChange = { add: readonly string[]; remove: ReadonlySet<string> }

/** A change of one link; a null `id` is unknown. `input.tags` replaces all tags, `tags` keeps the others. */
export type LinkChange = { id: string | null; input: UpdateLink; tags?: TagChange | null }

type Candidate = {
  index: number
  before: LinkRow
  /** Aliases in the order of the request. */
  requested: LinkRow
  /** Aliases in the order of a read. */
  after: LinkRow
  columns: Partial<LinkRow>
  taken: readonly Address[]
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

function checkChange(
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

export async function hashChangedPassword(
  deps: LinkDeps,
  principal: Principal,
  id: string,
  input: UpdateLink,
): Promise<PasswordHashes> {
  const { password } = input
  if (typeof password !== 'string' || password === PASSWORD_MASK) return NO_HASHES
  await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id)
    requireMatch(principal, show(deps, before))
    checkChange(deps, before, input, await readGroups(tx, principal, [input], [id]), deps.clock())
  })
  return hashPasswords(deps, principal, [password])
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

/** Skips blocked links, whose visitors see no image. */
export async function dropImage(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  mediaId: string,
  linkIds: readonly string[],
): Promise<void> {
  const { origin } = deps.shortHost()
  // Domains first, as in every change of links.
  await readDomains(tx, principal, [], linkIds)
  const links = await lockMany(tx, principal, linkIds)
  const changes = [...links.values()].map(({ id, options }) => {
    const others = imagesOf(options ?? {}).filter((image) => image !== mediaId)
    return { id, input: leaveOutImages(options ?? {}, new Set(others), origin) }
  })
  await updateMany(deps, tx, principal, changes)
}

export type NotMoved = { slug: string; error: ApiError }

export async function moveToSharedHost(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  links: readonly { id: string; slug: string }[],
): Promise<NotMoved[]> {
  const changes = links.map(({ id }) => ({ id, input: { domainId: null } }))
  const outcomes = await updateMany(deps, tx, principal, changes)
  return outcomes.flatMap((outcome, i) =>
    outcome.status === 'failed' ? [{ slug: links[i]!.slug, error: outcome.error }] : [],
  )
}

/** The links can be restored for an hour; their slugs stay reserved for the workspace for 30 days. */
export async function deleteMany(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  ids: readonly (string | null)[],
  operationId: string | null = null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const named = await lockNamed(tx, principal, ids, outcomes)
  if (named.length === 0) return outcomes
  const rows = named.map(({ row }) => row)
  const deleted = rows.map(({ id }) => id)
  const links = rows.map((row) => show(deps, row))
  const changed = links.map((link) => ({ link, changes: toAddressChanges(link, null) }))
  const now = new Date(deps.clock())
  const versions = rows.map((row) => ({ linkId: row.id, undoData: row }))
  await allOf([
    tx`delete from links where id = any(${deleted}::text[]) and workspace_id = ${principal.workspaceId}`,
    saveVersions(tx, principal, 'deleted', versions, now, operationId),
    freeAddresses(tx, principal, rows.flatMap(toAddresses), now),
    recordChanges(deps, tx, principal, 'link.deleted', 'link.deleted', changed),
    announce(tx, ...rows),
  ])
  for (const [i, { index }] of named.entries())
    outcomes[index] = { status: 'deleted', link: links[i]! }
  return outcomes
}
