import { availableParallelism } from 'node:os'
import { PLACES, type Places } from '../../platform/limits/places.ts'
import { SHARES, type Share } from '../../platform/limits/times.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { ReadBounds } from '../../platform/storage/postgres/read-bounds.ts'
import type { KeptRows } from './kept-rows.ts'

export type Statement = {
  query: string
  params: Record<string, unknown>
  /** It reads few rows, and no projection. */
  isSmall?: boolean
  /** Refused as {@link isTooMany} when the index cannot rule out that it reads more rows. */
  maxRows?: number
  /** Its rows change only when clicks or conversions are stored, so they may be kept (KeptRows). */
  isKept?: boolean
}

/** Runs statements of one read, all within its time limit. */
export type Read = <Row>(statement: Statement) => Promise<Row[]>

export type ReadLimits = {
  statementSeconds: number
  /** Time limit of all statements of a read together. */
  countingMs: number
  /**
   * Database time that a user or workspace may use at once. It comes back over twice that time: half of one reader.
   */
  share: Share
}

/** Below the gateway's timeout. */
const LIMITS: ReadLimits = { statementSeconds: 8, countingMs: 9_000, share: SHARES.analytics }
const { analytics } = PLACES
const PLACES_BY_CORES: Places = {
  ...analytics,
  maxRunningPerKey: Math.min(Math.max(availableParallelism(), 2) - 1, analytics.maxRunningPerKey),
}
/** Comparing a select with every projection, and a second thread, cost more than the rows. */
const SMALL = { optimize_use_projections: 0, max_threads: 1 } as const
/** A statement may name 100,000 links. */
const MAX_QUERY_BYTES = 16 * 1024 * 1024

/** Reads of clicks, bounded for each user and workspace (docs/decisions/0012). */
export class ClickReader {
  readonly #clickhouse: ClickHouseClient
  readonly #limits: ReadLimits
  readonly #bounds: ReadBounds
  readonly #kept: KeptRows | null

  constructor(
    clickhouse: ClickHouseClient,
    limits: ReadLimits = LIMITS,
    kept: KeptRows | null = null,
  ) {
    this.#clickhouse = clickhouse
    this.#limits = limits
    this.#kept = kept
    this.#bounds = new ReadBounds({
      places: PLACES_BY_CORES,
      share: limits.share,
      maxReadMs: limits.countingMs,
    })
  }

  /**
   * Runs `work`, whose statements end with the signal.
   * @throws ApiError RATE_LIMITED beyond the bounds of user and workspace; UNAVAILABLE when the clicks
   *   take too long to count
   */
  run<T>(
    principal: Principal,
    signal: AbortSignal | undefined,
    work: (read: Read) => Promise<T>,
  ): Promise<T> {
    const owners = [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
    return this.#bounds.run(owners, signal, () => {
      const deadline = AbortSignal.timeout(this.#limits.countingMs)
      const stop = signal ? AbortSignal.any([deadline, signal]) : deadline
      return work(<Row>(statement: Statement) => {
        const readNow = () => this.#read<Row>(stop, statement)
        return this.#kept && statement.isKept ? this.#kept.read(statement, readNow) : readNow()
      })
    })
  }

  async #read<Row>(
    stop: AbortSignal,
    { query, params, isSmall, maxRows }: Statement,
  ): Promise<Row[]> {
    try {
      const result = await this.#clickhouse.query({
        query,
        query_params: params,
        format: 'JSONEachRow',
        clickhouse_settings: {
          max_execution_time: this.#limits.statementSeconds,
          max_query_size: String(MAX_QUERY_BYTES),
          // All parts of an answer count the same clicks. The default since ClickHouse 25.12.
          enable_shared_storage_snapshot_in_query: 1,
          ...(isSmall && SMALL),
          ...(maxRows !== undefined && { max_rows_to_read: String(maxRows) }),
        },
        abort_signal: stop,
      })
      return await result.json<Row>()
    } catch (error) {
      if (!stop.aborted && !isTimeout(error)) throw error
      throw new ApiError(
        'UNAVAILABLE',
        'These clicks take too long to count. Ask for a shorter period, or for fewer filters.',
      )
    }
  }
}

/** TOO_MANY_ROWS of the server. */
export function isTooMany(error: unknown): boolean {
  return (error as { code?: unknown }).code === '158'
}

/** TIMEOUT_EXCEEDED of the server. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '159'
}
