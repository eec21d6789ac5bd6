import { bindDeps } from '../core/functions.ts'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { inPieces, PIECE_ROWS } from '../resources/purge-steps.ts'
import type { Principal, Role } from '../routes/principal.ts'
import { notifyAfterCommit, type SystemSql, type Tx } from '../storage/postgres/postgres.ts'

type Deps = { clock: Clock; systemSql: SystemSql }

export const JOBS_CHANNEL = 'signpost_jobs'
export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'canceled'
export type JobError = { code: string; message: string }

export type Job = {
  id: string
  status: JobStatus
  input: unknown
  state: unknown
  error: JobError | null
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

export type NewJobOptions = {
  prefix?: string
  chunks?: readonly unknown[]
  state?: unknown
  /** Refused while another single job of the workspace is unfinished, of whatever kind: see isAnotherUnfinished. */
  isSingle?: boolean
}

/** One kind, or those of one resource. */
type Kinds = string | readonly string[]

const JOB_COLUMNS = 'id, status, input, state, error, created_at, started_at, completed_at'
const KEPT_MS = 30 * 86_400_000

export type Jobs = ReturnType<typeof createJobs>

/**
 * Work that outlives its request:
 *
 *   pending ──lease──▶ processing ──every piece is committed──▶ completed
 *      │                 │  ├── refused, or three attempts at one piece ──▶ failed
 *      └────cancel───────┴──┴────────────▶ canceled
 *
 * The worker role runs one job of each kind per workspace (src/platform/jobs/worker.ts).
 */
export const createJobs = (deps: Deps) =>
  bindDeps(deps, { enqueue, get, list, cancel, deleteFinished })

async function enqueue(
  { clock }: Deps,
  tx: Tx,
  principal: Principal,
  kind: string,
  input: unknown,
  { prefix = 'job', chunks = [], state = null, isSingle = false }: NewJobOptions = {},
): Promise<string> {
  const { workspaceId, idempotencyKey: _key, ...requester } = principal
  const id = newId(prefix, clock())
  await tx`
    insert into jobs (id, workspace_id, kind, asker, input, state, is_single, created_at)
    values (${id}, ${workspaceId}, ${kind}, ${toJson(requester)}::text::json, ${toJson(input)}::text::json,
      ${state === null ? null : toJson(state)}::text::json, ${isSingle}, ${new Date(clock())})`
  if (chunks.length > 0)
    await tx`
      insert into job_chunks (job_id, workspace_id, chunk, content)
      select ${id}, ${workspaceId}, chunk - 1, content::json
      from unnest(${chunks.map(toJson)}::text[]) with ordinality as chunks (content, chunk)`
  notifyAfterCommit(tx, JOBS_CHANNEL, '')
  return id
}

export function isAnotherUnfinished(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'jobs_single'
}

async function get(
  _deps: Deps,
  tx: Tx,
  { workspaceId }: Principal,
  kind: Kinds,
  id: string,
): Promise<Job | null> {
  const [job] = await tx<Job[]>`
    select ${tx.unsafe(JOB_COLUMNS)} from jobs
    where workspace_id = ${workspaceId} and kind = any(${[kind].flat()}::text[]) and id = ${id}`
  return job ?? null
}

async function list(
  _deps: Deps,
  tx: Tx,
  { workspaceId }: Principal,
  kind: Kinds,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ jobs: Job[]; total: number }> {
  const jobs = await tx<Job[]>`
    select ${tx.unsafe(JOB_COLUMNS)} from jobs
    where workspace_id = ${workspaceId} and kind = any(${[kind].flat()}::text[])
    order by created_at desc, id desc limit ${limit} offset ${offset}`
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from jobs where workspace_id = ${workspaceId} and kind = any(${[kind].flat()}::text[])`
  return { jobs, total: counted!.total }
}

/**
 * Committed pieces stay.
 * @returns false when the job is finished
 */
async function cancel(
  { clock }: Deps,
  tx: Tx,
  { workspaceId }: Principal,
  kind: Kinds,
  id: string,
): Promise<boolean> {
  const canceled = await tx`
    update jobs set status = 'canceled', owner = null, lease_until = null,
      completed_at = ${new Date(clock())}
    where workspace_id = ${workspaceId} and kind = any(${[kind].flat()}::text[]) and id = ${id}
      and status in ('pending', 'processing')`
  if (canceled.count === 0) return false
  await tx`delete from job_chunks where workspace_id = ${workspaceId} and job_id = ${id}`
  return true
}

async function deleteFinished({ systemSql, clock }: Deps, signal: AbortSignal): Promise<void> {
  const before = new Date(clock() - KEPT_MS)
  await inPieces(
    signal,
    () => systemSql`
      delete from jobs where id in (
        select id from jobs where completed_at < ${before} limit ${PIECE_ROWS})`,
  )
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

export type JobContext = {
  readonly jobId: string
  readonly principal: Principal
  readonly input: unknown
  readonly state: unknown
  readChunk(chunk: number): Promise<unknown>
  /**
   * Runs one piece in a transaction of the workspace that also saves the state it returns, so that the job continues
   * after a crash.
   * @throws ApiError FORBIDDEN when the requester may no longer do this
   */
  commitPiece(work: (tx: Tx, principal: Principal) => Promise<unknown>): Promise<void>
}

export type JobKind = {
  readonly name: string
  /** Checked before each piece. Null for work that continues without the requester. */
  readonly requires: { readonly role: Role; readonly scope: string } | null
  /** An ApiError below 500 fails the job; after any other error it is tried again, three times at one piece. */
  run(context: JobContext): Promise<void>
}
