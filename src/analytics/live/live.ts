import { Readable } from 'node:stream'
import { Type, type Static } from 'typebox'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Sent } from '../../platform/routes/route.ts'
import { repeat, type Service } from '../../platform/core/service.ts'
import { scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import { toClickData, type ToShortUrl } from '../../platform/facts/click-data.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { idInput, integer, text } from '../../platform/resources/shapes.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { refuseForeign } from '../../platform/resources/ownership.ts'
import { LiveFeed } from './live-feed.ts'
import { LivePlaces } from './live-places.ts'
import { findMissed, findPlace, type Missed, type Topic } from './live-rows.ts'
import { LiveStream, toClickEvent, toSkipped } from './live-stream.ts'

const MAX_SECONDS = 4 * 3_600

export const LiveQuery = Type.Object({
  linkId: Type.Optional(idInput('lnk', 'Only clicks of this link.')),
  maxSeconds: integer(
    'The stream ends after this time. 0 sends what came after `Last-Event-ID`, and ends.',
    3_600,
    { minimum: 0, maximum: MAX_SECONDS, default: MAX_SECONDS },
  ),
})
type LiveQuery = Static<typeof LiveQuery>

export const LiveHeaders = Type.Object({
  'last-event-id': Type.Optional(
    text(
      'The `id` of the last event that the client received: the clicks after it come first.',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      { maxLength: 100 },
    ),
  ),
})
type LiveHeaders = Static<typeof LiveHeaders>

type Deps = Pick<Dependencies, 'systemSql' | 'reads' | 'clickhouse' | 'clock' | 'log'> & {
  toShortUrl: ToShortUrl
}

/** The holder of a stream; `keyId` or `sessionId` is the credential that opened it. */
type Holder = {
  workspaceId: string
  userId: string
  keyId: string | null
  sessionId: string | null
}

type Open = Holder & { end: () => void }
/** The clicks after the last one that a client received; null: some of them are unknown. */
type Resumed = Missed | null

export const LIVE_SCOPE = 'analytics:read'

const CHECK_EVERY_MS = 10_000
/** A client that reads nothing does not keep its connection after the end of its stream. */
const END_WITHIN_MS = 5_000
/** A resumed stream gets at most this many of the clicks that it missed: the newest. */
const MAX_MISSED = 1_000
const MISSED_PER_READ = 100
const CHUNK_BYTES = 16 * 1024

/** Clicks as they begin to count, as server-sent events. */
export class LiveClicks {
  readonly #deps: Deps
  readonly #feed: LiveFeed
  readonly #places = new LivePlaces()
  readonly #open = new Set<Open>()
  readonly #missedReads = new FairQueue(PLACES.missedClicks)
  #isClosed = false
  readonly services: readonly Service[]

  constructor(deps: Deps) {
    this.#deps = deps
    this.#feed = new LiveFeed(deps)
    const check: Service = {
      name: 'live-standing',
      run: (signal) =>
        repeat(
          signal,
          CHECK_EVERY_MS,
          () => this.#check(),
          deps.log,
          'the credentials of live streams could not be checked; trying again',
        ),
    }
    this.services = [this.#feed.service, check]
  }

  wake(): void {
    this.#feed.wake()
  }

  /** Ends every stream, for the end of the process; clients connect to another one. */
  close(): void {
    this.#isClosed = true
    for (const { end } of this.#open) end()
  }

  /**
   * @param signal ends the stream
   * @throws ApiError RATE_LIMITED beyond the streams of a workspace, a user or this process; FORBIDDEN for a link of
   *   another workspace
   */
  async start(
    principal: Principal,
    { query, headers }: { query: LiveQuery; headers: LiveHeaders },
    signal?: AbortSignal,
    caller?: Caller,
  ): Promise<Sent> {
    if (this.#isClosed) throw new ApiError('UNAVAILABLE')
    const { linkId = null, maxSeconds } = query
    const topic: Topic = { workspaceId: principal.workspaceId, linkId }
    const stream = new LiveStream(topic)
    const release = this.#hold(principal, caller, stream, signal)
    try {
      if (linkId !== null)
        await this.#deps.reads.read(principal, signal, (tx) =>
          refuseForeign(tx, principal, 'linkId', linkId),
        )
      const through = await this.#feed.add(stream)
      const lastId = headers['last-event-id'] ?? ''
      const missed =
        lastId === ''
          ? undefined
          : await this.#findMissed(principal, topic, { lastId, through }, signal)
      signal?.throwIfAborted()
      const parts = stream.write(
        this.#writeMissed(principal, missed, signal),
        performance.now() + maxSeconds * 1_000,
      )
      const body = Readable.from(parts, { objectMode: false, highWaterMark: CHUNK_BYTES })
      body.once('close', release.now)
      release.onEnd(() => setTimeout(() => body.destroy(), END_WITHIN_MS).unref())
      return { contentType: 'text/event-stream', body, headers: { 'x-accel-buffering': 'no' } }
    } catch (error) {
      release.now()
      throw error
    }
  }

  /** Takes a place, which is given back once: at the end of the stream, or of its request. */
  #hold(
    principal: Principal,
    caller: Caller | undefined,
    stream: LiveStream,
    signal?: AbortSignal,
  ) {
    const { workspaceId, userId, actor } = principal
    let onEnd = () => {}
    const end = () => {
      stream.end()
      onEnd()
    }
    const leave = this.#places.take(principal, end)
    const open: Open = {
      workspaceId,
      userId,
      keyId: actor.type === 'api_key' ? actor.id : null,
      sessionId: caller?.session?.id ?? null,
      end,
    }
    this.#open.add(open)
    const now = () => {
      leave()
      stream.end()
      this.#open.delete(open)
      this.#feed.remove(stream)
      signal?.removeEventListener('abort', now)
    }
    signal?.addEventListener('abort', now, { once: true })
    return { now, onEnd: (ended: () => void) => (onEnd = ended) }
  }

  /** @returns null when the clicks after this one are no longer known */
  #findMissed(
    principal: Principal,
    topic: Topic,
    { lastId, through }: { lastId: string; through: number },
    signal?: AbortSignal,
  ): Promise<Resumed> {
    const { systemSql, clickhouse } = this.#deps
    return this.#missedReads.run(ownersOf(principal), signal, async () => {
      const place = await findPlace(systemSql, clickhouse, topic.workspaceId, lastId)
      return place && findMissed(systemSql, clickhouse, topic, place, through)
    })
  }

  async *#writeMissed(principal: Principal, missed: Resumed | undefined, signal?: AbortSignal) {
    if (missed === undefined) return
    const skipped = missed && Math.max(0, missed.clicks - MAX_MISSED)
    if (skipped !== 0) yield toSkipped(skipped)
    if (missed === null) return
    for (let offset = skipped!; offset < missed.clicks; offset += MISSED_PER_READ) {
      const rows = await this.#missedReads.run(ownersOf(principal), signal, () =>
        missed.read(offset, MISSED_PER_READ),
      )
      for (const row of rows) yield toClickEvent(toClickData(row, this.#deps.toShortUrl))
    }
  }

  async #check(): Promise<void> {
    const { systemSql, clock } = this.#deps
    const gone = await findGone(systemSql, [...this.#open], new Date(clock()))
    for (const { end } of gone) end()
  }
}

function ownersOf({ userId, workspaceId }: Principal): readonly string[] {
  return [`user:${userId}`, `workspace:${workspaceId}`]
}

/**
 * The holders who may no longer read analytics: their key or session is revoked or expired, the user is suspended or no
 * longer a member, or the workspace is suspended or deleted.
 */
async function findGone<H extends Holder>(
  sql: SystemSql,
  holders: readonly H[],
  now: Date,
): Promise<H[]> {
  if (holders.length === 0) return []
  const rows = await sql<{ n: number; scopes: string[] | null }[]>`
    select h.n, k.scopes
    from unnest(${holders.map((_, n) => n)}::int[], ${holders.map((holder) => holder.workspaceId)}::text[],
      ${holders.map((holder) => holder.userId)}::text[], ${holders.map((holder) => holder.keyId ?? '')}::text[],
      ${holders.map((holder) => holder.sessionId ?? '')}::text[])
      as h (n, workspace_id, user_id, key_id, session_id)
    join members m on m.workspace_id = h.workspace_id and m.user_id = h.user_id
    join workspaces w on w.id = h.workspace_id and w.suspended_at is null
    join users u on u.id = h.user_id and u.suspended_at is null
    left join api_keys k on k.id = h.key_id and k.workspace_id = h.workspace_id
      and k.user_id = h.user_id and (k.expires_at is null or k.expires_at > ${now})
    left join sessions s on s.id = h.session_id and s.user_id = h.user_id
      and s.expires_at > ${now} and s.ends_at > ${now}
    where (h.key_id = '' or k.id is not null) and (h.session_id = '' or s.id is not null)`
  const valid = new Set(
    rows.filter(({ scopes }) => scopeCovers(scopes, LIVE_SCOPE)).map(({ n }) => n),
  )
  return holders.filter((_, n) => !valid.has(n))
}
