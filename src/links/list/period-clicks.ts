import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Link, ListLinks } from '../link/schema.ts'
import { page } from '../../platform/routes/route.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import { COUNTED_ROWS, pageMeta } from '../../platform/resources/lists.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import type { ListDeps } from '../link/dependencies.ts'
import { aliasesOf, columnsOf, toLink, withCounters, type LinkRow } from '../link/rows.ts'
import { readCursor, toCursor, type Place } from './order.ts'
import { countShown, isFiltered, readFilter, type Filter } from './filter.ts'

export type ClickPeriod = { days: number; timezone: string }

type Counted = Promise<{
  clicks: ReadonlyMap<string, number>
  meta: { period: { start: string; end: string }; timezone: string; asOf: string }
}>

export type LinkClicks = {
  ofLinks(
    principal: Principal,
    of: ClickPeriod & { ids: readonly string[] },
    signal?: AbortSignal,
  ): Counted
  /** The most clicked links of the workspace, including deleted ones, most clicks first. */
  mostClicked(
    principal: Principal,
    of: ClickPeriod & { most: number },
    signal?: AbortSignal,
  ): Counted
  earnedBy(
    principal: Principal,
    of: ClickPeriod & { ids: readonly string[]; currency: string },
    signal?: AbortSignal,
  ): Promise<{
    links: ReadonlyMap<string, { conversions: number; value: number }>
    currencies: readonly string[]
  }>
}

export type PeriodClicksDeps = { linkClicks: LinkClicks }

const DEFAULT_CURRENCY = 'usd'

export function toClickPeriod({ clickDays, timezone, sortBy }: ListLinks): ClickPeriod | null {
  if (clickDays !== undefined) return { days: clickDays, timezone: timezone ?? 'UTC' }
  if (sortBy === 'periodClicks')
    throw invalid(
      'sortBy',
      'sortBy=periodClicks needs clickDays, the number of days of the period.',
    )
  return null
}

export async function withPeriodClicks(
  { linkClicks }: PeriodClicksDeps,
  principal: Principal,
  period: ClickPeriod,
  links: readonly Link[],
  signal?: AbortSignal,
) {
  const ids = links.map(({ id }) => id)
  const { clicks, meta } = await linkClicks.ofLinks(principal, { ...period, ids }, signal)
  return {
    links: links.map((link) => ({ ...link, periodClicks: clicks.get(link.id) ?? 0 })),
    meta,
  }
}

export async function withPeriodConversions<Some extends Link>(
  { linkClicks }: PeriodClicksDeps,
  principal: Principal,
  { currency = DEFAULT_CURRENCY, ...period }: ClickPeriod & { currency: string | undefined },
  links: readonly Some[],
  signal?: AbortSignal,
) {
  const ids = links.map(({ id }) => id)
  const earned = await linkClicks.earnedBy(principal, { ...period, ids, currency }, signal)
  return {
    links: links.map((link) => {
      const { conversions = 0, value = 0 } = earned.links.get(link.id) ?? {}
      return { ...link, periodConversions: conversions, periodValue: value }
    }),
    meta: { currencies: [...earned.currencies] },
  }
}

type Deps = ListDeps & PeriodClicksDeps

type ClickPlace = {
  id: string
  /** With microseconds, so that texts compare as times do. */
  createdAt: string
  /** Also 0 beyond the most clicked links that were read. */
  clicks: number
}
type Match = Omit<ClickPlace, 'clicks'>

type Request = {
  principal: Principal
  query: ListLinks
  period: ClickPeriod
  signal: AbortSignal | undefined
  offset: number
  after: ClickPlace | null
  wanted: number
}
type Chosen = { places: ClickPlace[]; meta: object; clicks: ReadonlyMap<string, number> }

/**
 * How many of the most clicked links to read if more than 10,000 match. The second number is for a page that the
 * first does not fill, as when most of these links are deleted.
 */
const MOST_CLICKED = [10_000, 100_000]
const TIME = `to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * A page in the order of the clicks of a period. The clicks are in ClickHouse and the links in PostgreSQL, and no
 * transaction waits for ClickHouse:
 *
 *   matches ──≤ 10,000──▶ clicks of each ─────────────────────▶ sorted here ──▶ page
 *      └── more ──▶ most clicked of the workspace ──▶ those that match ──▶ then the others, newest first
 *
 * Clicks that arrive between two pages move links, so a later page may repeat or miss one.
 */
export async function listByPeriodClicks(
  deps: Deps,
  principal: Principal,
  query: ListLinks,
  period: ClickPeriod,
  signal?: AbortSignal,
) {
  const limit = clampLimit(query.limit)
  const { offset } = query
  const after = toPlace(readCursor(principal, query))
  const request: Request = { principal, query, period, signal, offset, after, wanted: limit + 1 }
  const isPart = isFiltered(query)
  const { filter, matches, total } = await deps.reads.read(principal, signal, async (tx) => {
    const conditions = await readFilter(deps, tx, principal, query)
    const found = await readMatches(tx, conditions)
    const isAll = found.length <= COUNTED_ROWS
    return {
      filter: conditions,
      matches: found,
      total: isAll || isPart ? found.length : await countShown(tx, principal, query),
    }
  })
  const chosen =
    matches.length <= COUNTED_ROWS
      ? await chooseAmongFew(deps, request, matches)
      : await chooseAmongMany(deps, request, filter)
  const shown = chosen.places.slice(0, limit)
  const last = chosen.places.length > limit ? shown.at(-1)! : null
  const ids = shown.map(({ id }) => id)
  const rows = await deps.reads.read(principal, signal, (tx) => readRows(tx, principal, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const links = ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const link = toLink(row, deps.shortHost(), deps.clock())
    return { ...link, periodClicks: chosen.clicks.get(id) ?? 0 }
  })
  const valued = { ...period, currency: query.currency }
  const earned = await withPeriodConversions(deps, principal, valued, links, signal)
  return page(earned.links, {
    ...pageMeta(total, isPart, { limit, offset }),
    nextCursor:
      last && toCursor(principal, query, { key: `${last.clicks} ${last.createdAt}`, id: last.id }),
    ...chosen.meta,
    ...earned.meta,
  })
}

function toPlace(place: Place | null): ClickPlace | null {
  if (place === null) return null
  const [clicks = '', createdAt = ''] = place.key!.split(' ')
  return { id: place.id, clicks: Number(clicks), createdAt }
}

async function chooseAmongFew(
  deps: Deps,
  { principal, query, period, signal, ...slice }: Request,
  matches: readonly Match[],
): Promise<Chosen> {
  const ids = matches.map(({ id }) => id)
  const { clicks, meta } = await deps.linkClicks.ofLinks(principal, { ...period, ids }, signal)
  const places = toPlaces(matches, clicks)
  const ordered = query.sortOrder === 'asc' ? places.toReversed() : places
  const start = toStart(ordered, query, slice)
  return { places: ordered.slice(start, start + slice.wanted), clicks, meta }
}

async function chooseAmongMany(deps: Deps, request: Request, filter: Filter): Promise<Chosen> {
  const { principal, query, period, signal, wanted } = request
  for (const [at, most] of MOST_CLICKED.entries()) {
    const limited = { ...period, most }
    const { clicks, meta } = await deps.linkClicks.mostClicked(principal, limited, signal)
    const ids = [...clicks.keys()]
    const chosen = await deps.reads.read(principal, signal, async (tx) => {
      const ranked = toPlaces(await readMatchesAmong(tx, filter, ids), clicks)
      const isEnough =
        clicks.size < most ||
        at === MOST_CLICKED.length - 1 ||
        (query.sortOrder !== 'asc' && toStart(ranked, query, request) + wanted <= ranked.length)
      return isEnough ? join(tx, request, filter, ranked) : null
    })
    if (chosen === null) continue
    const others = chosen.filter((place) => !clicks.has(place.id)).map(({ id }) => id)
    const further = await deps.linkClicks.ofLinks(principal, { ...period, ids: others }, signal)
    return { places: chosen, clicks: new Map([...clicks, ...further.clicks]), meta }
  }
  throw new Error('the last number of links is always enough')
}

async function join(tx: Tx, request: Request, filter: Filter, ranked: readonly ClickPlace[]) {
  const { query, after, offset, wanted } = request
  const ids = ranked.map(({ id }) => id)
  const unranked = (limit: number, skipped: number) =>
    readUnranked(tx, filter, ids, query.sortOrder, {
      limit,
      offset: skipped,
      after: after?.clicks === 0 ? after : null,
    })
  if (query.sortOrder !== 'asc') {
    const start = toStart(ranked, query, request)
    const first = ranked.slice(start, start + wanted)
    if (first.length === wanted) return first
    const skipped = after === null ? Math.max(0, offset - ranked.length) : 0
    return [...first, ...(await unranked(wanted - first.length, skipped))]
  }
  const rising = ranked.toReversed()
  const first = after === null || after.clicks === 0 ? await unranked(wanted, offset) : []
  if (first.length === wanted) return first
  const isBeyond = first.length === 0 && offset > 0
  const skipped = isBeyond ? offset - (await countUnranked(tx, filter, ids)) : 0
  const start = after === null ? skipped : toStart(rising, query, request)
  return [...first, ...rising.slice(start, start + wanted - first.length)]
}

function toPlaces(links: readonly Match[], clicks: ReadonlyMap<string, number>): ClickPlace[] {
  return links
    .map(({ id, createdAt }) => ({ id, createdAt, clicks: clicks.get(id) ?? 0 }))
    .toSorted(comparePlaces)
}

function toStart(
  places: readonly ClickPlace[],
  { sortOrder }: ListLinks,
  { after, offset }: Pick<Request, 'after' | 'offset'>,
): number {
  if (after === null) return offset
  const sign = sortOrder === 'asc' ? -1 : 1
  const start = places.findIndex((place) => sign * comparePlaces(place, after) > 0)
  return start === -1 ? places.length : start
}

/** Most clicks first, then in the default order of the list. */
function comparePlaces(a: ClickPlace, b: ClickPlace): number {
  if (a.clicks !== b.clicks) return b.clicks - a.clicks
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

function readMatches(tx: Tx, filter: Filter) {
  const where = filter(tx)
  return tx<Match[]>`
    select l.id, ${tx.unsafe(TIME)} as created_at from links l where ${where}
    limit ${COUNTED_ROWS + 1}`
}

/** Looked up one by one: without recent statistics, a join compares every id with every link of a tag. */
function readMatchesAmong(tx: Tx, filter: Filter, ids: readonly string[]) {
  const where = filter(tx)
  return tx<Match[]>`
    select found.id, found.created_at
    from unnest(${[...ids]}::text[]) as ranked (id)
    cross join lateral (
      select l.id, ${tx.unsafe(TIME)} as created_at from links l
      where l.id = ranked.id and ${where} offset 0
    ) as found`
}

async function readUnranked(
  tx: Tx,
  filter: Filter,
  ranked: readonly string[],
  sortOrder: string,
  { limit, offset, after }: { limit: number; offset: number; after: ClickPlace | null },
): Promise<ClickPlace[]> {
  const [direction, compared] = sortOrder === 'asc' ? ['asc', '>'] : ['desc', '<']
  const beyond = after
    ? tx`and (l.created_at, l.id) ${tx.unsafe(compared)} (${after.createdAt}::text::timestamptz, ${after.id})`
    : tx``
  const where = isUnranked(tx, filter, ranked)
  const rows = await tx<Match[]>`
    select l.id, ${tx.unsafe(TIME)} as created_at from links l where ${where} ${beyond}
    order by l.created_at ${tx.unsafe(direction)}, l.id ${tx.unsafe(direction)}
    limit ${limit} offset ${offset}`
  return rows.map((row) => ({ ...row, clicks: 0 }))
}

async function countUnranked(tx: Tx, filter: Filter, ranked: readonly string[]): Promise<number> {
  const where = isUnranked(tx, filter, ranked)
  const [row] = await tx<[{ n: number }]>`select count(*) as n from links l where ${where}`
  return row.n
}

function isUnranked(tx: Tx, filter: Filter, ranked: readonly string[]): Fragment {
  return tx`${filter(tx)} and l.id <> all(${[...ranked]}::text[])`
}

function readRows(tx: Tx, { workspaceId }: Principal, ids: readonly string[]) {
  return tx<LinkRow[]>`
    select ${columnsOf(tx)}, ${aliasesOf(tx)}
    from links l ${withCounters(tx)}
    where l.workspace_id = ${workspaceId} and l.id = any(${[...ids]}::text[])`
}
