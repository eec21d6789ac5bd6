import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import type { EventType } from '../../delivery/catalog.ts'
import type { Publish } from '../../delivery/outbox.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import { inWorkspace, type Tx, type TenantSql } from '../../storage/postgres.ts'
import type { Audit, AuditAction, Changes } from '../audit.ts'
import type { Limit } from '../limits.ts'
import { requireOwn } from '../own.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { checkFields, refuseDerivedStatus } from './fields.ts'
import { conditionsOf, isFiltered, orderOf, tablesOf } from './query.ts'
import { changedFields, LINK_COLUMNS, toLink, type LinkRow } from './row.ts'
import type { CreateLink, Link, ListLinks, UpdateLink } from './schema.ts'
import { findLinks } from './search.ts'
import type { ShortHost } from './short-host.ts'
import { announce, insertLink, keepFreed, updateLink } from './slugs.ts'

type Deps = {
  sql: TenantSql
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  audit: Audit
  limit: Limit
  publish: Publish
  /** Where short links live; asked at use, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

export type Links = ReturnType<typeof createLinks>

export function createLinks({ sql, reads, clock, audit, limit, publish, shortHost }: Deps) {
  return { find, get, list, create, update, remove }

  function find(who: Who, params: Record<string, string>): Promise<void> {
    return requireOwn(sql, who, 'links', params['id'], 'link')
  }

  async function get(who: Who, id: string): Promise<Link> {
    return show(await inWorkspace(sql, who.workspaceId, (tx) => load(tx, who, id)))
  }

  async function list(who: Who, query: ListLinks, signal?: AbortSignal) {
    const limitRows = clampLimit(query.limit)
    const { offset } = query
    const isPart = isFiltered(query)
    const [rows, counted] = await reads.read(who, signal, async (tx) => {
      const found = query.search ? await findLinks(tx, query.search) : null
      const where = conditionsOf(tx, who, query, new Date(clock()), found)
      const order = orderOf(tx, query)
      return Promise.all([
        // The counters are read for the links of the page alone.
        tx<LinkRow[]>`
          select ${columnsOf(tx)}, coalesce(c.clicks, 0) as clicks, c.last_clicked_at
          from (
            select ${columnsOf(tx)} from ${tablesOf(tx, query)} where ${where}
            order by ${order} limit ${limitRows} offset ${offset}
          ) as l left join link_clicks c on c.link_id = l.id
          order by ${order}`,
        countRows(tx, tx`links l where ${where}`, isPart),
      ])
    })
    return page(rows.map(show), pageMeta(counted, isPart, { limit: limitRows, offset }))
  }

  async function create(who: Who, input: CreateLink): Promise<Link> {
    const nowMs = clock()
    const now = new Date(nowMs)
    const columns = checkFields(input, shortHost())
    refuseDerivedStatus(input.status)
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      await limit(tx, who.workspaceId, 'links_monthly')
      const values = {
        redirectType: 302,
        status: 'active',
        ...columns,
        id: newId('lnk', nowMs),
        workspaceId: who.workspaceId,
        createdBy: who.userId,
        archivedAt: columns.status === 'archived' ? now : null,
        createdAt: now,
        updatedAt: now,
      }
      const row = await insertLink(tx, who, values, now)
      const link = show(row)
      await record(tx, who, 'link.created', link, {}, addressOf(null, link))
      await announce(tx, row)
      return link
    })
  }

  /** Changes what was sent and differs. When nothing differs nothing is written, audited or published. */
  async function update(who: Who, id: string, input: UpdateLink): Promise<Link> {
    return inWorkspace(sql, who.workspaceId, async (tx) => {
      const before = await load(tx, who, id, true)
      const columns = checkFields(withoutOwnSlug(input, before), shortHost())
      // Read under the row's lock, so that the times of its changes go up.
      const now = new Date(clock())
      if (input.status === show(before).status) delete columns.status
      else refuseDerivedStatus(input.status)
      if (columns.status !== undefined && columns.status !== before.status)
        columns.archivedAt = columns.status === 'archived' ? now : null
      if (!isDifferent(before, columns)) return show(before)

      await updateLink(tx, who, before, columns, now)
      const after = await load(tx, who, id)
      const link = show(after)
      await record(tx, who, 'link.updated', link, changedFields(show(before), link))
      await announce(tx, before)
      if (after.slugKey !== before.slugKey) await announce(tx, after)
      return link
    })
  }

  /** Removes the link. Its clicks stay counted, and its slug stays the workspace's for 30 days. */
  async function remove(who: Who, id: string): Promise<void> {
    await inWorkspace(sql, who.workspaceId, async (tx) => {
      const row = await load(tx, who, id, true)
      await tx`delete from links where id = ${id} and workspace_id = ${who.workspaceId}`
      await keepFreed(tx, who, row, new Date(clock()))
      const link = show(row)
      await record(tx, who, 'link.deleted', link, {}, addressOf(link, null))
      await announce(tx, row)
    })
  }

  /**
   * The audit row and the event of a change: one is written exactly when the other is.
   * @param changes what a client changed, for both
   * @param told what the audit row tells instead, of a link that comes or goes
   */
  async function record(
    tx: Tx,
    who: Who,
    type: EventType & AuditAction,
    link: Link,
    changes: Changes,
    told = changes,
  ): Promise<void> {
    const target = { type: 'link', id: link.id, name: link.name }
    await audit(tx, who, { action: type, target, changes: told })
    const previous = Object.entries(changes).map(([name, change]) => [name, change.old])
    const { password: _password, ...shown } = link
    const data =
      type === 'link.updated'
        ? { ...shown, changes: Object.keys(changes), previous: Object.fromEntries(previous) }
        : shown
    await publish(tx, { type, workspaceId: who.workspaceId, data })
  }

  async function load(tx: Tx, who: Who, id: string, isForUpdate = false): Promise<LinkRow> {
    const [row] = await tx<LinkRow[]>`
      select ${columnsOf(tx)}, coalesce(c.clicks, 0) as clicks, c.last_clicked_at from links l
      left join link_clicks c on c.link_id = l.id
      where l.id = ${id} and l.workspace_id = ${who.workspaceId}
      ${isForUpdate ? tx`for update of l` : tx``}`
    if (!row) throw new ApiError('NOT_FOUND', 'There is no such link.')
    return row
  }

  function show(row: LinkRow): Link {
    return toLink(row, shortHost(), clock())
  }
}

/** A slug that a link has may have been reserved since, and is checked only where it changes. */
function withoutOwnSlug(input: UpdateLink, before: LinkRow): UpdateLink {
  return input.slug === before.slug ? { ...input, slug: null } : input
}

/** Slug and destination of a link that comes (`old` null) or goes (`now` null). */
function addressOf(old: Link | null, now: Link | null): Changes {
  return {
    slug: { old: old?.slug ?? null, new: now?.slug ?? null },
    destinationUrl: { old: old?.destinationUrl ?? null, new: now?.destinationUrl ?? null },
  }
}

function columnsOf(tx: Tx) {
  return tx(LINK_COLUMNS.map((name) => `l.${name}`))
}

function isDifferent(before: LinkRow, columns: object): boolean {
  return Object.entries(columns).some(
    ([name, value]) => JSON.stringify(before[name as keyof LinkRow]) !== JSON.stringify(value),
  )
}
