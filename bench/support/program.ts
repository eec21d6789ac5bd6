import { openApp } from '../../src/app/app.ts'
import { openLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'

/**
 * The whole program with embedded databases, in a process of its own:
 * `program.ts <data directory> [trusted proxies]`.
 * Prints its port and an API key; ends with its standard input. Sign-ins are not limited.
 */
const [dataDir = '', proxies] = process.argv.slice(2)
const trustedProxies = proxies === undefined ? [] : [proxies]
const limits = { rateLimitAuth: 1_000_000_000 }
const config = { ...readConfig({}), port: 0, dataDir, trustedProxies, ...limits }
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
