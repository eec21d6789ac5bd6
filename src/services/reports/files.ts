import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { ApiError } from '../../base/errors.ts'
import type { Secrets } from '../../base/secrets.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../storage/postgres.ts'
import { REPORT_CHUNK } from '../../storage/sealed-columns.ts'

type SealDeps = { secrets: Pick<Secrets, 'seal' | 'openBytes'> }

/** Bytes of every piece of a file but its last one, before compression. */
export const CHUNK_BYTES = 256 * 1024
const { purpose, boundTo } = REPORT_CHUNK
const inflate = promisify(inflateRaw)

/** One piece of the file of a run. */
export type Piece = { reportId: string; runId: string; chunk: number; content: Buffer }

/** @param compressed the bytes of the piece (RFC 1951) */
export function sealPiece(
  { secrets }: SealDeps,
  runId: string,
  chunk: number,
  compressed: Uint8Array,
): Buffer {
  return secrets.seal(purpose, boundTo(toId(runId, chunk)), compressed)
}

export async function savePiece(
  tx: Tx,
  { workspaceId }: Who,
  { reportId, runId, chunk, content }: Piece,
  now: Date,
): Promise<void> {
  await tx`
    insert into report_chunks (id, workspace_id, report_id, run_id, content_sealed, created_at)
    values (${toId(runId, chunk)}, ${workspaceId}, ${reportId}, ${runId}, ${content}, ${now})`
}

/** Deletes what runs of a report have written, but for one of them. */
export async function deletePieces(
  tx: Tx,
  { workspaceId }: Who,
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
  { sql, secrets }: SealDeps & { sql: TenantSql },
  { workspaceId }: Who,
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
