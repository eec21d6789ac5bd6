import type { Role, Principal } from '../routes/principal.ts'
import type { Tx } from '../storage/postgres/postgres.ts'

export type JobContext = {
  readonly jobId: string
  readonly principal: Principal
  readonly input: unknown
  /** What the last committed piece returned; null before the first. */
  readonly state: unknown
  /** By number from 0; null after the last. */
  readChunk(chunk: number): Promise<unknown>
  /**
   * Runs one piece in a transaction of the workspace that also saves the state it returns, so that after a crash the job
   * continues with the next piece. Rolls back if the job was canceled or another worker holds it. The job may be interrupted
   * between two pieces.
   * @param work receives the requester as of now
   * @throws ApiError FORBIDDEN when the requester may no longer do this
   */
  commitPiece(work: (tx: Tx, principal: Principal) => Promise<unknown>): Promise<void>
}

export type JobKind = {
  readonly name: string
  /**
   * What the requester still needs before each piece: a role, and a scope of the key. Null for work that continues without
   * the requester.
   */
  readonly requires: { readonly role: Role; readonly scope: string } | null
  /**
   * Does the rest of the work after `context.state`. An ApiError below 500 fails the job; after any other error the job is
   * tried again, three times at one piece.
   */
  run(context: JobContext): Promise<void>
}
