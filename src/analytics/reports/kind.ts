import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { parseAddress } from '../../platform/resources/field-checks.ts'
import type { JobContext, JobKind } from '../../platform/jobs/jobs.ts'
import { deletePieces, type FileTarget } from './files.ts'
import { columnsOf, toReport, withRun, type ReportRow, type RunState } from './row.ts'
import { KINDS, requireRights, type KindName, type RunInput } from './run.ts'
import type { FilePiece, FileRequest } from './write-file.ts'

type Deps = Pick<Dependencies, 'clock' | 'origin' | 'publish' | 'requireCapability'> & {
  writeFile: (
    principal: Principal,
    request: FileRequest,
    target: FileTarget,
  ) => AsyncGenerator<FilePiece>
}

const MAX_STARTS = 5
const MAX_FILE_BYTES = 1024 * 1024 * 1024
const MAX_STORED_BYTES = 2 * 1024 * 1024 * 1024
const MAX_RUN_MS = 30 * 60_000
const KEPT_MS = 30 * 86_400_000

/** Jobs that write report files piece by piece. An interrupted job starts its file over. */
export function createReportKinds(deps: Deps): JobKind[] {
  return (Object.keys(KINDS) as KindName[]).map((name) => ({
    name,
    requires: KINDS[name],
    run: (context) => new Run(deps, context).write(),
  }))
}

class Run {
  readonly #deps: Deps
  readonly #context: JobContext
  readonly #reportId: string
  readonly #startedAtMs = performance.now()
  readonly #state: RunState

  constructor(deps: Deps, context: JobContext) {
    this.#deps = deps
    this.#context = context
    this.#reportId = (context.input as RunInput).reportId
    const before = context.state as RunState | null
    this.#state = { starts: (before?.starts ?? 0) + 1, rows: 0, bytes: 0, progress: 0 }
  }

  async write(): Promise<void> {
    const { name, type, format, filters, schedule } = await this.#begin()
    const timezone = schedule?.timezone ?? 'UTC'
    const request = { name, type, format, filters, timezone }
    const { starts } = this.#state
    const target = { reportId: this.#reportId, runId: this.#context.jobId, starts }
    for await (const piece of this.#deps.writeFile(this.#context.principal, request, target)) {
      this.#take(piece)
      if (piece.isLast && piece.isStored) await this.#finish()
      else await this.#goOn(piece)
    }
  }

  /** Deletes what an interrupted run has written. */
  async #begin(): Promise<ReportRow> {
    if (this.#state.starts > MAX_STARTS)
      throw new ApiError(
        'CONFLICT',
        `The server was interrupted ${MAX_STARTS} times while it wrote this report. Ask for it again.`,
      )
    let row: ReportRow | null = null
    await this.#context.commitPiece(async (tx, principal) => {
      row = await this.#load(tx, principal)
      await this.#deps.requireCapability(tx, principal.workspaceId, 'reports')
      await requireRights(this.#deps.requireCapability, tx, principal, row.type)
      await deletePieces(tx, principal, this.#reportId, row.fileRunId)
      return this.#state
    })
    return row!
  }

  async #load(tx: Tx, principal: Principal): Promise<ReportRow> {
    const [row] = await tx<ReportRow[]>`
      select ${columnsOf(tx)} from reports r ${withRun(tx)}
      where r.id = ${this.#reportId} and r.workspace_id = ${principal.workspaceId}
      for update of r`
    if (!row || row.runId !== this.#context.jobId)
      throw new ApiError('NOT_FOUND', 'The report was deleted.')
    return row
  }

  #take({ bytes, rows, done }: FilePiece): void {
    this.#state.bytes += bytes
    this.#state.rows = rows
    // 100 percent means that the file is stored.
    this.#state.progress = Math.min(99, Math.floor(done * 100))
    if (this.#state.bytes > MAX_FILE_BYTES)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The file would have more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Ask for a shorter period, or for fewer links.`,
      )
    if (performance.now() - this.#startedAtMs > MAX_RUN_MS)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The report took more than ${MAX_RUN_MS / 60_000} minutes. Ask for a shorter period, or for fewer links.`,
      )
  }

  async #goOn({ isStored }: FilePiece): Promise<void> {
    await this.#context.commitPiece(async (tx, principal) => {
      await this.#checkRoom(tx, principal)
      return this.#state
    })
    // If the run had ended, the commit above would have thrown.
    if (!isStored) throw new Error('a piece of a file was not stored, although its run goes on')
  }

  async #checkRoom(tx: Tx, principal: Principal): Promise<void> {
    const [stored] = await tx<[{ bytes: number }]>`
      select coalesce(sum(size), 0)::bigint as bytes from reports
      where workspace_id = ${principal.workspaceId} and id <> ${this.#reportId}`
    if (stored.bytes + this.#state.bytes > MAX_STORED_BYTES)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The reports of a workspace have at most ${MAX_STORED_BYTES / 1024 / 1024} MiB. Delete some of them.`,
      )
  }

  /** Makes the new file the report's file, and publishes the event. */
  async #finish(): Promise<void> {
    const { clock, publish, origin } = this.#deps
    const { jobId: runId } = this.#context
    const { isScheduled } = this.#context.input as RunInput
    await this.#context.commitPiece(async (tx, principal) => {
      const { schedule } = await this.#load(tx, principal)
      await this.#checkRoom(tx, principal)
      const now = clock()
      const { rows, bytes } = this.#state
      await tx`
        update reports
        set file_run_id = ${runId}, row_count = ${rows}, size = ${bytes},
          mail_to = ${isScheduled && schedule ? schedule.recipients.map(toKey) : null},
          generated_at = ${new Date(now)}, expires_at = ${new Date(now + KEPT_MS)}
        where id = ${this.#reportId} and workspace_id = ${principal.workspaceId}`
      await deletePieces(tx, principal, this.#reportId, runId)
      const report = toReport(await this.#load(tx, principal), origin(), now)
      await publish(tx, {
        type: 'report.generated',
        workspaceId: principal.workspaceId,
        data: report,
      })
      return { ...this.#state, progress: 100 }
    })
  }
}

/** The schedule has checked the address. */
function toKey(email: string): string {
  return parseAddress(email)!.emailKey
}
