import { openApp } from '../../src/app/app.ts'
import { openLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'

/**
 * The whole program with embedded databases and its default limits, in a process of its own, with two
 * accounts: `two-accounts.ts <data directory>`. Webhooks may call this machine. Prints its port and
 * the API key of each account; ends with its standard input.
 */
const [dataDir = ''] = process.argv.slice(2)
const config = {
  ...readConfig({ WEBHOOK_ALLOW_HTTP: 'true', EGRESS_ALLOWED_CIDRS: '127.0.0.0/8' }),
  port: 0,
  dataDir,
}
const app = await openApp(config, { log: openLog('error', process.stderr) })
const stop = new AbortController()
const running = app.run(stop.signal)
const honest = await app.bootstrap.create({ email: 'honest@example.com' })
const hostile = await app.bootstrap.create({ email: 'hostile@example.com' })
process.stdout.write(`${new URL(app.origin).port} ${honest.apiKey} ${hostile.apiKey}\n`)
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
stop.abort()
await running
await app[Symbol.asyncDispose]()
