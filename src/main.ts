import { parseArgs } from 'node:util'
import { startMessage } from './app/start-message.ts'
import { openSupervisor } from './app/supervisor.ts'
import { systemClock } from './platform/core/clock.ts'
import { OperatorError } from './platform/core/errors.ts'
import { openLog } from './platform/core/log.ts'
import { toLogStream } from './platform/core/terminal.ts'
import { takePassedSockets } from './platform/http/listening.ts'
import { collectStartGarbage } from './platform/work/priority.ts'
import { readConfig, readEnvironment, SETTINGS } from './platform/config/config.ts'
import { describeUnknown, readEnvFile } from './platform/config/checkout.ts'

/**
 * Deadline of the close after a signal and the time to drain. An orderly close takes a few seconds; each part gives up after
 * a timeout (requests 10 s, clicks 5 s, connections 5 s, engines 15 s).
 */
const CLOSE_DEADLINE_MS = 45_000

const HELP = `Usage: npm start [-- --role=all|edge|gateway|services|worker]

Starts the server and runs until Ctrl-C or SIGTERM. Settings are environment variables;
docs/configuration.md lists them, "npm run -s signpost -- config" prints them. The command line is
"npm run -s signpost -- help".
`

try {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP)
  else await serve(untilSignal())
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  process.stderr.write(`signpost: ${error.message}\n`)
  process.exitCode = 1
}

async function serve(signal: AbortSignal): Promise<void> {
  const environment = readEnvironment()
  const passed = takePassedSockets(environment, process.pid)
  const config = readConfig({ ...environment, ...readFlags(process.argv.slice(2)) })
  const log = openLog(config.logLevel, toLogStream(config.logFormat))
  const settings = Object.values(SETTINGS).map(({ name }) => name)
  for (const sentence of describeUnknown(Object.keys(readEnvFile()), settings)) log.warn(sentence)
  signal.addEventListener('abort', () => {
    setTimeout(
      () => {
        log.error('the shutdown exceeded its deadline; the process exits now')
        process.exit(1)
      },
      config.drainSeconds * 1_000 + CLOSE_DEADLINE_MS,
    ).unref()
  })
  try {
    const context = { log, clock: systemClock, stop: signal, passed }
    await using supervisor = await openSupervisor(config, context)
    process.stderr.write(startMessage(supervisor, config))
    collectStartGarbage()
    await supervisor.run(signal)
  } catch (error) {
    if (error !== signal.reason) throw error
    log.info('stopped before the start was complete')
  }
}

/**
 * Returns `--role=NAME` as the variable that it overrides.
 * @throws OperatorError for any other argument
 */
function readFlags(args: string[]): { SIGNPOST_ROLE?: string } {
  try {
    const { role } = parseArgs({ args, options: { role: { type: 'string' } } }).values
    if (role === undefined) return {}
    if (role.trim() === '') throw new Error('an empty role')
    return { SIGNPOST_ROLE: role }
  } catch {
    throw new OperatorError(
      'The server takes one argument, --role=NAME; settings are environment variables (npm start -- --help).',
    )
  }
}

/** Returns a signal that the first SIGINT, SIGTERM or SIGHUP aborts. */
function untilSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => stop.abort(new Error(name)))
  stop.signal.addEventListener('abort', () => {
    // Below the ^C of a terminal.
    process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}Stopping …\n`)
  })
  return stop.signal
}
