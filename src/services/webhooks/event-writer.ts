import type { Clock } from '../../base/clock.ts'
import { FairQueue } from '../../base/fair-queue.ts'
import { sleep } from '../../base/service.ts'
import type { Who } from '../../base/who.ts'
import { countsByEvent, fanOutPart, type EventRow } from '../../delivery/outbox.ts'
import { allOf, inTransaction, type SystemSql, type Tx } from '../../storage/postgres.ts'
import { runParts, type Part } from '../../storage/statement-parts.ts'
import type { Audit } from '../audit.ts'
import type { RequireCapability } from '../limits.ts'

/** Transactions at a time; events that arrive while all are open wait for the next one and share it. */
const LANES = 2
/**
 * A transaction that takes longer keeps no lane, and a shared one that waits longer for a lock is rolled back, so that the
 * deletion of one workspace delays events of others for a moment at most.
 */
const LANE_MS = 250
/** Events of one shared transaction. */
const MAX_EVENTS = 32
/**
 * Events of one user, and of one workspace, that wait for a lane or are written in one. Further ones wait before them, and users take
 * turns.
 */
const MAX_EVENTS_OF_OWNER = 32
/**
 * Transactions of one event, of one user and of one workspace. With the five of their other requests (src/gateway/concurrency.ts) they
 * leave some of the ten connections of the request role to all others.
 */
const MAX_ALONE_OF_OWNER = 3
const MAX_WAITING_OF_OWNER = 500
const MESSAGE = 'Too many events at a time. Wait for some of them to be answered.'
/** Larger events are written alone, and never hold up smaller ones. */
const MAX_SHARED_BYTES = 16 * 1024
/** So are those of a workspace and type whose last event had more deliveries. */
const MAX_SHARED_DELIVERIES = 10
/** Workspaces and types that are remembered; the oldest one is forgotten first. */
const MAX_REMEMBERED = 10_000

type Deps = {
  systemSql: SystemSql
  clock: Clock
  audit: Audit
  requireCapability: RequireCapability
  /**
   * Writes one event in a transaction of its workspace.
   * @returns the number of its deliveries
   * @throws ApiError when the plan refuses it
   */
  writeAlone: (who: Who, row: EventRow) => Promise<number>
}

/** An event of a caller, and the answer to its `write`. */
type Waiting = Pick<PromiseWithResolvers<number>, 'resolve' | 'reject'> & {
  who: Who
  row: EventRow
}

/**
 * Writes events of callers. Under load those of any workspaces share a transaction, since most of the cost of a small
 * write is that of its statement and commit:
 *
 *   write ──a lane is free──▶ alone ──────────────────────▶ number of deliveries
 *     └──none is──▶ waiting ──a lane becomes free──▶ together ──▲
 *                                                 └──refused──▶ each alone
 *
 * A shared statement runs as the system role, which sees every workspace: each row carries the workspace of its caller,
 * and nothing that the statement reads reaches an answer but the number of deliveries of the caller's own event.
 */
export class EventWriter {
  readonly #deps: Deps
  /** Bounds of owners for the lanes, and for transactions of single events. */
  readonly #sharing = queueOf(MAX_EVENTS_OF_OWNER)
  readonly #alone = queueOf(MAX_ALONE_OF_OWNER)
  /** Events that wait for a lane, the oldest first. */
  readonly #waiting: Waiting[] = []
  /**
   * Workspaces and types, as `topicOf` names them, whose last event failed or had many deliveries. Both by type, so that no
   * workspace can share a large fan-out by sending an event without one before it.
   */
  readonly #separate = new Set<string>()
  #openLanes = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * @returns the number of deliveries queued
   * @throws ApiError when the plan refuses the event, or RATE_LIMITED when too many events of its owner wait
   */
  write(who: Who, row: EventRow, signal?: AbortSignal): Promise<number> {
    if (Buffer.byteLength(row.data) > MAX_SHARED_BYTES || this.#separate.has(topicOf(row)))
      return this.#writeAlone(who, row, signal)
    const join = () =>
      new Promise<number>((resolve, reject) => {
        this.#waiting.push({ who, row, resolve, reject })
        if (this.#openLanes < LANES) void this.#runLane()
      })
    return this.#sharing.run(ownersOf(who), signal, join)
  }

  /**
   * Runs a transaction for one event of the caller within the bounds of its owners.
   * @throws ApiError RATE_LIMITED when too many of them wait
   */
  runAlone<T>(who: Who, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return this.#alone.run(ownersOf(who), signal, work)
  }

  /** Writes what waits until nothing does. */
  async #runLane(): Promise<void> {
    this.#openLanes++
    while (this.#waiting.length > 0) {
      const over = new AbortController()
      const events = this.#waiting.splice(0, MAX_EVENTS)
      const written = this.#writeTogether(events).finally(() => over.abort())
      await Promise.race([written, sleep(LANE_MS, over.signal)])
    }
    this.#openLanes--
  }

  async #writeTogether(events: readonly Waiting[]): Promise<void> {
    const [first] = events
    if (first && events.length === 1) return this.#settleAlone(first)
    try {
      const counts = await this.#insert(events)
      for (const { row, resolve } of events) {
        const deliveries = counts[row.id] ?? 0
        this.#note(row, deliveries)
        resolve(deliveries)
      }
    } catch (error) {
      // After a lost connection, for example, the transaction may have been committed.
      if (!isRefusedStatement(error)) return rejectAll(events, error)
      for (const { row } of events) this.#note(row, Infinity)
      await Promise.all(events.map((waiting) => this.#settleAlone(waiting)))
    }
  }

  async #insert(events: readonly Waiting[]): Promise<Readonly<Record<string, number>>> {
    const { systemSql, clock, audit, requireCapability } = this.#deps
    const workspaceIds = events.map(({ who }) => who.workspaceId)
    const rows = events.map(({ row }) => row)
    const toParts = (tx: Tx): Part[] => {
      const fanOut = fanOutPart(tx, clock, rows)
      return [
        requireCapability.partOfAll(tx, workspaceIds, 'webhooks'),
        { ...fanOut, columns: tx`${fanOut.columns}, ${countsByEvent(tx, 'by_event')}` },
        audit.partOfCallers(
          tx,
          events.map(({ who, row }) => ({ who, entry: toEntry(row) })),
        ),
      ]
    }
    const [, written] = await inTransaction(systemSql, (tx) =>
      allOf([
        tx`select set_config('lock_timeout', ${`${LANE_MS}ms`}, true)`.execute(),
        runParts(tx, toParts(tx)),
      ]),
    )
    return written['byEvent'] as Record<string, number>
  }

  async #settleAlone({ who, row, resolve, reject }: Waiting): Promise<void> {
    await this.#writeAlone(who, row).then(resolve, reject)
  }

  async #writeAlone(who: Who, row: EventRow, signal?: AbortSignal): Promise<number> {
    try {
      const write = () => this.#deps.writeAlone(who, row)
      const deliveries = await this.runAlone(who, signal, write)
      this.#note(row, deliveries)
      return deliveries
    } catch (error) {
      this.#note(row, Infinity)
      throw error
    }
  }

  #note(row: EventRow, deliveries: number): void {
    const topic = topicOf(row)
    this.#separate.delete(topic)
    if (deliveries <= MAX_SHARED_DELIVERIES) return
    this.#separate.add(topic)
    if (this.#separate.size > MAX_REMEMBERED)
      this.#separate.delete(this.#separate.values().next().value!)
  }
}

function queueOf(maxRunningPerKey: number): FairQueue {
  return new FairQueue({
    maxRunningPerKey,
    maxWaitingPerKey: MAX_WAITING_OF_OWNER,
    message: MESSAGE,
  })
}

function ownersOf({ userId, workspaceId }: Who): readonly string[] {
  return [`user:${userId}`, `workspace:${workspaceId}`]
}

/** Events with the same topic have the same endpoints, and the same plan allows them. */
function topicOf({ workspaceId, type }: EventRow): string {
  return `${workspaceId} ${type}`
}

/** The audit row of an event that a caller sends. */
export function toEntry({ id, type }: EventRow) {
  return { action: 'webhook.dispatched', target: { type: 'event', id, name: type } } as const
}

/** True for an error of the statement itself, which rolls its transaction back; the connection goes on. */
function isRefusedStatement(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR'
}

function rejectAll(events: readonly Waiting[], error: unknown): void {
  for (const { reject } of events) reject(error)
}
