/** From the parent to the process of the embedded ClickHouse. */
export type ClickHouseOrder = {
  dataPath: string
  /** In a folder that only its user may enter. */
  socketPath: string
  user: string
  password: string
  /** For all queries together; one may use half of it. */
  memoryBytes: number
}

/** Sent once. */
export type ClickHouseReport = { state: 'serving' } | { state: 'failed'; message: string }

/** In the working directory. */
export const PID_FILE = 'server.pid'
