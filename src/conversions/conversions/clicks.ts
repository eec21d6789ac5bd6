import { requireLinkId } from '../../analytics/questions/scope.ts'
import { instant } from '../../analytics/questions/span.ts'
import { isUlid, timeOfUlid } from '../../platform/core/ids.ts'
import type { NamedClick } from '../../platform/facts/click-identity.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { SHARES } from '../../platform/limits/times.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import { ReadBounds } from '../../platform/storage/postgres/read-bounds.ts'

export const LABEL_COLUMNS = [
  ...(['country', 'region', 'city', 'continent', 'device', 'browser', 'os', 'referrer'] as const),
  ...(['language', 'trigger', 'destination', 'route', 'domain_id'] as const),
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const),
] as const
export type Labels = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>

export type FoundClick = {
  clickId: string
  linkId: string
  slug: string
  clickedAt: Date
  labels: Labels
}

type Row = { click_id: string; link_id: string; slug: string; at_ms: number } & Labels

const STATEMENT_SECONDS = 3
const MAX_QUERY_BYTES = 4 * 1024 * 1024

export async function findClicks(
  clickhouse: ClickHouseClient,
  workspaceId: string,
  clicks: readonly NamedClick[],
  signal?: AbortSignal,
): Promise<FoundClick[]> {
  if (clicks.length === 0) return []
  const answer = await clickhouse.query({
    query: `
      select click_id, link_id, slug, toUnixTimestamp64Milli(at) as at_ms, ${LABEL_COLUMNS.join(', ')}
      from clicks
      where workspace_id = {workspaceId:String} and kind in ('human', 'bot', 'preview', 'prefetch') and (${clicks.map(namedClickSql).join(' or ')})
      limit 1 by click_id`,
    query_params: { workspaceId },
    format: 'JSONEachRow',
    clickhouse_settings: {
      max_execution_time: STATEMENT_SECONDS,
      max_query_size: String(MAX_QUERY_BYTES),
    },
    ...(signal && { abort_signal: signal }),
  })
  const rows = await answer.json<Row>()
  return rows.map(({ click_id, link_id, slug, at_ms, ...labels }) => {
    return { clickId: click_id, linkId: link_id, slug, clickedAt: new Date(at_ms), labels }
  })
}

/** The id of a click is made first; until its time is set, a redirect may wait for databases and passwords. */
const ID_BEFORE_CLICK_MS = 60_000

/** Ids are part of the statement: many of them do not fit into a URL. */
export function namedClickSql({ clickId, linkId }: NamedClick): string {
  if (!isUlid(clickId)) throw new Error('this is not the id of a click')
  if (linkId !== null) requireLinkId(linkId)
  const atMs = timeOfUlid(clickId)
  const times = `at >= ${instant(atMs)} and at < ${instant(atMs + ID_BEFORE_CLICK_MS)}`
  const ofLink = linkId === null ? '' : `link_id = '${linkId}' and `
  return `(${ofLink}${times} and click_id = '${clickId}')`
}

type Deps = { clickhouse: ClickHouseClient; log: Log }

export type FoundClicks = ReadonlyMap<string, FoundClick>

/** Requests that share a statement; it begins when the one before it has ended. */
type Batch = { clicks: NamedClick[]; answer: Promise<FoundClicks> }

const MAX_CLICKS = 500
const MAX_READ_MS = 3_000
/** A request waits this long for the clicks that it names; without an answer its conversions wait for them. */
const MAX_WAIT_MS = 1_000
const NOTHING: FoundClicks = new Map()

/** One statement at a time per workspace serves all requests that came meanwhile, within half a reader's time. */
export class ClickLookup {
  readonly #deps: Deps
  readonly #batches = new Map<string, Batch>()
  readonly #bounds = new ReadBounds({
    places: PLACES.clickLookups,
    share: SHARES.clickLookups,
    maxReadMs: MAX_READ_MS,
    maxWaitMs: MAX_WAIT_MS,
  })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Finds none beyond the bounds of the workspace, or while ClickHouse is unavailable. */
  async find(workspaceId: string, clicks: readonly NamedClick[]): Promise<FoundClicks> {
    if (clicks.length === 0) return NOTHING
    const open = this.#batches.get(workspaceId)
    const batch =
      open && open.clicks.length + clicks.length <= MAX_CLICKS ? open : this.#begin(workspaceId)
    batch.clicks.push(...clicks)
    try {
      return await batch.answer
    } catch (error) {
      if (!(error instanceof ApiError))
        this.#deps.log.warn({ err: error }, 'clicks of conversions could not be looked up')
      return NOTHING
    }
  }

  #begin(workspaceId: string): Batch {
    const clicks: NamedClick[] = []
    const close = () => {
      if (this.#batches.get(workspaceId) === batch) this.#batches.delete(workspaceId)
    }
    const run = async () => {
      // Requests of this turn of the event loop join it, also when it may begin at once.
      await Promise.resolve()
      return this.#bounds.run([`workspace:${workspaceId}`], undefined, async () => {
        close()
        const stop = AbortSignal.timeout(MAX_READ_MS)
        const found = await findClicks(this.#deps.clickhouse, workspaceId, clicks, stop)
        return new Map(found.map((click) => [click.clickId, click]))
      })
    }
    const batch: Batch = { clicks, answer: run().finally(close) }
    this.#batches.set(workspaceId, batch)
    return batch
  }
}
