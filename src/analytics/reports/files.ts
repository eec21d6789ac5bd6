import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { REPORT_CHUNK } from '../../platform/storage/installation/sealed-columns.ts'

type StoreDeps = { sql: TenantSql; secrets: Pick<Secrets, 'seal'>; clock: Clock }
type ReadDeps = { sql: TenantSql; secrets: Pick<Secrets, 'openBytes'> }

/** Bytes of every piece of a file but its last one, before compression. */
export const CHUNK_BYTES = 256 * 1024
const { purpose, boundTo } = REPORT_CHUNK
const inflate = promisify(inflateRaw)

/** File of one start of a run. */
export type FileTarget = {
  reportId: string
  runId: string
  /** Number of times that the run began, as its job has stored it. */
  starts: number
}

/**
 * Stores a piece in a transaction of its own. Its locks make it wait for a run that begins again, which deletes
 * earlier pieces, and for a cancellation. So no piece is stored after either.
 * @param compressed the bytes of the piece (RFC 1951)
 * @returns false when the run is over, or has begun again
 */
export async function storePiece(
  { sql, secrets, clock }: StoreDeps,
  { workspaceId }: Principal,
  { reportId, runId, starts }: FileTarget,
  chunk: number,
  compressed: Uint8Array,
): Promise<boolean> {
  const id = toId(runId, chunk)
  const content = secrets.seal(purpose, boundTo(id), compressed)
  const { count } = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx`
      insert into report_chunks (id, workspace_id, report_id, run_id, content_sealed, created_at)
      select ${id}, r.workspace_id, r.id, j.id, ${content}, ${new Date(clock())}
      from reports r join jobs j on j.id = r.run_id and j.workspace_id = r.workspace_id
      where r.id = ${reportId} and r.run_id = ${runId} and r.workspace_id = ${workspaceId}
        and j.status = 'processing' and (j.state->>'starts')::int = ${starts}
      for share of r, j`,
  )
  return count === 1
}

/** Deletes what runs of a report have written, but for one of them. */
export async function deletePieces(
  tx: Tx,
  { workspaceId }: Principal,
  reportId: string,
  keptRunId: string | null,
): Promise<void> {
  await tx`
    delete from report_chunks
    where report_id = ${reportId} and workspace_id = ${workspaceId}
      and run_id is distinct from ${keptRunId}`
}

/** The bytes of a file from one position to another, which is not included. Each piece is a transaction of its own. */
export async function* readFile(
  { sql, secrets }: ReadDeps,
  { workspaceId }: Principal,
  runId: string,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  for (let chunk = Math.floor(from / CHUNK_BYTES); chunk * CHUNK_BYTES < to; chunk++) {
    const id = toId(runId, chunk)
    const [row] = await inWorkspace(
      sql,
      workspaceId,
      (tx) => tx<{ contentSealed: Buffer }[]>`
        select content_sealed from report_chunks
        where id = ${id} and workspace_id = ${workspaceId}`,
    )
    if (!row) throw new ApiError('GONE', 'The file was deleted, or replaced by a new run.')
    const bytes = await inflate(secrets.openBytes(purpose, boundTo(id), row.contentSealed))
    const start = chunk * CHUNK_BYTES
    yield bytes.subarray(Math.max(0, from - start), to - start)
  }
}

function toId(runId: string, chunk: number): string {
  return `${runId}.${chunk}`
}
