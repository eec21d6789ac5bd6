import { PLACES, type Places } from '../../limits/places.ts'
import { SHARES, TIMES } from '../../limits/times.ts'
import { inSnapshot, type SystemSql, type TenantSql, type Tx } from './postgres.ts'
import { ReadBounds } from './read-bounds.ts'

type Deps = {
  readSql: TenantSql
  /** The same pool with the worker role, for data of a user in several workspaces. */
  systemReadSql: SystemSql
  places?: Places
}

type Owner = { userId: string; workspaceId: string }

export type HeavyReads = ReturnType<typeof createHeavyReads>

export const MAX_READS = PLACES.heavyReads.maxRunning
const MAX_READ_MS = TIMES.heavyRead.ms
/** Each read gets its own plan, since another workspace may have a million times the rows. */
export const READ_PARAMETERS = {
  statement_timeout: String(MAX_READ_MS),
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_custom_plan',
} as const

const QUERY_CANCELED = '57014'

/** For reads whose cost depends on a workspace's data. */
export function createHeavyReads({ readSql, systemReadSql, places = PLACES.heavyReads }: Deps) {
  const bounds = new ReadBounds({
    places,
    share: SHARES.databaseReads,
    maxReadMs: MAX_READ_MS,
  })

  async function limited<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isCanceled = (error as { code?: unknown }).code === QUERY_CANCELED
      throw isCanceled && !signal?.aborted ? bounds.tooExpensive() : error
    }
  }

  /**
   * Runs `work` in a read-only snapshot of the workspace. An abort cancels a running statement in the database.
   * @throws ApiError RATE_LIMITED beyond the bounds, and for a statement that takes too long
   */
  function read<T>(
    { userId, workspaceId }: Owner,
    signal: AbortSignal | undefined,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const owners = [`user:${userId}`, `workspace:${workspaceId}`]
    return bounds.run(owners, signal, () =>
      limited(signal, () => inSnapshot(readSql, workspaceId, work, signal)),
    )
  }

  function readOfUser<T>(
    userId: string,
    signal: AbortSignal | undefined,
    work: (systemReadSql: SystemSql) => Promise<T>,
  ): Promise<T> {
    return bounds.run([`user:${userId}`], signal, () => limited(signal, () => work(systemReadSql)))
  }

  return { read, readOfUser }
}
