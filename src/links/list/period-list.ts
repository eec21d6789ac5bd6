import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { COUNTED_ROWS, pageMeta } from '../../platform/resources/paging.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import { readCursor, toCursor } from './cursor.ts'
import { refuseForeignGroups } from '../write/groups.ts'
import { countShown, readKnown, readRows, type ListDeps } from './list-reads.ts'
import type { Place } from './order.ts'
import { withPeriodConversions, type ClickPeriod, type PeriodClicksDeps } from './period-clicks.ts'
import {
  comparePlaces,
  countUnranked,
  readMatches,
  readMatchesAmong,
  readUnranked,
  type ClickPlace,
} from './period-order.ts'
import { isFiltered, type Known } from './query.ts'
import { toLink } from '../link/row.ts'
import type { ListLinks } from '../link/schema.ts'

type Deps = ListDeps & PeriodClicksDeps

type Asked = {
  principal: Principal
  query: ListLinks
  period: ClickPeriod
  signal: AbortSignal | undefined
  offset: number
  after: ClickPlace | null
  /** One more than the page has. */
  wanted: number
}
type Chosen = { places: ClickPlace[]; meta: object; clicks: ReadonlyMap<string, number> }

/**
 * Numbers of most clicked links that are read where more than 10,000 match; more of them only for a page
 * that the first do not fill, as when most of them are deleted.
 */
const MOST_CLICKED = [10_000, 100_000]

/**
 * A page in the order of the clicks of a period. ClickHouse has the clicks and PostgreSQL the links, and no
 * transaction waits for ClickHouse:
 *
 *   matches ──≤ 10,000──▶ clicks of each ─────────────────────▶ sorted here ──▶ page
 *      └── more ──▶ most clicked of the workspace ──▶ those that match ──▶ then the others, newest first
 *
 * Clicks that arrive between two pages move links, which a later page may repeat or leave out, as in every order
 * by a value that changes.
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
  const asked: Asked = { principal, query, period, signal, offset, after, wanted: limit + 1 }
  const now = new Date(deps.clock())
  const isPart = isFiltered(query)
  const found = await deps.reads.read(principal, signal, async (tx) => {
    await refuseForeignGroups(tx, principal, query)
    const known = await readKnown(deps, tx, principal, query, now)
    const matches = await readMatches(tx, principal, query, known)
    const isAll = matches.length <= COUNTED_ROWS
    return {
      known,
      matches,
      total: isAll || isPart ? matches.length : await countShown(tx, principal, query),
    }
  })
  const chosen =
    found.matches.length <= COUNTED_ROWS
      ? await chooseAmongFew(deps, asked, found.matches)
      : await chooseAmongMany(deps, asked, found.known)
  const shown = chosen.places.slice(0, limit)
  const last = chosen.places.length > limit ? shown.at(-1)! : null
  const ids = shown.map(({ id }) => id)
  const rows = await deps.reads.read(principal, signal, (tx) => readRows(tx, principal, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const links = ids.flatMap((id) => {
    // Deleted since the page was chosen.
    const row = byId.get(id)
    if (!row) return []
    const link = toLink(row, deps.shortHost(), deps.clock())
    return { ...link, periodClicks: chosen.clicks.get(id) ?? 0 }
  })
  const currency = query.currency
  const earned = await withPeriodConversions(
    deps,
    principal,
    { ...period, currency },
    links,
    signal,
  )
  return page(earned.links, {
    ...pageMeta(found.total, isPart, { limit, offset }),
    nextCursor:
      last && toCursor(principal, query, { key: `${last.clicks} ${last.createdAt}`, id: last.id }),
    ...chosen.meta,
    ...earned.meta,
  })
}

/** The key of a cursor of this order: clicks and time of creation. */
function toPlace(place: Place | null): ClickPlace | null {
  if (place === null) return null
  const [clicks = '', createdAt = ''] = place.key!.split(' ')
  return { id: place.id, clicks: Number(clicks), createdAt }
}

async function chooseAmongFew(
  deps: Deps,
  { principal, query, period, signal, ...slice }: Asked,
  matches: readonly { id: string; createdAt: string }[],
): Promise<Chosen> {
  const ids = matches.map(({ id }) => id)
  const { clicks, meta } = await deps.linkClicks.ofLinks(principal, { ...period, ids }, signal)
  const places = toPlaces(matches, clicks)
  const ordered = query.sortOrder === 'asc' ? places.toReversed() : places
  const start = toStart(ordered, query, slice)
  return { places: ordered.slice(start, start + slice.wanted), clicks, meta }
}

async function chooseAmongMany(deps: Deps, asked: Asked, known: Known): Promise<Chosen> {
  const { principal, query, period, signal, wanted } = asked
  for (const [at, most] of MOST_CLICKED.entries()) {
    const { clicks, meta } = await deps.linkClicks.mostClicked(
      principal,
      { ...period, most },
      signal,
    )
    const ids = [...clicks.keys()]
    const chosen = await deps.reads.read(principal, signal, async (tx) => {
      const ranked = toPlaces(await readMatchesAmong(tx, principal, query, known, ids), clicks)
      const isEnough =
        clicks.size < most ||
        at === MOST_CLICKED.length - 1 ||
        (query.sortOrder !== 'asc' && toStart(ranked, query, asked) + wanted <= ranked.length)
      return isEnough ? join(tx, asked, known, ranked) : null
    })
    if (chosen === null) continue
    const others = chosen.filter((place) => !clicks.has(place.id)).map(({ id }) => id)
    const further = await deps.linkClicks.ofLinks(principal, { ...period, ids: others }, signal)
    return { places: chosen, clicks: new Map([...clicks, ...further.clicks]), meta }
  }
  throw new Error('the last number of links is always enough')
}

/** The part of the order that is asked for: the ranked links, and after them, or before them, the others. */
async function join(tx: Tx, asked: Asked, known: Known, ranked: readonly ClickPlace[]) {
  const { principal, query, after, offset, wanted } = asked
  const ids = ranked.map(({ id }) => id)
  const unranked = (limit: number, skipped: number) =>
    readUnranked(tx, principal, query, known, ids, {
      limit,
      offset: skipped,
      after: after?.clicks === 0 ? after : null,
    })
  if (query.sortOrder !== 'asc') {
    const start = toStart(ranked, query, asked)
    const first = ranked.slice(start, start + wanted)
    if (first.length === wanted) return first
    const skipped = after === null ? Math.max(0, offset - ranked.length) : 0
    return [...first, ...(await unranked(wanted - first.length, skipped))]
  }
  const rising = ranked.toReversed()
  const first = after === null || after.clicks === 0 ? await unranked(wanted, offset) : []
  if (first.length === wanted) return first
  const isBeyond = first.length === 0 && offset > 0
  const skipped = isBeyond ? offset - (await countUnranked(tx, principal, query, known, ids)) : 0
  const start = after === null ? skipped : toStart(rising, query, asked)
  return [...first, ...rising.slice(start, start + wanted - first.length)]
}

function toPlaces(
  links: readonly { id: string; createdAt: string }[],
  clicks: ReadonlyMap<string, number>,
): ClickPlace[] {
  return links
    .map(({ id, createdAt }) => ({ id, createdAt, clicks: clicks.get(id) ?? 0 }))
    .toSorted(comparePlaces)
}

/** Index of the first place of the page among places that are in the order of the list. */
function toStart(
  places: readonly ClickPlace[],
  { sortOrder }: ListLinks,
  { after, offset }: Pick<Asked, 'after' | 'offset'>,
): number {
  if (after === null) return offset
  const sign = sortOrder === 'asc' ? -1 : 1
  const start = places.findIndex((place) => sign * comparePlaces(place, after) > 0)
  return start === -1 ? places.length : start
}
