import { sleep } from '../../platform/core/service.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import {
  inRanges,
  isJournalId,
  JOURNAL_SQL,
  SEQUENCE_SQL,
  type SegmentRanges,
} from '../../platform/storage/clickhouse/segment-ranges.ts'

/** The rows of `clicks` of one month that came with these segments. */
export type Source = { month: number; segments: SegmentRanges }

export type Piece = { from: number; until: number; clicks: number }

/** Columns of `click_days` by group, as in the projections of `clicks`. */
const GROUPS = {
  places: 'country, region, city, continent',
  agents: 'device, browser, os',
  sources: 'referrer, trigger, domain_id, route',
  campaigns: 'language, utm_source, utm_medium, utm_campaign, utm_term, utm_content',
  destinations: 'destination',
} as const
const GROUP_NAMES = ['visits', ...Object.keys(GROUPS)]
const LABELS = Object.values(GROUPS).join(', ').split(', ')

/**
 * Clicks of one statement: a second's work of the embedded engine, in which no other insert runs. An
 * hour with more of them is one piece.
 */
const PIECE_CLICKS = 200_000
/** A list of journals takes about 50 bytes of the statement for each. */
const STATEMENT_SETTINGS = { max_query_size: '16000000' } as const
const MUTATION_POLL_MS = 100
const MUTATION_EVERY_MS = 30_000

/** ClickHouse's side of the retention of clicks. */
export class FoldCopy {
  readonly #clickhouse: ClickHouseClient
  readonly #pieceClicks: number

  constructor(clickhouse: ClickHouseClient, pieceClicks = PIECE_CLICKS) {
    this.#clickhouse = clickhouse
    this.#pieceClicks = pieceClicks
  }

  /** Months that have rows before an instant, which is the start of a month. */
  async monthsBefore(ms: number): Promise<number[]> {
    const rows = await this.#read<{ month: string }>(
      `select distinct _partition_id as month from clicks
        where at < fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC') order by month`,
    )
    return rows.map(({ month }) => Number(month))
  }

  /** Journals with rows in a month, and the last sequence of each. */
  async journalsOf(month: number): Promise<Map<string, number>> {
    const rows = await this.#read<{ journal: string; through: number }>(
      `select ${JOURNAL_SQL} as journal, max(${SEQUENCE_SQL}) as through
        from clicks where toYYYYMM(at) = ${month} group by journal order by journal`,
    )
    const known = rows.filter(({ journal }) => isJournalId(journal))
    return new Map(known.map(({ journal, through }) => [journal, through]))
  }

  async piecesOf(source: Source): Promise<Piece[]> {
    const hours = await this.#read<{ hour: number; clicks: number }>(
      `select toUnixTimestamp(toStartOfHour(at)) as hour, count() as clicks
        from clicks where ${isIn(source)} group by hour order by hour`,
    )
    const pieces: Piece[] = []
    for (const { hour, clicks } of hours) {
      const last = pieces.at(-1)
      const until = hour + 3_600
      if (last && last.clicks + clicks <= this.#pieceClicks) {
        last.until = until
        last.clicks += clicks
      } else pieces.push({ from: hour, until, clicks })
    }
    return pieces
  }

  async copy(fold: string, source: Source, { from, until }: Piece): Promise<void> {
    const where = `${isIn(source)} and at >= toDateTime(${from}, 'UTC') and at < toDateTime(${until}, 'UTC')`
    await this.#command(
      `insert into click_days (fold, workspace_id, link_id, kind, day, grp, ${LABELS.join(', ')},
        clicks, workspace_visitors, link_visitors)
      ${GROUP_NAMES.map((group) => groupSql(fold, group, where)).join('\nunion all\n')}`,
      { max_threads: 1, insert_deduplicate: 0 },
    )
  }

  /** True when each group of the fold has this number of clicks. */
  async hasCopied(fold: string, clicks: number): Promise<boolean> {
    const rows = await this.#read<{ clicks: number }>(
      `select grp, sum(clicks) as clicks from click_days where fold = '${fold}' group by grp`,
    )
    return rows.length === GROUP_NAMES.length && rows.every((row) => row.clicks === clicks)
  }

  async count(source: Source): Promise<number> {
    const [row] = await this.#read<{ clicks: number }>(
      `select count() as clicks from clicks where ${isIn(source)}`,
    )
    return row!.clicks
  }

  /** A mutation of these rows alone; it may be repeated at any time. */
  async delete(source: Source, signal: AbortSignal): Promise<void> {
    let requestedAtMs = -Infinity
    for (;;) {
      signal.throwIfAborted()
      const rows = await this.#read(`select 1 from clicks where ${isIn(source)} limit 1`)
      if (rows.length === 0) return
      if (performance.now() - requestedAtMs > MUTATION_EVERY_MS) {
        requestedAtMs = performance.now()
        await this.#command(
          `alter table clicks delete in partition ${source.month} where ${isIn(source)}`,
          { mutations_sync: '0' },
        )
      }
      await sleep(MUTATION_POLL_MS, signal)
    }
  }

  async drop(fold: string, month: number): Promise<void> {
    await this.#command(`alter table click_days drop partition (${month}, '${fold}')`)
  }

  async #read<Row>(query: string): Promise<Row[]> {
    const answer = await this.#clickhouse.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: STATEMENT_SETTINGS,
    })
    return answer.json<Row>()
  }

  async #command(query: string, settings: Record<string, string | number> = {}): Promise<void> {
    await this.#clickhouse.command({
      query,
      clickhouse_settings: { ...STATEMENT_SETTINGS, ...settings, wait_end_of_query: 1 },
    })
  }
}

function isIn({ month, segments }: Source): string {
  return `toYYYYMM(at) = ${month} and ${inRanges(segments)}`
}

function groupSql(fold: string, group: string, where: string): string {
  const columns = group === 'visits' ? [] : GROUPS[group as keyof typeof GROUPS].split(', ')
  const labels = LABELS.map((name) => (columns.includes(name) ? name : `'' as ${name}`))
  const visitors = (state: string) =>
    group === 'visits' ? `${state}(visitor, visitor != 0)` : `${state}(toUInt64(0), 0)`
  const keys = ['workspace_id', 'link_id', 'kind', 'toDate(at)', ...columns]
  return `select '${fold}', workspace_id, link_id, kind, toDate(at), '${group}', ${labels.join(', ')},
    count(), ${visitors('uniqCombined64StateIf(14)')}, ${visitors('uniqCombined64StateIf')}
    from clicks where ${where} group by ${keys.join(', ')}`
}
