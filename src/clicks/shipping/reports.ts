import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { repeat, type Service } from '../../platform/core/service.ts'
import { readUnshipped } from '../journal/reader.ts'
import type { Fragment, Sql, SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { Gauge, type Registry } from 'prom-client'

type Deps = {
  sql: SystemSql
  clock: Clock
  log: Log
  /** One process reports all journals of this folder; the others only report that theirs has started. */
  journalDir: string
}

const REPORT_EVERY_MS = 500
/** A longer pause between two reports: PostgreSQL was unreachable, or the process was stopped. */
const GAP_SECONDS = 30
/** A journal without reports no longer counts after this time, if another one reports throughout it. */
const SILENT_AFTER_MINUTES = 10
const FORGOTTEN_AFTER_DAYS = 30

/**
 * Reports what these journals have not shipped, for the `asOf` of responses in all processes:
 *
 *   start ──report──▶ first click ──report, every half second──▶ all shipped ──retire──▶ no row
 *                                        └── killed: the row stays until a shipper has shipped the journal
 *
 * Invariant: a journal with answered clicks that are not stored has a row, with a time no later than
 * theirs.
 */
export class JournalReports {
  readonly service: Service = { name: 'journal-reports', run: (signal) => this.#run(signal) }
  readonly #deps: Deps
  /** Journals whose row is deleted, although their folder may still exist. */
  readonly #retired = new Set<string>()
  /** The last statement sent: a report must not restore a row that is being deleted. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  report(only?: string): Promise<void> {
    return this.#inTurn(async () => {
      const { sql, clock, journalDir } = this.#deps
      const nowMs = clock()
      const journals = [...(await readUnshipped(journalDir))]
        .filter(([id]) => !this.#retired.has(id) && (only === undefined || id === only))
        .map(([journalId, sinceMs]) => ({
          journalId,
          ms: Math.floor(Math.min(nowMs, sinceMs)),
        }))
      if (journals.length === 0) return
      await sql`
        insert into journal_reports (journal_id, shipped_before, reported_at, reporting_since)
        select report."journalId", to_timestamp(report.ms / 1000.0), now(), now()
        from json_to_recordset(${JSON.stringify(journals)}::text::json)
          as report ("journalId" text, ms bigint)
        on conflict (journal_id) do update set
          shipped_before = excluded.shipped_before,
          reported_at = excluded.reported_at,
          reporting_since = case
            when journal_reports.reported_at < now() - make_interval(secs => ${GAP_SECONDS})
              then excluded.reporting_since
            else journal_reports.reporting_since end`
    })
  }

  /** Before its folder is removed: nobody would find a row without a folder. */
  retire(journalId: string): Promise<void> {
    this.#retired.add(journalId)
    return this.#inTurn(async () => {
      await this.#deps.sql`delete from journal_reports where journal_id = ${journalId}`
    })
  }

  #run(signal: AbortSignal): Promise<void> {
    const { log } = this.#deps
    return repeat(
      signal,
      REPORT_EVERY_MS,
      () => this.report(),
      log,
      'unshipped clicks not reported: trying again',
    )
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}

export async function forgetSilentJournals(sql: SystemSql): Promise<void> {
  await sql`
    delete from journal_reports r
    where r.reported_at < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS}) and ${isSilent(sql)}`
}

/** Another journal has reported for ten minutes during which this one has not. None reports: none is silent. */
export function isSilent(sql: Sql): Fragment {
  return sql`exists (
    select from journal_reports other
    where other.reported_at - greatest(other.reporting_since, r.reported_at)
      > make_interval(mins => ${SILENT_AFTER_MINUTES}))`
}

export type JournalState = { id: string; shippedBefore: Date; reportedAt: Date; isSilent: boolean }

const MAX_LISTED = 100

/** The journals of all edges with clicks that are not stored yet, the one that lags the most first. */
export function listUnshipped(sql: SystemSql): Promise<JournalState[]> {
  return sql<JournalState[]>`
    select r.journal_id as id, r.shipped_before, r.reported_at, ${isSilent(sql)} as is_silent
    from journal_reports r order by r.shipped_before, r.journal_id limit ${MAX_LISTED}`
}

export type ShippedThroughDeps = {
  sql: SystemSql
  clock: Clock
  log: Log
  registry: Registry
  /** `DATA_DIR/journal` if this process has journals, which it reads instead of its own reports. */
  journalDir: string | null
}

const CACHED_MS = 100

type Reported = { shippedBefore: Date | null; silent: string[] }

/**
 * Returns a function for the `asOf` of responses: a time before which every click that any edge answered is
 * in both databases (docs/decisions/0024). Call it before counting. It may stand still while one edge
 * cannot ship, although clicks of other edges are counted.
 */
export function createShippedThrough(deps: ShippedThroughDeps): () => Promise<number> {
  const { clock, log } = deps
  const silence = new Gauge({
    name: 'signpost_journals_silent',
    help: 'Journals that an edge has not reported on for ten minutes. Their unshipped clicks are missing, and asOf does not wait for them.',
    registers: [deps.registry],
  })
  let known: ReadonlySet<string> = new Set()
  let reading: { value: Promise<number>; startedMs: number } | null = null

  return () => {
    const nowMs = performance.now()
    if (reading !== null && nowMs - reading.startedMs < CACHED_MS) return reading.value
    const started = { value: read(), startedMs: nowMs }
    reading = started
    started.value.catch(() => {
      if (reading === started) reading = null
    })
    return started.value
  }

  async function read(): Promise<number> {
    const nowMs = clock()
    const own =
      deps.journalDir === null ? new Map<string, number>() : await readUnshipped(deps.journalDir)
    const { shippedBefore, silent } = await readReports(deps.sql, [...own.keys()])
    note(silent)
    return Math.min(nowMs, shippedBefore?.getTime() ?? Infinity, ...own.values())
  }

  function note(silent: readonly string[]): void {
    silence.set(silent.length)
    for (const journalId of silent)
      if (!known.has(journalId))
        log.warn(
          { journalId },
          'an edge no longer reports on its click journal, so asOf does not wait for its unshipped clicks: start it again, or ship its journal from another machine',
        )
    known = new Set(silent)
  }
}

/** Leaves out this process's journals, whose files are more recent than their reports. */
async function readReports(sql: SystemSql, own: readonly string[]): Promise<Reported> {
  const [row] = await sql<[Reported]>`
    with reports as (
      select r.journal_id, r.shipped_before, ${isSilent(sql)} as is_silent
      from journal_reports r where r.journal_id <> all(${[...own]}::text[])
    )
    select min(shipped_before) filter (where not is_silent) as shipped_before,
      coalesce(array_agg(journal_id) filter (where is_silent), '{}') as silent
    from reports`
  return row
}
