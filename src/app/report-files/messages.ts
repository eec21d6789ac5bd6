import type { KeysMessage } from '../../base/secrets.ts'
import type { Who } from '../../base/who.ts'
import type { ShortHost } from '../../services/links/short-host.ts'
import type { Plan } from '../../services/plan.ts'
import type { FileTarget } from '../../services/reports/files.ts'
import type { AskedFile, FilePiece } from '../../services/reports/write-file.ts'
import type { Origins } from '../short-urls.ts'
import type { ThreadDatabases } from '../thread-databases.ts'
import type { SentError } from '../../base/sent-errors.ts'

/** Start values of the thread that makes files of reports. */
export type Order = {
  settings: Origins
  shortHost: Pick<ShortHost, 'origin' | 'domain'>
  plans: { all: readonly Plan[]; initial: string }
  databases: ThreadDatabases
  /** Keys that seal the pieces of files. */
  keys: KeysMessage
}

/** `file` is the number of a file, counted since the start of the process. */
export type ToThread =
  | {
      type: 'begin'
      file: number
      who: Who
      asked: AskedFile
      target: FileTarget
      clockOffsetMs: number
    }
  /** Asks for the next piece, which is made and stored only then. */
  | { type: 'next'; file: number }
  /** The file is complete, or no longer wanted. */
  | { type: 'end'; file: number }
  /** Ends the thread, with the files that it is making. */
  | { type: 'stop' }

export type FromThread =
  /** Answers `next`; null after the last piece. */
  | { type: 'piece'; file: number; piece: FilePiece | null }
  /** Answers `next`. */
  | { type: 'refused'; file: number; error: SentError }
  /** The last message of a thread that ends in order. */
  | { type: 'done' }
