import { openApp } from '../../src/app/app.ts'
import { openLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'

/**
 * The whole program on databases that exist, in a process of its own:
 * `analytics-server.ts <data directory> <DATABASE_URL> <CLICKHOUSE_URL>`. Its API has no rate.
 * Prints its port and an API key; ends with its standard input.
 */
const [dataDir = '', databaseUrl = '', clickhouseUrl = ''] = process.argv.slice(2)
const settings = {
  DATABASE_URL: databaseUrl,
  CLICKHOUSE_URL: clickhouseUrl,
  RATE_LIMIT_API: '100000000',
}
const config = { ...readConfig(settings), port: 0, dataDir }
const app = await openApp(config, { log: openLog('error', process.stderr) })
const stop = new AbortController()
const running = app.run(stop.signal)
const { apiKey } = await app.bootstrap.create({ email: 'owner@example.com' })
process.stdout.write(`${new URL(app.origin).port} ${apiKey}\n`)
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
stop.abort()
await running
await app[Symbol.asyncDispose]()
