import { bindDeps } from '../../base/bind-deps.ts'
import { dropOldest } from '../../base/memo.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { LinkOptions } from '../../facts/link-options.ts'
import { allOf, inWorkspace, type Tx } from '../../storage/postgres.ts'
import { refusalOf, writeParts, type Part } from '../../storage/statement-parts.ts'
import type { AuditAction, Changes } from '../audit.ts'
import {
  blockedRefusal,
  HOST_BLOCKED,
  readBlockedHosts,
  unblockedPart,
  type Destinations,
} from '../blocked-hosts.ts'
import { getChanges } from '../changes.ts'
import type { EventType } from '../events.ts'
import { isRefusedByPlan } from '../limits.ts'
import { requireOwn } from '../own.ts'
import { clampLimit, type Paged } from '../shapes.ts'
import { changeTime, requireMatch } from '../versions.ts'
import { checkChange, toChangedColumns, type Change } from './changed-columns.ts'
import { addsDeepLink } from './deep-links.ts'
import type { LinkDeps } from './dependencies.ts'
import { explainDraft, explainLink } from './explain.ts'
import { DOMAIN_CHANGED, readDomains, requireDomainPart, requireNoDomainPart } from './domains.ts'
import { checkFields, checkStatus } from './fields.ts'
import { namesGroups, NO_GROUPS, readGroups, toRestored, type Groups } from './groups.ts'
import { readEarlier, readHistory, saveVersions } from './history.ts'
import { listLinks } from './list.ts'
import { toPasswordColumn, withPasswordChange } from './password.ts'
import type { PeriodClicksDeps } from './period-clicks.ts'
import { quotaPart, saveQuotas } from './quotas.ts'
import { findDeleted, restoreLink } from './restore.ts'
import { toAddressChanges, toEntry, toEvent } from './records.ts'
import type { LinkRow } from './row.ts'
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
  toAddresses,
  updateLink,
} from './slugs.ts'
import { load, lock, show, toNewRow } from './stored.ts'
import { keepDeleted } from './undo-log.ts'

/** Attempts to find a free random slug: with 31^7 slugs even the second is rare. The domain may change too. */
const ATTEMPTS = 8
/** Workspaces with a default domain that are remembered. */
const MAX_BRANDED = 10_000

export type Links = ReturnType<typeof createLinks>

/**
 * The links of a workspace. Every write happens in one transaction: plan limit, row, audit row, event,
 * and the notice that makes the edges forget the link.
 */
export const createLinks = (deps: LinkDeps & PeriodClicksDeps) =>
  bindDeps({ ...deps, branded: new Map<string, true>() } as Deps, {
    ...{ find, get, list: listLinks, create, update, remove },
    ...{ findDeleted, restore: restoreLink },
    ...{ history, rollback, explain: explainLink, explainDraft },
  })

type Deps = LinkDeps &
  PeriodClicksDeps & {
    /** Workspaces that had a default domain when a link was last created: theirs is read beforehand. */
    branded: Map<string, true>
  }
/** `assumesNone`: the request was checked as if the workspace had no domain. */
type DomainGuard = { assumesNone: CreateLink } | null

/** Authorizes the id in a path, before the body is read. */
function find({ sql }: LinkDeps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'links', params['id'], 'link')
}

async function get(deps: LinkDeps, who: Who, id: string): Promise<Link> {
  return show(deps, await inWorkspace(deps.sql, who.workspaceId, (tx) => load(tx, who, id)))
}

async function create(deps: Deps, who: Who, input: CreateLink): Promise<Link> {
  const check = (groups: Groups) => checkFields(input, deps.shortHost(), null, groups, deps.clock())
  const isAssumed = !namesGroups(input) && !deps.branded.has(who.workspaceId)
  let columns = check(isAssumed ? NO_GROUPS : await readOwnGroups(deps, who, input))
  checkStatus(input.status)
  const password = await toPasswordColumn(deps, who, input.password, true, async () => {})
  let guard: DomainGuard = isAssumed ? { assumesNone: input } : null
  for (let attempt = 1; ; attempt++)
    try {
      return await insert(deps, who, toNewRow(deps, who, { ...columns, ...password }), guard)
    } catch (error) {
      const isChanged = refusalOf(error) === DOMAIN_CHANGED
      const isRetried = isChanged || (columns.slug === undefined && isSlugTaken(error))
      if (!isRetried || attempt === ATTEMPTS) throw error
      if (!isChanged) continue
      columns = check(await readOwnGroups(deps, who, input))
      guard = null
    }
}

/** Reads what a new link needs, and notes whether the workspace has a default domain. */
async function readOwnGroups(deps: Deps, who: Who, input: CreateLink): Promise<Groups> {
  const { workspaceId } = who
  const groups = await inWorkspace(deps.sql, workspaceId, (tx) => readGroups(tx, who, [input]))
  const hasDefault = groups.domains.some(({ isDefault }) => isDefault)
  deps.branded.delete(workspaceId)
  if (hasDefault) deps.branded.set(workspaceId, true)
  dropOldest(deps.branded, MAX_BRANDED)
  return groups
}

/**
 * Writes a new link in one statement.
 * @throws ApiError CONFLICT when the slug is taken, or reserved for another workspace; PLAN_LIMIT_REACHED;
 *   PLAN_CAPABILITY_REQUIRED
 */
async function insert(deps: LinkDeps, who: Who, row: LinkRow, guard: DomainGuard): Promise<Link> {
  const { sql, limit, requireCapability } = deps
  const { workspaceId } = who
  const link = show(deps, row)
  try {
    await writeParts(sql, workspaceId, (tx) => [
      ...toDomainParts(tx, who, row, guard),
      ...toInsertParts(deps, tx, who, row, link),
    ])
    return link
  } catch (error) {
    const refusal = refusalOf(error)
    deps.keepAnswer.explain(refusal)
    if (refusal === SLUG_TAKEN)
      throw await inWorkspace(sql, workspaceId, (tx) => explainTaken(tx, who, row))
    if (refusal === HOST_BLOCKED)
      await inWorkspace(sql, workspaceId, (tx) => refuseBlocked(tx, row))
    if (isExternalIdTaken(error)) throw externalIdTaken()
    if (isRefusedByPlan(refusal))
      await inWorkspace(sql, workspaceId, async (tx) => {
        await limit.explain(tx, workspaceId, refusal)
        await requireCapability.explain(tx, workspaceId, refusal)
      })
    throw error
  }
}

function toDomainParts(tx: Tx, who: Who, row: LinkRow, guard: DomainGuard): Part[] {
  if (guard) return [requireNoDomainPart(tx, who, guard.assumesNone)]
  return row.domainId === null ? [] : [requireDomainPart(tx, who, row)]
}

function toInsertParts(deps: LinkDeps, tx: Tx, who: Who, row: LinkRow, link: Link): Part[] {
  const { workspaceId } = who
  const { maxClicks } = row.options ?? {}
  const entry = toEntry('link.created', link, toAddressChanges(null, link))
  return [
    deps.limit.part(tx, workspaceId, 'links_monthly'),
    ...(addsDeepLink(null, row.options)
      ? [deps.requireCapability.part(tx, workspaceId, 'deep_links')]
      : []),
    unblockedPart(tx, row),
    insertLinkPart(tx, who, row),
    ...(maxClicks === undefined ? [] : [quotaPart(tx, who, row.id, maxClicks)]),
    deps.audit.part(tx, who, entry),
    deps.publish.part(tx, toEvent(who, 'link.created', link)),
    announcePart(tx, row),
    ...deps.keepAnswer.parts(tx, who, link),
  ]
}

async function update(deps: LinkDeps, who: Who, id: string, input: UpdateLink): Promise<Link> {
  const password = await toPasswordColumn(deps, who, input.password, false, async (tx) => {
    const before = await load(tx, who, id)
    requireMatch(who, show(deps, before))
    checkChange(deps, before, input, await readGroups(tx, who, [input]), deps.clock())
  })
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    // The domains are locked first: their statement is sent before that of the link.
    const [groups, before] = await allOf([readGroups(tx, who, [input], [id]), lock(tx, who, id)])
    requireMatch(who, show(deps, before))
    return applyChange(deps, tx, who, before, { input, groups, password })
  })
}

/** Gives a link the fields that it had right after an entry of its history, except for the password. */
async function rollback(deps: LinkDeps, who: Who, id: string, historyId: string): Promise<Link> {
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const [, before] = await allOf([readDomains(tx, who, [], [id]), lock(tx, who, id)])
    const earlier = await readEarlier(tx, who, before, historyId)
    const groups = await readGroups(tx, who, [earlier])
    const restored = toRestored(earlier, groups, deps.shortHost().origin)
    const link = await applyChange(deps, tx, who, before, restored)
    return deps.keepAnswer(tx, who, link)
  })
}

async function history({ sql }: LinkDeps, who: Who, id: string, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const { entries, total } = await inWorkspace(sql, who.workspaceId, async (tx) =>
    readHistory(tx, who, await load(tx, who, id), slice),
  )
  return page(entries, { total, ...slice })
}

/**
 * Changes the fields of a locked link that differ. Without a difference, nothing is written, audited
 * or published.
 */
async function applyChange(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  before: LinkRow,
  change: Change,
): Promise<Link> {
  const { id } = before
  const linkBefore = show(deps, before)
  const now = changeTime(deps.clock(), before)
  const columns = toChangedColumns(deps, before, change, now)
  if (columns === null) return linkBefore

  const { options = before.options, destinationUrl = before.destinationUrl } = columns
  if (columns.options !== undefined || columns.destinationUrl !== undefined)
    await refuseBlocked(tx, { destinationUrl, options })
  await requireDeepLinks(deps, tx, who, before.options, options)
  await updateLink(tx, who, before, columns, now).catch((error: unknown) => {
    throw isExternalIdTaken(error) ? externalIdTaken() : error
  })
  await saveQuotas(tx, who, [{ linkId: id, before: before.options, after: options }])
  const after = await load(tx, who, id)
  const link = show(deps, after)
  const shown = getChanges(linkBefore, link, ['updatedAt', 'clicks', 'lastClickedAt'])
  const changes = withPasswordChange(shown, linkBefore, columns)
  await allOf([
    saveVersions(tx, who, [{ linkId: id, changes }], now),
    record(deps, tx, who, 'link.updated', link, changes),
    publish(deps, tx, who, 'link.updated', link, changes),
    announce(tx, before, after),
  ])
  return link
}

/**
 * Deletes a link, which can be restored for an hour. Its clicks stay counted, and its slug stays reserved for the
 * workspace for 30 days.
 */
async function remove(deps: LinkDeps, who: Who, id: string): Promise<void> {
  await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const row = await lock(tx, who, id)
    await tx`delete from links where id = ${id} and workspace_id = ${who.workspaceId}`
    const now = new Date(deps.clock())
    await keepDeleted(tx, who, [row], null, now)
    await freeAddresses(tx, who, toAddresses(row), now)
    const link = show(deps, row)
    await record(deps, tx, who, 'link.deleted', link, toAddressChanges(link, null))
    await publish(deps, tx, who, 'link.deleted', link)
    await announce(tx, row)
  })
}

/** @throws ApiError VALIDATION_ERROR for a destination at a blocked host */
async function refuseBlocked(tx: Tx, link: Destinations): Promise<void> {
  const refusal = blockedRefusal(link, await readBlockedHosts(tx, [link]))
  if (refusal) throw refusal
}

/** @throws ApiError PLAN_CAPABILITY_REQUIRED when a change sets a deep link and the plan has none */
async function requireDeepLinks(
  deps: LinkDeps,
  tx: Tx,
  { workspaceId }: Who,
  before: LinkOptions | null,
  after: LinkOptions | null,
): Promise<void> {
  if (addsDeepLink(before, after)) await deps.requireCapability(tx, workspaceId, 'deep_links')
}

async function record(
  { audit }: LinkDeps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  link: Link,
  changes: Changes,
): Promise<void> {
  await audit(tx, who, toEntry(action, link, changes))
}

async function publish(
  deps: LinkDeps,
  tx: Tx,
  who: Who,
  type: EventType,
  link: Link,
  changes?: Changes,
): Promise<void> {
  await deps.publish(tx, toEvent(who, type, link, changes))
}
