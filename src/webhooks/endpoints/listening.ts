import type { Clock } from '../../platform/core/clock.ts'
import { invalid } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { createOpaque, type Opaque } from '../../platform/core/opaque.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { sleep } from '../../platform/core/service.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { isEventType } from '../events.ts'
import type { HeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import type { CheckCapability } from '../../platform/plans/limits.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { EventBatch, Listen } from './schema.ts'

type Deps = {
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  secrets: Pick<Secrets, 'keyFor'>
  requireCapability: CheckCapability
}

/**
 * The client has received everything committed in the snapshot `seen`. A time could not tell, since events
 * commit in another order than they are written.
 */
type Cursor = {
  seen: string
  seenAtMs: number
  /** While the events of one snapshot are sent in pages: the snapshot, and the last event sent. */
  page?: { moment: string; createdAtMs: number; id: string }
}

type EventRow = { id: string; type: string; workspaceId: string; createdAt: Date; data: string }

const PAGE_ROWS = 100
const POLL_EVERY_MS = 1_000
/** Longer than any transaction that writes events, so older rows need not be read. */
const LONGEST_COMMIT_MS = 120_000

export type Listening = ReturnType<typeof createListening>

/** Long polling for `signpost listen`, for receivers that deliveries cannot reach. */
export function createListening(deps: Deps) {
  const listeners = new FairQueue(PLACES.listeners)
  const reader = { deps, cursors: createOpaque<Cursor>(deps.secrets, 'listen-cursor-1') }
  return {
    listen: (principal: Principal, query: Listen, signal?: AbortSignal) =>
      listeners.run(
        [`user:${principal.userId}`, `workspace:${principal.workspaceId}`],
        signal,
        () => listen(reader, principal, query, signal),
      ),
  }
}

type Reader = { deps: Deps; cursors: Opaque<Cursor> }

/** Without a cursor, only returns one. */
async function listen(reader: Reader, principal: Principal, query: Listen, signal?: AbortSignal) {
  const types = query.events === undefined ? null : parseTypes(query.events)
  const since =
    query.cursor === undefined
      ? null
      : reader.cursors.open(principal.workspaceId, query.cursor, 'cursor')
  const deadlineMs = performance.now() + query.waitSeconds * 1_000
  let batch = await readBatch(reader, principal, since, types, signal)
  for (;;) {
    const leftMs = deadlineMs - performance.now()
    if (since === null || batch.events.length > 0 || leftMs <= 0) return batch
    await sleep(Math.min(POLL_EVERY_MS, leftMs), signal)
    if (signal?.aborted) return batch
    try {
      batch = await readBatch(reader, principal, since, types, signal)
    } catch {
      // An unavailable database, as at shutdown, only ends the wait.
      return batch
    }
  }
}

async function readBatch(
  { deps, cursors }: Reader,
  principal: Principal,
  since: Cursor | null,
  types: string[] | null,
  signal?: AbortSignal,
): Promise<EventBatch> {
  return deps.reads.read(principal, signal, async (tx) => {
    await deps.requireCapability(tx, principal.workspaceId, 'webhooks')
    const [row] = await tx<{ moment: string }[]>`select pg_current_snapshot()::text as moment`
    const { moment } = row!
    const rows = since === null ? [] : await listUnseen(tx, principal, since, types)
    return {
      events: rows.slice(0, PAGE_ROWS).map(show),
      cursor: cursors.seal(principal.workspaceId, nextCursor(since, rows, moment, deps.clock())),
    }
  })
}

function nextCursor(since: Cursor | null, rows: readonly EventRow[], now: string, nowMs: number) {
  const moment = since?.page?.moment ?? now
  if (since === null || rows.length <= PAGE_ROWS) return { seen: moment, seenAtMs: nowMs }
  const last = rows[PAGE_ROWS - 1]!
  return {
    seen: since.seen,
    seenAtMs: since.seenAtMs,
    page: { moment, createdAtMs: last.createdAt.getTime(), id: last.id },
  }
}

async function listUnseen(
  tx: Tx,
  principal: Principal,
  { seen, seenAtMs, page }: Cursor,
  types: string[] | null,
) {
  const isAfterPage = page
    ? tx`and pg_visible_in_snapshot(x.id, ${page.moment}::pg_snapshot)
        and (e.created_at, e.id) > (${new Date(page.createdAtMs)}, ${page.id})`
    : tx``
  return tx<EventRow[]>`
    select e.id, e.type, e.workspace_id, e.created_at, e.data from events e
    -- The 32 bits of the row's transaction id, extended by the higher bits of the current one.
    cross join lateral (
      select (now_id - ((now_id - e.xmin::text::bigint) & 4294967295))::text::xid8 as id
      from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as now_id) as newest
    ) as x
    where e.workspace_id = ${principal.workspaceId} and e.endpoint_id is null
      and e.created_at > ${new Date(seenAtMs - LONGEST_COMMIT_MS)}
      ${types === null ? tx`` : tx`and e.type = any(${types}::text[])`}
      and not pg_visible_in_snapshot(x.id, ${seen}::pg_snapshot)
      ${isAfterPage}
    order by e.created_at, e.id limit ${PAGE_ROWS + 1}`
}

function parseTypes(text: string): string[] | null {
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => type !== '*' && !isEventType(type))
  if (unknown !== undefined)
    throw invalid('events', `${JSON.stringify(unknown)} is not an event type.`)
  return types.includes('*') ? null : types
}

function show({ id, type, workspaceId, createdAt, data }: EventRow): EventBatch['events'][number] {
  return { id, type, workspaceId, createdAt: createdAt.toISOString(), payload: data }
}
