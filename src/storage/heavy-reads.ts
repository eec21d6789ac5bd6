import { sleep, withinMs } from '../base/service.ts'
import { inSnapshot, type SystemSql, type TenantSql, type Tx } from './postgres.ts'
import { createReadBounds } from './read-bounds.ts'

type Deps = {
  /** A pool of the request role that nothing else uses, with `READ_PARAMETERS`. */
  readSql: TenantSql
  /** The same of the worker role, for what a person has in several workspaces. */
  systemReadSql: SystemSql
  /** The time limit of a statement in those pools. */
  maxReadMs?: number
  maxWaitingPerOwner?: number
}

type Owner = { userId: string; workspaceId: string }

export type HeavyReads = {
  /**
   * Runs `work` in a read-only snapshot of the workspace, within the bounds of user and workspace.
   * When the signal is aborted, a read that waits leaves the queue, and the statement that runs is
   * cancelled in the database.
   * @throws ApiError RATE_LIMITED beyond the bounds, and for a statement that takes too long
   */
  read<T>(who: Owner, signal: AbortSignal | undefined, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Gives `work` a pool that sees all workspaces, within the bounds of the user. */
  readOfPerson<T>(
    userId: string,
    signal: AbortSignal | undefined,
    work: (systemReadSql: SystemSql) => Promise<T>,
  ): Promise<T>
}

export const MAX_READS = 4
const MAX_READS_PER_OWNER = 2
const MAX_READ_MS = 3_000
/** One read is one core at most. */
export const READ_PARAMETERS = {
  statement_timeout: String(MAX_READ_MS),
  max_parallel_workers_per_gather: '0',
} as const

const QUERY_CANCELED = '57014'
const CANCEL_ATTEMPTS = 5
const CANCEL_EVERY_MS = 20
const CANCEL_TIMEOUT_MS = 1_000

/** Reads whose cost a workspace decides: lists, searches, logs, exports. */
export function createHeavyReads(deps: Deps): HeavyReads {
  const { readSql, systemReadSql, maxReadMs = MAX_READ_MS, maxWaitingPerOwner } = deps
  const bounds = createReadBounds({
    maxRunning: MAX_READS,
    maxRunningPerOwner: MAX_READS_PER_OWNER,
    maxReadMs,
    ...(maxWaitingPerOwner !== undefined && { maxWaitingPerOwner }),
  })

  async function limited<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isCanceled = (error as { code?: unknown }).code === QUERY_CANCELED
      throw isCanceled && !signal?.aborted ? bounds.tooExpensive() : error
    }
  }

  return {
    read: ({ userId, workspaceId }, signal, work) =>
      bounds.run([`user:${userId}`, `workspace:${workspaceId}`], signal, () =>
        limited(signal, () =>
          inSnapshot(readSql, workspaceId, (tx) =>
            signal ? cancelledOnAbort(tx, signal, work) : work(tx),
          ),
        ),
      ),
    readOfPerson: (userId, signal, work) =>
      bounds.run([`user:${userId}`], signal, () => limited(signal, () => work(systemReadSql))),
  }
}

/** What the driver's queries have beside their promise; version 3.4.9 declares neither. */
type Statement = {
  /** True while the server works on it. */
  active: boolean
  /** Sends a cancel request on a connection of its own; settles when that is closed. */
  canceller: ((statement: Statement) => Promise<void>) | null
}

/**
 * Runs `work`, and cancels its statements when the signal is aborted. The connection is given back
 * after the cancel request has been delivered: a late one would end a statement of another owner.
 * The driver's own `cancel()` cannot be waited for, and its failure would be an unhandled rejection.
 */
async function cancelledOnAbort<T>(
  tx: Tx,
  signal: AbortSignal,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const statements: Statement[] = []
  let isOver = false
  let canceling = Promise.resolve()

  async function cancel(): Promise<void> {
    for (let attempt = 0; attempt < CANCEL_ATTEMPTS && !isOver; attempt++) {
      const statement = statements.find(({ active }) => active)
      const sent = statement?.canceller?.(statement)
      if (sent) await withinMs(sent, CANCEL_TIMEOUT_MS).catch(() => {})
      if (!isOver) await sleep(CANCEL_EVERY_MS)
    }
  }
  const onAbort = () => {
    canceling = cancel()
  }
  const watched = new Proxy(tx, {
    apply(target, self, args: never) {
      signal.throwIfAborted()
      const made: unknown = Reflect.apply(target as never, self, args)
      if (made instanceof Promise) statements.push(made as unknown as Statement)
      return made
    },
  })
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(watched)
  } finally {
    isOver = true
    signal.removeEventListener('abort', onAbort)
    await canceling
  }
}
