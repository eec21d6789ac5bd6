import { PLACES } from '../../platform/limits/places.ts'
import { SHARES } from '../../platform/limits/times.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import type { NamedClick } from '../../platform/facts/click-identity.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { ReadBounds } from '../../platform/storage/postgres/read-bounds.ts'
import { findClicks, type FoundClick } from './clicks.ts'

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
