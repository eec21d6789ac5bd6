import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import { readUnshipped } from '../journal/age.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { isSilent } from './reports.ts'

type Deps = {
  sql: SystemSql
  clock: Clock
  log: Log
  registry: Registry
  /** `DATA_DIR/journal` if this process has journals, which it reads instead of its own reports. */
  journalDir: string | null
}

/** Answers of this time share one reading. */
const CACHED_MS = 100

type Reported = { shippedBefore: Date | null; silent: string[] }

/**
 * Returns a function for the `asOf` of answers: a time before which every click that any edge answered is in
 * both databases (docs/decisions/0024). An answer calls it before it counts. Between two calls the time may
 * stand still for as long as an edge cannot ship, while clicks of other edges are counted.
 */
export function createShippedThrough(deps: Deps): () => Promise<number> {
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
          'an edge reports no more on its click journal: asOf does not wait for its unshipped clicks. Start that edge again, or ship its journal from another machine',
        )
    known = new Set(silent)
  }
}

/** Leaves out the journals of this process, whose files are more recent than their reports. */
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
