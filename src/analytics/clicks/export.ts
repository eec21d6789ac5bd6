import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Sent } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { BYTE_ORDER_MARK, toCsvRecord } from '../../platform/resources/csv.ts'
import { toClicksFrom, type EventDeps } from './events.ts'
import { EVENT_COLUMNS, isOfKind, toEvent, toPseudonym, type EventRow } from './events-rows.ts'
import type { ExportQuery } from './events-schema.ts'
import type { ToShortUrl } from '../../platform/facts/click-data.ts'
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  labelOfEmpty,
  type Dimension,
} from '../questions/dimensions.ts'
import { instant } from '../questions/span.ts'
import { readQuestion, type Question, type QuestionDeps } from '../questions/question.ts'
import { SECOND_MS } from '../../platform/core/clock.ts'

/** Clicks in one read: one turn of the event loop parses them, and they stay in memory until the client takes them. */
const PAGE_CLICKS = 500
/** Exports take turns at one of the two to four readers of the embedded ClickHouse. */
const MAX_EXPORTS = PLACES.clickExportPages.maxWaitingPerKey
const MAX_EXPORTS_PER_USER = 4
/** Cores of one read; the others stay free for redirects. */
const MAX_THREADS = 1
const MAX_EXECUTION_SECONDS = 20
const MAX_QUERY_BYTES = 16 * 1024 * 1024
const KEY_BYTES = 32
const FIRST_SPAN_MS = 3_600 * SECOND_MS
const LONGEST_SPAN_MS = 31 * 24 * FIRST_SPAN_MS

type ExportDeps = QuestionDeps & Pick<EventDeps, 'toClickUrl'>
type Running = { workspaceId: string; userId: string }
type Export = {
  principal: Principal
  query: Pick<ExportQuery, 'kind'>
  question: Question
  /** Makes the pseudonyms of this export. */
  key: KeyObject
  signal: AbortSignal | undefined
  /** Makes room for the next export. */
  end: () => void
}
/** Where the next page begins: at this time, after this click. */
type Place = { fromMs: number; afterId: string }
type Span = { from: Place; untilMs: number; signal: AbortSignal | undefined }

/** The clicks of a period as a file, oldest first: one export of a workspace at a time. */
export class ClickExports {
  readonly #deps: ExportDeps
  readonly #pageClicks: number
  readonly #running = new Set<Running>()
  readonly #pages = new FairQueue(PLACES.clickExportPages)

  constructor(deps: ExportDeps, pageClicks = PAGE_CLICKS) {
    this.#deps = deps
    this.#pageClicks = pageClicks
  }

  /**
   * @param signal ends the export, and makes room for the next one
   * @throws ApiError VALIDATION_ERROR for a wrong period or filter; RATE_LIMITED while another export of the
   *   workspace runs, or too many of the user or of this server
   */
  async start(principal: Principal, query: ExportQuery, signal?: AbortSignal): Promise<Sent> {
    const bots = { ...query, includeBots: true }
    const question = await readQuestion(this.#deps, principal, {}, bots, signal)
    const end = hold(this.#running, principal)
    signal?.addEventListener('abort', end, { once: true })
    try {
      signal?.throwIfAborted()
      const run = {
        principal,
        query,
        question,
        key: createSecretKey(randomBytes(KEY_BYTES)),
        signal,
        end,
      }
      const { format } = query
      const clicksFrom = toClicksFrom(question)
      return {
        contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
        filename: `clicks-${new Date(this.#deps.clock()).toISOString().slice(0, 10)}.${format}`,
        ...(clicksFrom !== null && { headers: { 'x-signpost-clicks-from': clicksFrom } }),
        body: format === 'csv' ? this.#writeCsv(run) : this.#writeJson(run),
      }
    } catch (error) {
      end()
      throw error
    }
  }

  async *#writeCsv(run: Export): AsyncGenerator<string> {
    const { toClickUrl } = this.#deps
    try {
      yield BYTE_ORDER_MARK + toCsvRecord(EXPORT_COLUMNS)
      for await (const rows of this.#readPages(run))
        yield rows
          .map((row) => toCsvRecord(toExportTexts(row, toClickUrl, toVisitor(run))))
          .join('')
    } finally {
      run.end()
    }
  }

  async *#writeJson(run: Export): AsyncGenerator<string> {
    const { toClickUrl } = this.#deps
    try {
      let before = '['
      for await (const rows of this.#readPages(run)) {
        const texts = rows.map((row) => JSON.stringify(toEvent(row, toClickUrl, toVisitor(run))))
        yield `${before}\n${texts.join(',\n')}`
        before = ','
      }
      yield before === '[' ? '[]\n' : '\n]\n'
    } finally {
      run.end()
    }
  }

  /**
   * The same clicks as a table, for a report. Its reads take turns with exports.
   * @param dimensions the columns beside those that name the click; all of them by default
   */
  async openRows(
    principal: Principal,
    query: Omit<ExportQuery, 'format'>,
    dimensions?: readonly Dimension[],
  ) {
    const full = await readQuestion(this.#deps, principal, {}, { ...query, includeBots: true })
    const { startMs, endMs } = full.current
    // Leaves out clicks that arrive during the read, which might otherwise never end.
    const question = {
      ...full,
      current: { startMs, endMs: Math.min(endMs, this.#deps.clock()) },
    }
    const run: Export = {
      principal,
      question,
      query,
      key: createSecretKey(randomBytes(KEY_BYTES)),
      signal: undefined,
      end: () => {},
    }
    const columns = EXPORT_COLUMNS.filter(
      (column) => !dimensions || !isDimension(column) || dimensions.includes(column),
    )
    return { columns, pages: this.#readTable(run, columns) }
  }

  async *#readTable(run: Export, columns: readonly string[]) {
    const { startMs, endMs } = run.question.current
    const kept = EXPORT_COLUMNS.map((column) => columns.includes(column))
    const { toClickUrl } = this.#deps
    for await (const page of this.#readPages(run)) {
      const done = (page.at(-1)!.at_ms - startMs) / Math.max(1, endMs - startMs)
      const rows = page.map((row) =>
        toExportTexts(row, toClickUrl, toVisitor(run)).filter((_text, at) => kept[at]),
      )
      yield { rows, done: Math.min(1, done) }
    }
  }

  /** Pages that are not empty. Each read takes its turn with other exports. */
  async *#readPages({ principal, query, question, signal }: Export): AsyncGenerator<EventRow[]> {
    const { scope, current } = question
    if (scope.isEmpty) return
    const owners = [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
    let place: Place = { fromMs: current.startMs, afterId: '' }
    let spanMs = FIRST_SPAN_MS
    while (place.fromMs < current.endMs) {
      signal?.throwIfAborted()
      const from: Place = place
      const untilMs = Math.min(current.endMs, from.fromMs + spanMs)
      const rows: EventRow[] = await this.#pages.run(owners, signal, () =>
        this.#readPage(question, query, { from, untilMs, signal }),
      )
      const last = rows.at(-1)
      place =
        last && rows.length === this.#pageClicks
          ? { fromMs: last.at_ms, afterId: last.click_id }
          : { fromMs: untilMs, afterId: '' }
      spanMs = toNextSpan(spanMs, rows.length / this.#pageClicks)
      if (rows.length > 0) yield rows
    }
  }

  async #readPage(
    { scope }: Question,
    { kind }: Pick<ExportQuery, 'kind'>,
    { from: { fromMs, afterId }, untilMs, signal }: Span,
  ): Promise<EventRow[]> {
    const answer = await this.#deps.clickhouse.query({
      query: `select ${EVENT_COLUMNS} from clicks
      where ${scope.where} and ${isOfKind(kind)}
        and at >= ${instant(fromMs)} and at < ${instant(untilMs)}
        and (at, click_id) > (${instant(fromMs)}, {afterId:String})
      order by at, click_id limit ${this.#pageClicks}`,
      query_params: { ...scope.params, afterId },
      format: 'JSONEachRow',
      clickhouse_settings: {
        max_threads: MAX_THREADS,
        max_execution_time: MAX_EXECUTION_SECONDS,
        max_query_size: String(MAX_QUERY_BYTES),
      },
      ...(signal && { abort_signal: signal }),
    })
    return answer.json<EventRow>()
  }
}

/** A visitor has one pseudonym in an export, and another one in the next. */
function toVisitor({ key, principal }: Export): (row: EventRow) => string | null {
  return ({ visitor }) => toPseudonym(key, principal.workspaceId, visitor)
}

/** Chooses the next span so that it holds about one page of clicks. */
function toNextSpan(spanMs: number, fullness: number): number {
  if (fullness === 1) return Math.max(SECOND_MS, Math.floor(spanMs / 2))
  return fullness < 1 / 4 ? Math.min(LONGEST_SPAN_MS, spanMs * 4) : spanMs
}

/** @returns a function that makes room again */
function hold(running: Set<Running>, { workspaceId, userId }: Principal): () => void {
  const all = [...running]
  if (all.some((other) => other.workspaceId === workspaceId))
    throw refusal('Another export of this workspace is running.', 1)
  if (all.filter((other) => other.userId === userId).length >= MAX_EXPORTS_PER_USER)
    throw refusal('Too many exports of this user are running.', MAX_EXPORTS_PER_USER)
  if (all.length >= MAX_EXPORTS)
    throw refusal('Too many exports of this server are running.', MAX_EXPORTS)
  const own = { workspaceId, userId }
  running.add(own)
  return () => void running.delete(own)
}

function refusal(reason: string, limit: number): ApiError {
  return new ApiError('RATE_LIMITED', `${reason} Start the next one when one of them has ended.`, {
    retryAfter: 1,
    limit,
    window: 1,
  })
}

/** Columns that are not labels of a breakdown. */
const OWN_COLUMNS = [
  ...(['id', 'timestamp', 'kind', 'linkId', 'slug', 'shortUrl', 'host', 'visitor'] as const),
] as const

function isDimension(column: string): column is Dimension {
  return Object.hasOwn(DIMENSIONS, column)
}

/** Dimensions have the labels of the breakdowns, so that counting a column gives a breakdown. */
export const EXPORT_COLUMNS = [...OWN_COLUMNS, ...DIMENSION_NAMES] as const

/** The texts of a click, in the order of {@link EXPORT_COLUMNS}. */
function toExportTexts(
  row: EventRow,
  toShortUrl: ToShortUrl,
  pseudonymOf: (row: EventRow) => string | null,
): string[] {
  const { id, timestamp, kind, link, visitor } = toEvent(row, toShortUrl, pseudonymOf)
  const { id: linkId, slug, shortUrl, domain: host } = link
  const own = { id, timestamp, kind, linkId, slug, shortUrl, host, visitor: visitor ?? '' }
  return [
    ...OWN_COLUMNS.map((column) => own[column]),
    ...DIMENSION_NAMES.map((name) => toLabel(row, name)),
  ]
}

/** Empty without a UTM value. */
function toLabel(row: EventRow, name: Dimension): string {
  return row[DIMENSIONS[name].column] || (labelOfEmpty(name) ?? '')
}
