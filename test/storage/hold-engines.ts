import { openLog } from '../../src/base/log.ts'
import { openEngines } from '../../src/storage/embedded/engines.ts'

/** Opens the engines of a data directory, says where they are, and closes them on SIGTERM. */
const dataDir = process.argv[2] ?? ''
const engines = await openEngines({
  dataDir,
  log: openLog('silent'),
  postgres: true,
  clickhouse: true,
})
process.once('SIGTERM', () => void engines[Symbol.asyncDispose]())
const { postgresUrl, clickhouseUrl } = engines
process.stdout.write(`${JSON.stringify({ postgresUrl, clickhouseUrl, pids: engines.pids() })}\n`)
