import { openLog } from '../../src/platform/core/log.ts'
import { openEngines } from '../../src/platform/storage/embedded/engines.ts'

/** Opens the engines of a data directory, or one of them, says where they are, and closes them on SIGTERM. */
const [, , dataDir = '', only] = process.argv
const engines = await openEngines({
  dataDir,
  log: openLog('silent'),
  postgres: only !== 'clickhouse',
  clickhouse: only !== 'postgres',
})
process.once('SIGTERM', () => void engines[Symbol.asyncDispose]())
const { postgresUrl, clickhouseUrl } = engines
process.stdout.write(`${JSON.stringify({ postgresUrl, clickhouseUrl, pids: engines.pids() })}\n`)
