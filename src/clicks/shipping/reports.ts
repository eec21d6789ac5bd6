import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { repeat, type Service } from '../../platform/core/service.ts'
import { readUnshipped } from '../journal/age.ts'
import type { Fragment, Sql, SystemSql } from '../../platform/storage/postgres/postgres.ts'

type Deps = {
  sql: SystemSql
  clock: Clock
  log: Log
  /** `DATA_DIR/journal`. One process reports all journals in it; the others only that theirs has begun. */
  journalDir: string
}

const REPORT_EVERY_MS = 500
/** A longer pause between two reports interrupts them: PostgreSQL was not reachable, or the process was stopped. */
const GAP_SECONDS = 30
/** Time without a report after which a journal no longer counts, if another journal reports all the while. */
const SILENT_AFTER_MINUTES = 10
const FORGOTTEN_AFTER_DAYS = 30

/**
 * Reports what the journals of this process have not shipped, for the `asOf` of answers in all processes:
 *
 *   start ──report──▶ first click ──report, every half second──▶ all shipped ──retire──▶ no row
 *                                        └── killed: the row stays until a shipper has shipped the journal
 *
 * Invariant: a journal with answered clicks that are not stored has a row, which is not later than them.
 */
export class JournalReports {
  readonly service: Service = { name: 'journal-reports', run: (signal) => this.#run(signal) }
  readonly #deps: Deps
  /** Journals that have no row any more, although their folder may still be there. */
  readonly #retired = new Set<string>()
  /** The statement that was sent last: a report must not restore a row that is being deleted. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * @param only the id of one journal, instead of all
   * @throws the error of PostgreSQL or of the file system
   */
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

  /**
   * Removes the row of a journal whose clicks are all stored, before its folder: a folder without a row
   * is found at the next start, and a row without a folder would be found by none.
   */
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

/** Deletes the rows of machines that never returned. */
export async function forgetSilentJournals(sql: SystemSql): Promise<void> {
  await sql`
    delete from journal_reports r
    where r.reported_at < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS}) and ${isSilent(sql)}`
}

/**
 * Whether the journal of a row `r` is silent: another one has reported for ten minutes in which this one has
 * not. While none reports, PostgreSQL may have been unreachable for all of them, so none is silent.
 */
export function isSilent(sql: Sql): Fragment {
  return sql`exists (
    select from journal_reports other
    where other.reported_at - greatest(other.reporting_since, r.reported_at)
      > make_interval(mins => ${SILENT_AFTER_MINUTES}))`
}
