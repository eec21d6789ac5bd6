import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { COUNTED_ROWS, pageMeta } from '../../platform/resources/lists.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import {
  readCursor,
  toCursor,
  toKeyText,
  toOrder,
  toRanges,
  toSource,
  type Place,
} from './order.ts'
import {
  listByPeriodClicks,
  toClickPeriod,
  withPeriodClicks,
  withPeriodConversions,
  type PeriodClicksDeps,
} from './period-clicks.ts'
import {
  countShown,
  isFiltered,
  readFilter,
  showsArchived,
  sharedTag,
  type Filter,
} from './filter.ts'
import type { ListDeps } from '../link/dependencies.ts'
import { aliasesOf, columnsOf, toLink, withCounters, type LinkRow } from '../link/rows.ts'
import type { ListLinks } from '../link/schema.ts'

type ListedRow = LinkRow & { cursorKey: string | null }
type Counted = { counted: number }
type Listed = Counted & { rows: readonly ListedRow[] }
/** One row more than the page tells whether another page follows. */
type Slice = { limit: number; offset: number; after: Place | null }

export async function listLinks(
  deps: ListDeps & PeriodClicksDeps,
  principal: Principal,
  query: ListLinks,
  signal?: AbortSignal,
) {
  const period = toClickPeriod(query)
  if (period !== null && query.sortBy === 'periodClicks')
    return listByPeriodClicks(deps, principal, query, period, signal)
  const { offset } = query
  const limit = clampLimit(query.limit)
  const slice = { limit: limit + 1, offset, after: readCursor(principal, query) }
  const isPart = isFiltered(query)
  const { rows, counted } = await deps.reads.read(principal, signal, async (tx) =>
    isPart
      ? listPart(tx, principal, query, slice, await readFilter(deps, tx, principal, query))
      : listAll(tx, principal, query, slice),
  )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)! : null
  const nextCursor = last && toCursor(principal, query, { key: last.cursorKey, id: last.id })
  const links = shown.map((row) => toLink(row, deps.shortHost(), deps.clock()))
  const meta = { ...pageMeta(counted, isPart, { limit, offset }), nextCursor }
  if (period === null) return page(links, meta)
  const counts = await withPeriodClicks(deps, principal, period, links, signal)
  const valued = { ...period, currency: query.currency }
  const earned = await withPeriodConversions(deps, principal, valued, counts.links, signal)
  return page(earned.links, { ...meta, ...counts.meta, ...earned.meta })
}

/** The list without filters: the page comes from the index of its order, and the total from a maintained count. */
async function listAll(tx: Tx, principal: Principal, query: ListLinks, slice: Slice) {
  const source = toSource(tx, principal, query, { tag: null, isPart: false })
  const { workspaceId } = principal
  const isRank = source.id === 'r.link_id'
  const shown = isRank ? tx`and not r.is_archived` : tx`and l.status <> 'archived'`
  const owner = tx.unsafe(isRank ? 'r.workspace_id' : 'l.workspace_id')
  const where = tx`${owner} = ${workspaceId} ${showsArchived(query) ? tx`` : shown}`
  const chosen = toPage(tx, query, slice, { ...source, where })
  const [rows, counted] = await Promise.all([
    tx<ListedRow[]>`
      with chosen as materialized (${chosen})
      select ${toColumns(tx, query)} from ${toTables(tx, principal)} order by ${toOrder(tx, query, 'p.sort_key', 'p.id')}`,
    countShown(tx, principal, query),
  ])
  return { rows, counted }
}

/**
 * A filtered list. Up to 10,000 matches are collected by the index of a filter, and the page is taken from them,
 * since a walk along the order may pass many links before it finds a match. With more matches they are frequent, and
 * the page is read in the order of the list.
 */
async function listPart(
  tx: Tx,
  principal: Principal,
  query: ListLinks,
  slice: Slice,
  filter: Filter,
): Promise<Listed> {
  const where = filter(tx)
  const tag = sharedTag(query)
  const source = toSource(tx, principal, query, { tag, isPart: true })
  const order = toOrder(tx, query, 'p.sort_key', 'p.id')
  // An empty page has one row, without a link.
  const few = await tx<(Counted & (ListedRow | { id: null }))[]>`
    with matches as materialized (
      select ${tx.unsafe(source.id)} as id, ${tx.unsafe(source.key)} as sort_key
      from ${source.from} where ${where} limit ${COUNTED_ROWS + 1}
    ), total as (
      select count(*)::bigint as counted from matches
    ), chosen as materialized (
      ${toPage(tx, query, slice, {
        from: tx`matches m`,
        key: 'm.sort_key',
        id: 'm.id',
        where: tx`(select counted from total) <= ${COUNTED_ROWS}`,
      })}
    ), listed as (
      select ${toColumns(tx, query)}, p.sort_key from ${toTables(tx, principal)}
    )
    select t.counted, p.* from total t left join listed p on true order by ${order}`
  const counted = few[0]!.counted
  if (counted <= COUNTED_ROWS)
    return { rows: few.filter((row): row is Counted & ListedRow => row.id !== null), counted }
  const chosen = toPage(tx, query, slice, { ...source, where })
  const rows = await tx<ListedRow[]>`
    with chosen as materialized (${chosen})
    select ${toColumns(tx, query)} from ${toTables(tx, principal)} order by ${order}`
  return { rows, counted }
}

type Choice = { from: Fragment; key: string; id: string; where: Fragment }

/** Ids and sort keys of a page, chosen before the links are read, so that skipped links need only an index. */
function toPage(
  tx: Tx,
  query: ListLinks,
  { limit, offset, after }: Slice,
  { from, key, id, where }: Choice,
): Fragment {
  const columns = tx`${tx.unsafe(id)} as id, ${tx.unsafe(key)} as sort_key`
  const order = toOrder(tx, query, key, id)
  const ranges = after === null ? [tx`true`] : toRanges(tx, query, { key, id }, after)
  const pages = ranges.map(
    (range) => tx`
      (select ${columns} from ${from} where ${where} and ${range}
       order by ${order} limit ${limit} offset ${offset})`,
  )
  if (pages.length === 1) return pages[0]!
  const joined = pages.reduce((before, next) => tx`${before} union all ${next}`)
  return tx`
    select p.id, p.sort_key from (${joined}) as p
    order by ${toOrder(tx, query, 'p.sort_key', 'p.id')} limit ${limit}`
}

function toColumns(tx: Tx, query: ListLinks) {
  return tx`
    ${columnsOf(tx)}, ${aliasesOf(tx)},
    ${toKeyText(tx, query, 'p.sort_key')} as cursor_key`
}

function toTables(tx: Tx, { workspaceId }: Principal) {
  return tx`
    chosen p join links l on l.id = p.id and l.workspace_id = ${workspaceId} ${withCounters(tx)}`
}
