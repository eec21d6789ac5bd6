import type { KeysMessage } from '../../base/secrets.ts'
import type { Meters } from '../../clicks/meters.ts'
import type { Config } from '../../config/config.ts'
import type { Notice } from '../../storage/notices.ts'
import type { Origins } from '../short-urls.ts'
import type { ThreadDatabases } from '../thread-databases.ts'

/** `own`: the journal of this process, and those of dead ones if it `adopts` them, until it is stopped. `folder`: one rescued folder. */
export type Task =
  | { kind: 'own'; journalDir: string; ownFolder: string; adopts: boolean }
  | { kind: 'folder'; directory: string }

/** Start values of the thread that ships. */
export type Order = {
  task: Task
  settings: Origins & Pick<Config, 'dataDir'> & { logLevel: string }
  databases: ThreadDatabases
  keys: KeysMessage
  geo: SharedArrayBuffer | null
  clockOffsetMs: number
}

export type ToThread =
  /** A segment of the own journal was sealed. `geo` is there after a reload of the geo database. */
  | { type: 'sealed'; clockOffsetMs: number; geo?: SharedArrayBuffer | null }
  | { type: 'stop' }
  /** Answers `retire`. */
  | { type: 'retired'; journalId: string; error: string | null }

export type FromThread =
  /** A line of the log. */
  | { type: 'log'; line: string }
  | { type: 'measured'; meter: keyof Meters; values: readonly unknown[] }
  | { type: 'notices'; notices: readonly Notice[] }
  /** All segments of a journal are shipped: nothing has to be reported on it. */
  | { type: 'retire'; journalId: string }
  | Answer
  /** The last message of a thread that ends in order. */
  | { type: 'done' }

/** The result of the task `folder`. */
export type Answer = { type: 'shipped'; segments: number } | { type: 'refused'; message: string }
