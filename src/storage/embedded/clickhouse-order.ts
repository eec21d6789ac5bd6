/** What the parent tells the process that holds the embedded ClickHouse. */
export type ClickHouseOrder = {
  dataPath: string
  /** Where it listens: in a folder that only its own user may enter. */
  socketPath: string
  user: string
  password: string
  /** All queries together, in bytes; a single one may use half of it. */
  memoryBytes: number
}

/** What it answers, once. */
export type ClickHouseReport =
  | { state: 'serving' }
  | { state: 'failed'; code: string | null; message: string }

/** In its working directory. */
export const PID_FILE = 'server.pid'
