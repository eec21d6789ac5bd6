import { createSecretKey } from 'node:crypto'
import type { Secrets } from '../../platform/core/secrets.ts'
import { createOpaque, type Opaque } from '../../platform/core/opaque.ts'
import { invalid } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import { COUNTED_ROWS, pageMeta } from '../../platform/resources/lists.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import {
  EVENT_COLUMNS,
  isOfKind,
  toEvent,
  toPseudonym,
  type EventKind,
  type EventRow,
} from './events-rows.ts'
import type { EventsQuery } from './events-schema.ts'
import { monthPeriod } from '../questions/folds.ts'
import { readQuestion, toMeta, type Question, type QuestionDeps } from '../questions/question.ts'
import type { ClickReader, Read } from '../questions/reader.ts'
import { instant } from '../questions/span.ts'
import { DAY_MS } from '../../platform/core/clock.ts'

export type EventDeps = QuestionDeps & {
  reader: ClickReader
  secrets: Pick<Secrets, 'keyFor'>
  toClickUrl: ToShortUrl
}

/** A click in the order of the log. */
type Place = { atMs: number; id: string }
type PlaceRow = { click_id: string; at_ms: number }

const CURSOR = 'click-log-cursor-1'
const VISITOR_KEY = 'click-log-visitor'
/** Looks for the newest clicks in the last day, then in longer and longer spans before it. */
const SPAN_GROWTH = 4

/**
 * The log of clicks, newest first. The times and ids of a page are read first, then its columns.
 * @throws ApiError VALIDATION_ERROR for a wrong period, filter or cursor; RATE_LIMITED beyond the bounds of
 *   user and workspace
 */
export async function listEvents(
  deps: EventDeps,
  principal: Principal,
  query: EventsQuery,
  signal?: AbortSignal,
) {
  const cursors = createOpaque<Place>(deps.secrets, CURSOR)
  const after = readCursor(cursors, principal, query)
  const question = await readQuestion(deps, principal, {}, { ...query, includeBots: false }, signal)
  const { kind, offset } = query
  const limit = clampLimit(query.limit)
  const { places, rows, matching } = await deps.reader.run(principal, signal, async (read) => {
    const found = await findPlaces(read, question, kind, after, offset + limit + 1)
    const shown = found.slice(offset, offset + limit + 1)
    const [listed, counted] = await Promise.all([
      readRows(read, principal, shown.slice(0, limit)),
      countMatching(read, question, kind),
    ])
    return { places: shown, rows: listed, matching: counted }
  })
  const last = places.length > limit ? places[limit - 1]! : null
  const key = createSecretKey(deps.secrets.keyFor(VISITOR_KEY))
  const toVisitor = (row: EventRow) =>
    toPseudonym(key, `${principal.workspaceId}\n${row.at.slice(0, 10)}`, row.visitor)
  return page(
    rows.map((row) => toEvent(row, deps.toClickUrl, toVisitor)),
    {
      ...toMeta(question),
      ...pageMeta(matching, true, { limit, offset }),
      clicksFrom: toClicksFrom(question),
      nextCursor: last && cursors.seal(principal.workspaceId, last),
    },
  )
}

/** The end of the last month of the period that is kept as daily counts only (docs/decisions/0026); null for none. */
export function toClicksFrom({ folds, current }: Question): string | null {
  const last = folds
    .map(({ month }) => monthPeriod(month))
    .findLast(({ startMs, endMs }) => startMs < current.endMs && endMs > current.startMs)
  return last ? new Date(last.endMs).toISOString() : null
}

function readCursor(
  cursors: Opaque<Place>,
  principal: Principal,
  query: EventsQuery,
): Place | null {
  if (query.cursor === undefined) return null
  if (query.offset > 0) throw invalid('offset', 'offset cannot be combined with cursor.')
  return cursors.open(principal.workspaceId, query.cursor, 'cursor')
}

/** Times and ids of the newest clicks before a place. */
async function findPlaces(
  read: Read,
  { scope, current }: Question,
  kind: EventKind,
  after: Place | null,
  count: number,
): Promise<Place[]> {
  const found: Place[] = []
  if (scope.isEmpty) return found
  const isBefore = after ? `and (at, click_id) < (${instant(after.atMs)}, {afterId:String})` : ''
  const params = { ...scope.params, ...(after && { afterId: after.id }) }
  let endMs = after ? Math.min(current.endMs, after.atMs + 1) : current.endMs
  for (let spanMs = DAY_MS; found.length < count && endMs > current.startMs;) {
    const startMs = Math.max(current.startMs, endMs - spanMs)
    const rows = await read<PlaceRow>({
      query: `select click_id, toUnixTimestamp64Milli(at) as at_ms from clicks
        where ${scope.where} and ${isOfKind(kind)}
          and at >= ${instant(startMs)} and at < ${instant(endMs)} ${isBefore}
        order by at desc, click_id desc limit ${count - found.length}`,
      params,
    })
    found.push(...rows.map((row) => ({ atMs: row.at_ms, id: row.click_id })))
    endMs = startMs
    spanMs *= SPAN_GROWTH
  }
  return found
}

async function readRows(
  read: Read,
  principal: Principal,
  places: readonly Place[],
): Promise<EventRow[]> {
  const [newest, oldest] = [places[0], places.at(-1)]
  if (!newest || !oldest) return []
  const rows = await read<EventRow>({
    query: `select ${EVENT_COLUMNS} from clicks
      where workspace_id = {workspaceId:String}
        and at >= ${instant(oldest.atMs)} and at <= ${instant(newest.atMs)}
        and click_id in {ids:Array(String)}`,
    params: { workspaceId: principal.workspaceId, ids: places.map(({ id }) => id) },
  })
  const byId = new Map(rows.map((row) => [row.click_id, row]))
  return places.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The number of matching clicks, to one more than an exact total. */
async function countMatching(
  read: Read,
  { scope, current }: Question,
  kind: EventKind,
): Promise<number> {
  if (scope.isEmpty) return 0
  const [row] = await read<{ clicks: number }>({
    query: `select count() as clicks from (
      select 1 from clicks where ${scope.where} and ${isOfKind(kind)}
        and at >= ${instant(current.startMs)} and at < ${instant(current.endMs)}
      limit ${COUNTED_ROWS + 1})`,
    params: scope.params,
  })
  return row!.clicks
}
