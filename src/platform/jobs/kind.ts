import type { Role, Principal } from '../routes/principal.ts'
import type { Tx } from '../storage/postgres/postgres.ts'

/** State and operations of a running job. */
export type JobContext = {
  readonly jobId: string
  /** The requester, with the present role. */
  readonly principal: Principal
  readonly input: unknown
  /** The value that the last committed piece returned; null before the first. */
  readonly state: unknown
  /** A chunk of the input by its number, counted from 0; null after the last. */
  readChunk(chunk: number): Promise<unknown>
  /**
   * Runs one piece of the work in a transaction of the job's workspace, and saves the state that it
   * returns in the same transaction: after a crash the job goes on behind the last committed piece. A
   * piece is rolled back when the job was canceled or another worker holds it. Between two pieces the job
   * may be interrupted, and another lease may continue it.
   * @param work receives the identity as of this piece
   * @throws ApiError FORBIDDEN when the requester may not do it any more
   */
  commitPiece(work: (tx: Tx, principal: Principal) => Promise<unknown>): Promise<void>
}

export type JobKind = {
  readonly name: string
  /**
   * The least role, and the scope of a key, that the requester must still have before each piece; null for
   * work that goes on without the requester.
   */
  readonly requires: { readonly role: Role; readonly scope: string } | null
  /**
   * Does what is left to do after `context.state`. Resolves when the job is completed. A rejection with an
   * ApiError below 500 fails the job; after any other the job is tried again, three times at one piece.
   */
  run(context: JobContext): Promise<void>
}
