/** Sent by the parent to the process that holds the embedded ClickHouse. */
export type ClickHouseOrder = {
  dataPath: string
  /** In a folder that only its own user may enter. */
  socketPath: string
  user: string
  password: string
  /** All queries together, in bytes; a single one may use half of it. */
  memoryBytes: number
}

/** The answer, sent once. */
export type ClickHouseReport = { state: 'serving' } | { state: 'failed'; message: string }

/** In its working directory. */
export const PID_FILE = 'server.pid'
