import type { Log } from '../../platform/core/log.ts'
import {
  createOutageWarning,
  sleep,
  type Service,
  WakeSignal,
} from '../../platform/core/service.ts'
import { toClickData, type ToShortUrl } from '../../platform/facts/click-data.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import {
  MAX_SEGMENTS,
  readArrivals,
  readLastArrival,
  readNewest,
  type Arrival,
  type Topic,
} from './live-rows.ts'
import { toClickEvent, type LiveClick, type LiveStream } from './live-stream.ts'

type FeedDeps = {
  systemSql: SystemSql
  clickhouse: ClickHouseClient
  toShortUrl: ToShortUrl
  log: Log
}

/** The shortest time between two reads, which are for all streams and workspaces. */
const READ_EVERY_MS = 250
/** Reads without a notice, since one may be lost. */
const POLL_EVERY_MS = 1_000
/** Clicks of a topic that one read sends; the number of the others is sent. */
const CLICKS_PER_READ = 100

/**
 * Sends the clicks of this process's streams, read once for all of them:
 *
 *   commit of a segment ──notice, or a second──▶ click_arrivals after #position ──▶ clicks of those segments,
 *   of the workspaces with streams ──▶ streams
 *
 * Segments are read in the order in which they began to count, so that no click is left out or sent twice,
 * also when their ids have another order.
 */
export class LiveFeed {
  readonly #deps: FeedDeps
  readonly #streams = new Set<LiveStream>()
  readonly #changes = new WakeSignal()
  /** The last segment that was sent; null while there are no streams. */
  #position: number | null = null
  readonly service: Service = { name: 'live-clicks', run: (signal) => this.#run(signal) }

  constructor(deps: FeedDeps) {
    this.#deps = deps
  }

  wake(): void {
    if (this.#streams.size > 0) this.#changes.wake()
  }

  /**
   * Sends a stream the clicks of all segments that begin to count from now on.
   * @returns the last segment before
   */
  async add(stream: LiveStream): Promise<number> {
    // First, so that every read that ends after the returned segment includes its topic.
    this.#streams.add(stream)
    const after = await readLastArrival(this.#deps.systemSql)
    stream.beginAfter(after)
    this.#position ??= after
    return after
  }

  remove(stream: LiveStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size === 0) this.#position = null
  }

  async #run(signal: AbortSignal): Promise<void> {
    const warn = createOutageWarning(this.#deps.log)
    const stop = () => this.#changes.wake()
    signal.addEventListener('abort', stop, { once: true })
    while (!signal.aborted) {
      const startedMs = performance.now()
      const seen = this.#changes.count
      const isBehind = await this.#read().catch((error: unknown) => {
        if (!signal.aborted) warn({ err: error }, 'live clicks could not be read: trying again')
        return false
      })
      if (!isBehind) await this.#changes.givenSince(seen, POLL_EVERY_MS)
      await sleep(Math.max(0, READ_EVERY_MS - (performance.now() - startedMs)), signal)
    }
  }

  async #read(): Promise<boolean> {
    const { systemSql } = this.#deps
    const from = this.#position
    if (from === null) return false
    const workspaceIds = new Set(Array.from(this.#streams, ({ topic }) => topic.workspaceId))
    const arrivals = await readArrivals(systemSql, from, [...workspaceIds])
    const [first, last] = [arrivals[0], arrivals.at(-1)]
    if (!first || !last) return false
    const streams = [...this.#streams]
    // Segments that were dropped before they were read.
    if (first.arrival > from + 1) for (const stream of streams) stream.skip(null)
    const ours = arrivals.filter(({ isOurs }) => isOurs)
    const [ofWorkspaces, ofLinks] = [true, false].map((isWhole) =>
      streams.filter(({ topic }) => (topic.linkId === null) === isWhole),
    )
    await Promise.all([this.#send(ours, ofWorkspaces!), this.#send(ours, ofLinks!)])
    // The last stream may have left, and another one begun at a later segment.
    if (this.#position !== null) this.#position = Math.max(this.#position, last.arrival)
    return arrivals.length === MAX_SEGMENTS
  }

  /** @param streams of topics of one kind */
  async #send(arrivals: readonly Arrival[], streams: readonly LiveStream[]): Promise<void> {
    const topics = new Map(streams.map(({ topic }) => [toKey(topic), topic]))
    if (arrivals.length === 0 || topics.size === 0) return
    const { clickhouse, toShortUrl } = this.#deps
    const { rows, left } = await readNewest(
      clickhouse,
      arrivals,
      [...topics.values()],
      CLICKS_PER_READ,
    )
    const numbers = new Map(arrivals.map(({ segment, arrival }) => [segment, arrival]))
    const isOfLinks = streams[0]!.topic.linkId !== null
    const clicks = Map.groupBy(rows, (row) =>
      toKey({ workspaceId: row.workspace_id, linkId: isOfLinks ? row.link_id : null }),
    )
    for (const [key, topic] of topics) {
      const skipped = left.find((entry) => toKey(entry.topic) === key)?.clicks ?? 0
      const events = (clicks.get(toKey(topic)) ?? []).map((row): LiveClick => ({
        arrival: numbers.get(row.segment)!,
        text: toClickEvent(toClickData(row, toShortUrl)),
      }))
      for (const stream of streams) {
        if (toKey(stream.topic) !== key) continue
        if (skipped > 0) stream.skip(skipped)
        stream.push(events)
      }
    }
  }
}

function toKey({ workspaceId, linkId }: Topic): string {
  return `${workspaceId}/${linkId ?? ''}`
}
