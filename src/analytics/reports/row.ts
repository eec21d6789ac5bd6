import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { JobError, JobStatus } from '../../platform/jobs/jobs.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import type {
  Report,
  ReportFilters,
  ReportFormat,
  ReportStatus,
  ReportType,
  Schedule,
} from './schema.ts'

/** Saved with each piece of a run. */
export type RunState = {
  /** Number of times that the run began: a file cannot be continued, so that each lease begins it again. */
  starts: number
  rows: number
  bytes: number
  /** Percent. */
  progress: number
}

export type Requester = Omit<Principal, 'workspaceId' | 'idempotencyKey' | 'ifMatch'>

/** A row of `reports` with what is known of the job of its latest run. */
export type ReportRow = {
  id: string
  workspaceId: string
  name: string
  type: ReportType
  format: ReportFormat
  filters: ReportFilters
  schedule: Schedule | null
  nextRunAt: Date | null
  requester: Requester
  runId: string
  fileRunId: string | null
  rowCount: number | null
  size: number | null
  generatedAt: Date | null
  expiresAt: Date | null
  createdAt: Date
  /** Null once the job is deleted. */
  jobStatus: JobStatus | null
  jobError: JobError | null
  jobState: RunState | null
}

/** The columns of `reports r` with the job that {@link withRun} joins. */
export function columnsOf(tx: Tx) {
  return tx`r.id, r.workspace_id, r.name, r.type, r.format, r.filters, r.schedule, r.next_run_at, r.asker as requester, r.run_id,
    r.file_run_id, r.row_count, r.size, r.generated_at, r.expires_at, r.created_at,
    j.status as job_status, j.error as job_error, j.state as job_state`
}

export function withRun(tx: Tx) {
  return tx`left join jobs j on j.id = r.run_id and j.workspace_id = r.workspace_id`
}

const CANCELED: JobError = { code: 'canceled', message: 'The report was canceled.' }
const FAILED_BEFORE: JobError = {
  code: 'INTERNAL_ERROR',
  message: 'The last run failed more than 30 days ago, and its reason is no longer stored.',
}

export function toStatus({ fileRunId, runId, jobStatus }: ReportRow): ReportStatus {
  if (fileRunId === runId) return 'completed'
  return jobStatus === 'pending' || jobStatus === 'processing' ? jobStatus : 'failed'
}

/** True while there is a file to download. */
export function hasFile({ fileRunId, expiresAt }: ReportRow, nowMs: number): boolean {
  return fileRunId !== null && expiresAt !== null && expiresAt.getTime() > nowMs
}

export function toReport(row: ReportRow, origin: string, nowMs: number): Report {
  const status = toStatus(row)
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    type: row.type,
    format: row.format,
    status,
    progress: status === 'completed' ? 100 : (row.jobState?.progress ?? 0),
    filters: row.filters,
    schedule: row.schedule,
    nextRunAt: isoOrNull(row.nextRunAt),
    rowCount: row.rowCount,
    size: row.size,
    downloadUrl: hasFile(row, nowMs) ? `${origin}/v1/reports/${row.id}/download` : null,
    error: status === 'failed' ? toError(row) : null,
    generatedAt: isoOrNull(row.generatedAt),
    expiresAt: isoOrNull(row.expiresAt),
    createdAt: row.createdAt.toISOString(),
  }
}

function toError({ jobStatus, jobError }: ReportRow): JobError {
  return jobStatus === 'canceled' ? CANCELED : (jobError ?? FAILED_BEFORE)
}
