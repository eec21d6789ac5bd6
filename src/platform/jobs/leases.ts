import type { Principal } from '../routes/principal.ts'
import type { SystemSql, Tx } from '../storage/postgres/postgres.ts'
import type { JobError } from './jobs.ts'

export type Requester = Omit<Principal, 'workspaceId'>

export type HeldJob = {
  id: string
  workspaceId: string
  kind: string
  requester: Requester
  input: unknown
  state: unknown
  epoch: number
  attempts: number
}

export const MAX_ATTEMPTS = 3
const LEASE_SECONDS = 15
/** More than are leased, since other workers may lock the first ones. */
const CANDIDATES = 32
export const GIVEN_UP: JobError = {
  code: 'INTERNAL_ERROR',
  message: 'The server failed three times at the same part of this job. Start it again.',
}

/**
 * Leases at most the oldest unfinished job of each workspace and kind. Workspaces with the fewest running jobs go
 * first. Jobs of suspended workspaces wait.
 */
export async function acquire(
  sql: SystemSql,
  owner: string,
  kinds: readonly string[],
  count: number,
): Promise<HeldJob[]> {
  return sql<HeldJob[]>`
    with candidates as (
      select j.id, row_number() over (order by (
        select count(*) from jobs r
        where r.workspace_id = j.workspace_id and r.status = 'processing' and r.lease_until > now()
      ), j.ready_at, j.id) as turn
      from jobs j join workspaces w on w.id = j.workspace_id and w.suspended_at is null
      where j.status in ('pending', 'processing') and j.ready_at <= now()
        and (j.owner is null or j.lease_until <= now()) and j.attempts < ${MAX_ATTEMPTS}
        and j.kind = any(${kinds as string[]}::text[])
        and not exists (
          select from jobs o
          where o.workspace_id = j.workspace_id and o.kind = j.kind
            and o.status in ('pending', 'processing') and (o.created_at, o.id) < (j.created_at, j.id))
      order by turn limit ${CANDIDATES}
    ), locked as (
      -- The conditions again: another worker may have leased the job since it was read.
      select j.id from candidates c join jobs j using (id)
      where j.status in ('pending', 'processing') and j.ready_at <= now()
        and (j.owner is null or j.lease_until <= now())
      order by c.turn limit ${count}
      for update of j skip locked
    )
    update jobs j set owner = ${owner}, epoch = j.epoch + 1, attempts = j.attempts + 1,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), status = 'processing',
      started_at = coalesce(j.started_at, now())
    from locked where j.id = locked.id
    returning j.id, j.workspace_id, j.kind, j.asker as requester, j.input, j.state, j.epoch, j.attempts`
}

export async function heartbeat(
  sql: SystemSql,
  owner: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update jobs set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = any(${ids as string[]}::text[]) and owner = ${owner} and status = 'processing'
    returning id`
  return rows.map(({ id }) => id)
}

/**
 * From here to the commit nobody can lease or cancel the job.
 * @returns false when it is canceled or leased by another: the transaction must not commit
 */
export async function saveState(
  tx: Tx,
  owner: string,
  { id, workspaceId, epoch }: HeldJob,
  state: unknown,
): Promise<boolean> {
  const saved = await tx`
    update jobs set state = ${JSON.stringify(state) ?? 'null'}::text::json, attempts = 1
    where id = ${id} and workspace_id = ${workspaceId} and owner = ${owner} and epoch = ${epoch}
      and status = 'processing'`
  return saved.count > 0
}

/** An interrupted attempt does not count. */
export async function release(
  sql: SystemSql,
  owner: string,
  job: HeldJob,
  { isInterrupted, delayMs }: { isInterrupted: boolean; delayMs: number },
): Promise<void> {
  await sql`
    update jobs set owner = null, lease_until = null,
      attempts = greatest(attempts - ${Number(isInterrupted)}::int, 0),
      ready_at = now() + make_interval(secs => ${delayMs / 1_000})
    where id = ${job.id} and owner = ${owner} and epoch = ${job.epoch}
      and workspace_id = ${job.workspaceId}`
}

export async function finish(
  sql: SystemSql,
  owner: string,
  job: HeldJob,
  error: JobError | null,
  now: Date,
): Promise<void> {
  await sql`
    with ended as (
      update jobs set status = ${error ? 'failed' : 'completed'}, owner = null, lease_until = null,
        error = ${error && JSON.stringify(error)}::text::json, completed_at = ${now}
      where id = ${job.id} and owner = ${owner} and epoch = ${job.epoch}
        and workspace_id = ${job.workspaceId}
      returning id
    )
    delete from job_chunks where job_id in (select id from ended)
      and workspace_id = ${job.workspaceId}`
}

export async function failGivenUp(sql: SystemSql, now: Date): Promise<void> {
  await sql`
    with ended as (
      update jobs set status = 'failed', owner = null, lease_until = null,
        error = ${JSON.stringify(GIVEN_UP)}::text::json, completed_at = ${now}
      where status = 'processing' and attempts >= ${MAX_ATTEMPTS}
        and (owner is null or lease_until <= now())
      returning id, workspace_id
    )
    delete from job_chunks c using ended e
    where c.job_id = e.id and c.workspace_id = e.workspace_id`
}
