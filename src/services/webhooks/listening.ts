import type { Clock } from '../../base/clock.ts'
import { invalid } from '../../base/errors.ts'
import { FairQueue } from '../../base/fair-queue.ts'
import { createOpaque } from '../../base/opaque.ts'
import type { Secrets } from '../../base/secrets.ts'
import { sleep } from '../../base/service.ts'
import type { Who } from '../../base/who.ts'
import { isEventType } from '../../delivery/catalog.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Heard, Listen } from './schema.ts'

type Deps = {
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  secrets: Pick<Secrets, 'keyFor'>
  requireCapability: (tx: Tx, workspaceId: string, capability: 'webhooks') => Promise<void>
}

/**
 * What a listener has seen: everything that was committed at the moment of `seen`. Times are no
 * measure of that, since an event is written before it is committed, and others overtake it.
 */
type Cursor = {
  seen: string
  seenAtMs: number
  /** While a moment's events are handed out in pages: that moment, and the last one given. */
  page?: { moment: string; createdAtMs: number; id: string }
}

type EventRow = { id: string; type: string; workspaceId: string; createdAt: Date; data: string }

const PAGE_ROWS = 100
/** Of one workspace, and of one user; each of them reads once in `LOOK_EVERY_MS`. */
const MAX_LISTENERS = 5
const LOOK_EVERY_MS = 1_000
/** Longer than any transaction takes that writes events, so that no other rows are looked at. */
const LONGEST_COMMIT_MS = 120_000

export type Listening = ReturnType<typeof createListening>

/** Events as they come, for `signpost listen`: a receiver that no request can reach asks for them. */
export function createListening({ reads, clock, secrets, requireCapability }: Deps) {
  const cursors = createOpaque<Cursor>(secrets, 'listen-cursor-1')
  const listeners = new FairQueue({
    maxRunningPerKey: MAX_LISTENERS,
    maxWaitingPerKey: 0,
    message: `At most ${MAX_LISTENERS} requests of a workspace, and of a user, may wait for events.`,
  })
  return {
    /** @throws ApiError RATE_LIMITED beyond `MAX_LISTENERS` of a workspace or user */
    listen: (who: Who, query: Listen, signal?: AbortSignal) =>
      listeners.run([`user:${who.userId}`, `workspace:${who.workspaceId}`], signal, () =>
        listen(who, query, signal),
      ),
  }

  /**
   * Events since the cursor, the oldest first; without one, only where to begin. Waits for the first
   * of them, up to `waitSeconds`.
   */
  async function listen(who: Who, query: Listen, signal?: AbortSignal): Promise<Heard> {
    const types = query.events === undefined ? null : typesOf(query.events)
    const since =
      query.cursor === undefined ? null : cursors.open(who.workspaceId, query.cursor, 'cursor')
    const deadline = performance.now() + query.waitSeconds * 1_000
    let heard = await look(who, since, types, signal)
    for (;;) {
      const leftMs = deadline - performance.now()
      if (since === null || heard.events.length > 0 || leftMs <= 0) return heard
      await sleep(Math.min(LOOK_EVERY_MS, leftMs), signal)
      if (signal?.aborted) return heard
      try {
        heard = await look(who, since, types, signal)
      } catch {
        // A database that goes away, as at the end of the process, ends the wait and not more.
        return heard
      }
    }
  }

  async function look(
    who: Who,
    since: Cursor | null,
    types: string[] | null,
    signal?: AbortSignal,
  ): Promise<Heard> {
    return reads.read(who, signal, async (tx) => {
      await requireCapability(tx, who.workspaceId, 'webhooks')
      const [row] = await tx<{ moment: string }[]>`select pg_current_snapshot()::text as moment`
      const moment = row!.moment
      if (since === null)
        return {
          events: [],
          cursor: cursors.seal(who.workspaceId, { seen: moment, seenAtMs: clock() }),
        }
      const rows = await unseen(tx, who, since, types)
      const last = rows.length > PAGE_ROWS ? rows[PAGE_ROWS - 1] : undefined
      const cursor: Cursor = last
        ? {
            seen: since.seen,
            seenAtMs: since.seenAtMs,
            page: {
              moment: since.page?.moment ?? moment,
              createdAtMs: last.createdAt.getTime(),
              id: last.id,
            },
          }
        : { seen: since.page?.moment ?? moment, seenAtMs: clock() }
      return {
        events: rows.slice(0, PAGE_ROWS).map(show),
        cursor: cursors.seal(who.workspaceId, cursor),
      }
    })
  }

  /** One more than a page, which tells that there are more. */
  async function unseen(
    tx: Tx,
    who: Who,
    { seen, seenAtMs, page }: Cursor,
    types: string[] | null,
  ) {
    const after =
      page &&
      tx`
      and pg_visible_in_snapshot(x.id, ${page.moment}::pg_snapshot)
      and (e.created_at, e.id) > (${new Date(page.createdAtMs)}, ${page.id})`
    return tx<EventRow[]>`
      select e.id, e.type, e.workspace_id, e.created_at, e.data from events e
      -- The row's 32 bits of a transaction id, with those above them.
      cross join lateral (
        select (now_id - ((now_id - e.xmin::text::bigint) & 4294967295))::text::xid8 as id
        from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as now_id) as newest
      ) as x
      where e.workspace_id = ${who.workspaceId} and e.endpoint_id is null
        and e.created_at > ${new Date(seenAtMs - LONGEST_COMMIT_MS)}
        ${types === null ? tx`` : tx`and e.type = any(${types}::text[])`}
        and not pg_visible_in_snapshot(x.id, ${seen}::pg_snapshot)
        ${after ?? tx``}
      order by e.created_at, e.id limit ${PAGE_ROWS + 1}`
  }
}

/** `*`, or types with commas between them. */
function typesOf(text: string): string[] | null {
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => type !== '*' && !isEventType(type))
  if (unknown !== undefined)
    throw invalid('events', `There is no event type ${JSON.stringify(unknown)}.`)
  return types.includes('*') ? null : types
}

function show({ id, type, workspaceId, createdAt, data }: EventRow): Heard['events'][number] {
  return { id, type, workspaceId, createdAt: createdAt.toISOString(), payload: data }
}
