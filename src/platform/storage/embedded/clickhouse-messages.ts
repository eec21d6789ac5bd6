export type ClickHouseStart = {
  dataPath: string
  /** In a folder that only its user may enter. */
  socketPath: string
  user: string
  password: string
  /** For all queries together; one may use half of it. */
  memoryBytes: number
}

export type ClickHouseReport = { state: 'serving' } | { state: 'failed'; message: string }

/** In the working directory. */
export const PID_FILE = 'server.pid'
