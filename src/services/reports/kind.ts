import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../base/errors.ts'
import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Dependencies } from '../dependencies.ts'
import { parseAddress } from '../email-address.ts'
import type { JobContext, JobKind } from '../jobs/kind.ts'
import { CHUNK_BYTES, deletePieces, savePiece, sealPiece } from './files.ts'
import { FORMATS } from './formats/formats.ts'
import { columnsOf, toReport, withRun, type ReportRow, type RunState } from './row.ts'
import { KINDS, requireRights, type KindName, type RunInput } from './run.ts'
import { openTable, toFacts, type SourceDeps } from './sources.ts'

type Deps = SourceDeps &
  Pick<Dependencies, 'sql' | 'clock' | 'secrets' | 'origin' | 'publish' | 'requireCapability'>

const MAX_STARTS = 5
const MAX_FILE_BYTES = 512 * 1024 * 1024
const MAX_STORED_BYTES = 1024 * 1024 * 1024
const MAX_RUN_MS = 30 * 60_000
const KEPT_MS = 30 * 86_400_000
/** A run pauses for as long as its last part took, so that redirects of the process wait less; at most so long. */
const MAX_PAUSE_MS = 100

/** The jobs of reports: each writes one file, piece by piece, and begins it again when it was interrupted. */
export function createReportKinds(deps: Deps): JobKind[] {
  return (Object.keys(KINDS) as KindName[]).map((name) => ({
    name,
    requires: KINDS[name],
    run: (context) => new Run(deps, context).write(),
  }))
}

/** One lease of a job. */
class Run {
  readonly #deps: Deps
  readonly #context: JobContext
  readonly #reportId: string
  readonly #startedAtMs = performance.now()
  readonly #state: RunState
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #chunks = 0

  constructor(deps: Deps, context: JobContext) {
    this.#deps = deps
    this.#context = context
    this.#reportId = (context.input as RunInput).reportId
    const before = context.state as RunState | null
    this.#state = { starts: (before?.starts ?? 0) + 1, rows: 0, bytes: 0, progress: 0 }
  }

  async write(): Promise<void> {
    const { who } = this.#context
    const row = await this.#begin()
    const asked = { ...row, timezone: row.schedule?.timezone ?? 'UTC' }
    const table = await openTable(this.#deps, who, asked)
    const facts = toFacts(this.#deps, who, asked)
    let partStartedAtMs = performance.now()
    for await (const { content, rows, done } of FORMATS[row.format].write(table, facts)) {
      this.#take(typeof content === 'string' ? Buffer.from(content) : content)
      this.#state.rows += rows
      // 100 percent are those of a stored file.
      this.#state.progress = Math.min(99, Math.floor(done * 100))
      while (this.#waitingBytes >= CHUNK_BYTES) await this.#flush(this.#cut())
      await sleep(Math.min(performance.now() - partStartedAtMs, MAX_PAUSE_MS))
      partStartedAtMs = performance.now()
    }
    await this.#finish(this.#cut())
  }

  /** Deletes what an interrupted lease has written. */
  async #begin(): Promise<ReportRow> {
    if (this.#state.starts > MAX_STARTS)
      throw new ApiError(
        'CONFLICT',
        `The server was stopped ${MAX_STARTS} times while it wrote this report. Ask for it again.`,
      )
    let row: ReportRow | null = null
    await this.#context.commitPiece(async (tx, who) => {
      row = await this.#load(tx, who)
      await this.#deps.requireCapability(tx, who.workspaceId, 'reports')
      await requireRights(this.#deps.requireCapability, tx, who, row.type)
      await deletePieces(tx, who, this.#reportId, row.fileRunId)
      return this.#state
    })
    return row!
  }

  async #load(tx: Tx, who: Who): Promise<ReportRow> {
    const [row] = await tx<ReportRow[]>`
      select ${columnsOf(tx)} from reports r ${withRun(tx)}
      where r.id = ${this.#reportId} and r.workspace_id = ${who.workspaceId}
      for update of r`
    if (!row || row.runId !== this.#context.jobId)
      throw new ApiError('NOT_FOUND', 'The report was deleted.')
    return row
  }

  #take(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
  }

  /** The next piece: of the full size, or the rest. */
  #cut(): Buffer {
    const all = Buffer.concat(this.#waiting)
    const piece = all.subarray(0, CHUNK_BYTES)
    const rest = all.subarray(CHUNK_BYTES)
    this.#waiting = rest.length > 0 ? [Buffer.from(rest)] : []
    this.#waitingBytes = rest.length
    return piece
  }

  async #flush(piece: Buffer): Promise<void> {
    const content = await this.#seal(piece)
    await this.#context.commitPiece(async (tx, who) => {
      await this.#save(tx, who, content)
      return this.#state
    })
    this.#chunks++
  }

  async #seal(piece: Buffer): Promise<Buffer> {
    this.#state.bytes += piece.length
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
    return sealPiece(this.#deps, this.#context.jobId, this.#chunks, piece)
  }

  async #save(tx: Tx, who: Who, content: Buffer): Promise<void> {
    const { jobId: runId } = this.#context
    const now = new Date(this.#deps.clock())
    const [stored] = await tx<[{ bytes: number }]>`
      select coalesce(sum(size), 0)::bigint as bytes from reports
      where workspace_id = ${who.workspaceId} and id <> ${this.#reportId}`
    if (stored.bytes + this.#state.bytes > MAX_STORED_BYTES)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The reports of a workspace have at most ${MAX_STORED_BYTES / 1024 / 1024} MiB. Delete some of them.`,
      )
    const piece = { reportId: this.#reportId, runId, chunk: this.#chunks, content }
    await savePiece(tx, who, piece, now)
  }

  /** The last piece makes the file the one of the report, and publishes the event. */
  async #finish(piece: Buffer): Promise<void> {
    const { clock, publish, origin } = this.#deps
    const { jobId: runId } = this.#context
    const { isScheduled } = this.#context.input as RunInput
    const content = await this.#seal(piece)
    await this.#context.commitPiece(async (tx, who) => {
      const { schedule } = await this.#load(tx, who)
      await this.#save(tx, who, content)
      const now = clock()
      const { rows, bytes } = this.#state
      await tx`
        update reports
        set file_run_id = ${runId}, row_count = ${rows}, size = ${bytes},
          mail_to = ${isScheduled && schedule ? schedule.recipients.map(toKey) : null},
          generated_at = ${new Date(now)}, expires_at = ${new Date(now + KEPT_MS)}
        where id = ${this.#reportId} and workspace_id = ${who.workspaceId}`
      await deletePieces(tx, who, this.#reportId, runId)
      const report = toReport(await this.#load(tx, who), origin(), now)
      await publish(tx, {
        type: 'report.generated',
        workspaceId: who.workspaceId,
        data: report,
      })
      return { ...this.#state, progress: 100 }
    })
  }
}

/** The key of an address, which the schedule has checked (src/services/email-address.ts). */
function toKey(email: string): string {
  return parseAddress(email)!.emailKey
}
