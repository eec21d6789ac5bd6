import type { KeysMessage } from '../../base/secrets.ts'
import type { Who } from '../../base/who.ts'
import type { Media } from '../../services/media/schema.ts'
import type { Plan } from '../../services/plan.ts'
import type { ThreadPostgres } from '../thread-databases.ts'
import type { SentError } from '../../base/sent-errors.ts'

/** Start values of the thread that stores images. */
export type Order = {
  databases: ThreadPostgres
  keys: KeysMessage
  plans: { all: readonly Plan[]; initial: string }
  /** The public address of images, before their ids. */
  publicUrl: string
}

export type ToThread =
  | {
      type: 'store'
      id: number
      who: Who
      /** Moved to the thread. */
      bytes: Uint8Array
      filename: string | null
      clockOffsetMs: number
    }
  /** The client of the upload has left. */
  | { type: 'abort'; id: number }
  | { type: 'stop' }

export type FromThread =
  | { type: 'stored'; id: number; media: Media }
  | { type: 'refused'; id: number; error: SentError }
  /** The last message of a thread that ends in order. */
  | { type: 'done' }
