import { createHash } from 'node:crypto'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'

/**
 * The longest time that rows are kept, for changes that come without a segment: a purged workspace, or a replica that
 * receives rows late.
 */
const KEPT_MS = 60_000
/** About ten megabytes. */
const MAX_ROWS = 50_000
const MAX_ROWS_OF_ONE = 5_000

type Kept = { rows: readonly unknown[]; untilMs: number }

/**
 * Rows that statements have counted, until any server commits another segment of clicks or batch of conversions: a
 * question that is repeated in a quiet minute costs ClickHouse nothing. A statement names its workspace, period, filters and folded
 * months, so whatever changes an answer changes the key.
 */
export class KeptRows {
  readonly #sql: SystemSql
  readonly #kept = new Map<string, Kept>()
  #commits = ''
  #rows = 0

  constructor(sql: SystemSql) {
    this.#sql = sql
  }

  async read<Row>(
    { query, params }: { query: string; params: Record<string, unknown> },
    work: () => Promise<Row[]>,
  ): Promise<Row[]> {
    // Read before the clicks, so that no kept row misses one of these.
    const commits = await this.#readCommits()
    if (commits !== this.#commits) this.#forget(commits)
    const key = createHash('sha256')
      .update(JSON.stringify([query, params]))
      .digest('base64')
    const known = this.#kept.get(key)
    if (known && known.untilMs > performance.now()) return known.rows as Row[]
    const rows = await work()
    if (commits === this.#commits && rows.length <= MAX_ROWS_OF_ONE) this.#keep(key, rows)
    return rows
  }

  #forget(commits: string): void {
    this.#kept.clear()
    this.#rows = 0
    this.#commits = commits
  }

  #keep(key: string, rows: readonly unknown[]): void {
    this.#drop(key)
    this.#kept.set(key, { rows, untilMs: performance.now() + KEPT_MS })
    this.#rows += rows.length + 1
    for (const oldest of this.#kept.keys()) {
      if (this.#rows <= MAX_ROWS) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const known = this.#kept.get(key)
    if (!known) return
    this.#kept.delete(key)
    this.#rows -= known.rows.length + 1
  }

  /** Changes with every commit. */
  async #readCommits(): Promise<string> {
    const sql = this.#sql
    const [row] = await sql<[{ commits: string }]>`
      select concat_ws('/', count(*), sum(sequence),
        (select max(batch) from conversion_batches),
        (select count(*) from conversion_batches where copied_at is null)) as commits
      from journal_cursors`
    return row.commits
  }
}
