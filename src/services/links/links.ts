import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { LinkOptions } from '../../facts/link-options.ts'
import { randomSlug, slugKey } from '../../facts/slug.ts'
import type { EventType } from '../events.ts'
import type { Publish } from '../../delivery/outbox.ts'
import {
  allOf,
  inWorkspace,
  type Fragment,
  type TenantSql,
  type Tx,
} from '../../storage/postgres.ts'
import { refusalOf, writeParts, type Part } from '../../storage/statement-parts.ts'
import type { Audit, AuditAction, Changes } from '../audit.ts'
import { getChanges, isDifferent } from '../changes.ts'
import type { KeepAnswer } from '../kept-answers.ts'
import { isRefusedByPlan, type Limit, type RequireCapability } from '../limits.ts'
import { requireOwn } from '../own.ts'
import { clampLimit, type Paged } from '../shapes.ts'
import { addressesOf, aliasesOf, readAliases } from './aliases.ts'
import { addsDeepLink } from './deep-links.ts'
import { explainLink } from './explain.ts'
import { checkFields, checkStatus, checkStatusChange } from './fields.ts'
import { namesGroups, NO_GROUPS, readGroups, toRestored, type Groups } from './groups.ts'
import { deleteVersions, readEarlier, readHistory, saveVersion } from './history.ts'
import { listLinks, type ListDeps } from './list.ts'
import { toPasswordColumn, withPasswordChange, type HashLinkPassword } from './password.ts'
import { quotaPart, saveQuota } from './quotas.ts'
import { columnsOf, countersOf, toLink, withCounters, type LinkRow } from './row.ts'
import type { CreateLink, Link, UpdateLink } from './schema.ts'
import {
  announce,
  announcePart,
  explainTaken,
  externalIdTaken,
  freeAddresses,
  insertLinkPart,
  isExternalIdTaken,
  isSlugTaken,
  SLUG_TAKEN,
  updateLink,
} from './slugs.ts'

type Deps = ListDeps & {
  sql: TenantSql
  audit: Audit
  limit: Limit
  requireCapability: RequireCapability
  publish: Publish
  keepAnswer: KeepAnswer
  hashLinkPassword: HashLinkPassword
}

/** Attempts to find a free random slug. With 31^7 slugs even the second is rare. */
const RANDOM_ATTEMPTS = 8

export type Links = ReturnType<typeof createLinks>

/**
 * The links of a workspace. Every write happens in one transaction: plan limit, row, audit row, event,
 * and the notice that makes the edges forget the link.
 */
export const createLinks = (deps: Deps) =>
  bindDeps(deps, {
    ...{ find, get, list: listLinks, create, update, remove },
    ...{ history, rollback, explain: explainLink },
  })

/** Authorizes the id in a path, before the body is read. */
function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'links', params['id'], 'link')
}

async function get(deps: Deps, who: Who, id: string): Promise<Link> {
  return show(deps, await inWorkspace(deps.sql, who.workspaceId, (tx) => load(tx, who, id)))
}

async function create(deps: Deps, who: Who, input: CreateLink): Promise<Link> {
  const groups = namesGroups(input)
    ? await inWorkspace(deps.sql, who.workspaceId, (tx) => readGroups(tx, who, [input]))
    : NO_GROUPS
  const checked = checkFields(input, deps.shortHost(), null, groups, deps.clock())
  checkStatus(input.status)
  const { password } = input
  const columns = {
    ...checked,
    ...(await toPasswordColumn(deps, who, password, true, async () => {})),
  }
  for (let attempt = 1; ; attempt++)
    try {
      return await insert(deps, who, toNewRow(deps, who, columns))
    } catch (error) {
      const isRandom = columns.slug === undefined
      if (!isRandom || !isSlugTaken(error) || attempt === RANDOM_ATTEMPTS) throw error
    }
}

/**
 * Writes a new link in one statement.
 * @throws ApiError CONFLICT when the slug is taken, or reserved for another workspace; PLAN_LIMIT_REACHED;
 *   PLAN_CAPABILITY_REQUIRED
 */
async function insert(deps: Deps, who: Who, row: LinkRow): Promise<Link> {
  const { sql, limit, requireCapability } = deps
  const { workspaceId } = who
  const link = show(deps, row)
  try {
    await writeParts(sql, workspaceId, (tx) => toInsertParts(deps, tx, who, row, link))
    return link
  } catch (error) {
    const refusal = refusalOf(error)
    deps.keepAnswer.explain(refusal)
    if (refusal === SLUG_TAKEN)
      throw await inWorkspace(sql, workspaceId, (tx) => explainTaken(tx, who, row))
    if (isExternalIdTaken(error)) throw externalIdTaken()
    if (isRefusedByPlan(refusal))
      await inWorkspace(sql, workspaceId, async (tx) => {
        await limit.explain(tx, workspaceId, refusal)
        await requireCapability.explain(tx, workspaceId, refusal)
      })
    throw error
  }
}

function toInsertParts(deps: Deps, tx: Tx, who: Who, row: LinkRow, link: Link): Part[] {
  const { workspaceId } = who
  const { maxClicks } = row.options ?? {}
  const entry = toEntry('link.created', link, toAddressChanges(null, link))
  return [
    deps.limit.part(tx, workspaceId, 'links_monthly'),
    ...(addsDeepLink(null, row.options)
      ? [deps.requireCapability.part(tx, workspaceId, 'deep_links')]
      : []),
    insertLinkPart(tx, who, row),
    ...(maxClicks === undefined ? [] : [quotaPart(tx, who, row.id, maxClicks)]),
    deps.audit.part(tx, who, entry),
    deps.publish.part(tx, toEvent(who, 'link.created', link)),
    announcePart(tx, row),
    ...deps.keepAnswer.parts(tx, who, link),
  ]
}

/** The columns of a new link, with a random slug if none is chosen. */
function toNewRow({ clock }: Deps, who: Who, columns: ReturnType<typeof checkFields>): LinkRow {
  const nowMs = clock()
  const now = new Date(nowMs)
  const slug = randomSlug()
  return {
    slug,
    slugKey: slugKey(slug),
    domainId: null,
    redirectType: 302,
    status: 'active',
    expiresAt: null,
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
    metadata: null,
    options: null,
    passwordHash: null,
    folderId: null,
    campaignId: null,
    externalId: null,
    tags: null,
    ...columns,
    id: newId('lnk', nowMs),
    workspaceId: who.workspaceId,
    createdBy: who.userId,
    archivedAt: columns.status === 'archived' ? now : null,
    createdAt: now,
    updatedAt: now,
    clicks: 0,
    lastClickedAt: null,
  } as LinkRow
}

async function update(deps: Deps, who: Who, id: string, input: UpdateLink): Promise<Link> {
  const password = await toPasswordColumn(deps, who, input.password, false, async (tx) =>
    checkChange(
      deps,
      await load(tx, who, id),
      input,
      await readGroups(tx, who, [input]),
      deps.clock(),
    ),
  )
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const before = await lock(tx, who, id)
    const groups = await readGroups(tx, who, [input])
    return applyChange(deps, tx, who, before, { input, groups, password })
  })
}

/** Gives a link the fields that it had right after an entry of its history, except for the password. */
async function rollback(deps: Deps, who: Who, id: string, historyId: string): Promise<Link> {
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const before = await lock(tx, who, id)
    const earlier = await readEarlier(tx, who, before, historyId)
    const groups = await readGroups(tx, who, [earlier])
    const link = await applyChange(deps, tx, who, before, toRestored(earlier, groups))
    return deps.keepAnswer(tx, who, link)
  })
}

async function history({ sql }: Deps, who: Who, id: string, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const { entries, total } = await inWorkspace(sql, who.workspaceId, async (tx) =>
    readHistory(tx, who, await load(tx, who, id), slice),
  )
  return page(entries, { total, ...slice })
}

type Change = {
  input: UpdateLink
  groups: Groups
  password?: { passwordHash?: string | null }
}

/**
 * Changes the fields of a locked link that differ. Without a difference, nothing is written, audited
 * or published.
 */
async function applyChange(
  deps: Deps,
  tx: Tx,
  who: Who,
  before: LinkRow,
  { input, groups, password = {} }: Change,
): Promise<Link> {
  const { id } = before
  const linkBefore = show(deps, before)
  // Read under the lock of the row, so that `updatedAt` never goes back.
  const now = new Date(deps.clock())
  const columns = { ...checkChange(deps, before, input, groups, now.getTime()), ...password }
  if (input.status === linkBefore.status) delete columns.status
  else checkStatusChange(input.status, before.status)
  if (columns.status !== undefined && columns.status !== before.status)
    columns.archivedAt = columns.status === 'archived' ? now : null
  if (!isDifferent(before, columns)) return linkBefore

  const { options = before.options } = columns
  await requireDeepLinks(deps, tx, who, before.options, options)
  await updateLink(tx, who, before, columns, now).catch((error: unknown) => {
    throw isExternalIdTaken(error) ? externalIdTaken() : error
  })
  await saveQuota(tx, who, id, before.options, options)
  const after = await load(tx, who, id)
  const link = show(deps, after)
  const shown = getChanges(linkBefore, link, ['updatedAt', 'clicks', 'lastClickedAt'])
  const changes = withPasswordChange(shown, linkBefore, columns)
  await allOf([
    saveVersion(tx, who, id, changes, now),
    record(deps, tx, who, 'link.updated', link, changes),
    publish(deps, tx, who, 'link.updated', link, changes),
    announce(tx, before, after),
  ])
  return link
}

function checkChange(
  deps: Deps,
  before: LinkRow,
  input: UpdateLink,
  groups: Groups,
  nowMs: number,
) {
  return checkFields(withoutOwnSlug(input, before), deps.shortHost(), before, groups, nowMs)
}

/** Deletes a link. Its clicks stay counted, and its slug stays reserved for the workspace for 30 days. */
async function remove(deps: Deps, who: Who, id: string): Promise<void> {
  await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const row = await lock(tx, who, id)
    await tx`delete from links where id = ${id} and workspace_id = ${who.workspaceId}`
    await saveQuota(tx, who, id, row.options, null)
    await deleteVersions(tx, who, id)
    await freeAddresses(tx, who, row, [...addressesOf(row).keys()], new Date(deps.clock()))
    const link = show(deps, row)
    await record(deps, tx, who, 'link.deleted', link, toAddressChanges(link, null))
    await publish(deps, tx, who, 'link.deleted', link)
    await announce(tx, row)
  })
}

/** @throws ApiError PLAN_CAPABILITY_REQUIRED when a change sets a deep link and the plan has none */
async function requireDeepLinks(
  deps: Deps,
  tx: Tx,
  { workspaceId }: Who,
  before: LinkOptions | null,
  after: LinkOptions | null,
): Promise<void> {
  if (addsDeepLink(before, after)) await deps.requireCapability(tx, workspaceId, 'deep_links')
}

async function record(
  { audit }: Deps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  link: Link,
  changes: Changes,
): Promise<void> {
  await audit(tx, who, toEntry(action, link, changes))
}

async function publish(
  deps: Deps,
  tx: Tx,
  who: Who,
  type: EventType,
  link: Link,
  changes?: Changes,
): Promise<void> {
  await deps.publish(tx, toEvent(who, type, link, changes))
}

function toEntry(action: AuditAction, { id, name }: Link, changes: Changes) {
  return { action, target: { type: 'link', id, name }, changes }
}

/**
 * @param changes of an update, whose event has the names of the fields and their old values too; of the
 *   password only its name
 */
function toEvent(
  { workspaceId }: Who,
  type: EventType,
  { password: _password, ...shown }: Link,
  changes?: Changes,
) {
  const { password: _changed, ...described } = changes ?? {}
  const previous = Object.entries(described).map(([name, change]) => [name, change.old])
  const data = changes
    ? { ...shown, changes: Object.keys(changes), previous: Object.fromEntries(previous) }
    : shown
  return { type, workspaceId, data }
}

async function load(tx: Tx, who: Who, id: string): Promise<LinkRow> {
  return requireRow(await select(tx, who, id, tx``))
}

/** Locks the row, so that changes of a link come one after the other. */
async function lock(tx: Tx, who: Who, id: string): Promise<LinkRow> {
  const [rows, aliases] = await allOf([
    select(tx, who, id, tx`for update of l`),
    readAliases(tx, who, id),
  ])
  return { ...requireRow(rows), aliases }
}

function select(tx: Tx, who: Who, id: string, locking: Fragment) {
  return tx<LinkRow[]>`
    select ${columnsOf(tx)}, ${countersOf(tx)}, ${aliasesOf(tx)} from links l ${withCounters(tx)}
    where l.id = ${id} and l.workspace_id = ${who.workspaceId} ${locking}`
}

function requireRow([row]: readonly LinkRow[]): LinkRow {
  if (!row) throw new ApiError('NOT_FOUND', 'This link does not exist.')
  return row
}

function show({ shortHost, clock }: Deps, row: LinkRow): Link {
  return toLink(row, shortHost(), clock())
}

/** Leaves out an unchanged slug: it is not checked again, since it may have become reserved. */
function withoutOwnSlug(input: UpdateLink, before: LinkRow): UpdateLink {
  return input.slug === before.slug ? { ...input, slug: null } : input
}

/** Slug and destination of a link that is created (`before` null) or deleted (`after` null). */
function toAddressChanges(before: Link | null, after: Link | null): Changes {
  return {
    slug: { old: before?.slug ?? null, new: after?.slug ?? null },
    destinationUrl: { old: before?.destinationUrl ?? null, new: after?.destinationUrl ?? null },
  }
}
