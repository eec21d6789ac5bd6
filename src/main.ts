import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hintsFor } from './app/start-hints.ts'
import { openSupervisor } from './app/supervisor.ts'
import { systemClock } from './platform/core/clock.ts'
import { OperatorError } from './platform/core/errors.ts'
import { openLog } from './platform/core/log.ts'
import { toLogStream } from './platform/core/log-text.ts'
import { takePassedSockets } from './platform/http/passed-sockets.ts'
import { collectStartGarbage } from './platform/work/start-garbage.ts'
import { readVersion } from './platform/core/version.ts'
import { readConfig, readEnvironment, SETTINGS, type Config } from './platform/config/config.ts'
import { describeUnknown, readEnvFile } from './platform/config/env-file.ts'
import { partsOf } from './platform/config/roles.ts'

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

const SIGNUP: Record<Config['signup'], string> = {
  open: 'open to every visitor (SIGNUP)',
  invite: 'by invitation (SIGNUP)',
  closed: 'closed (SIGNUP)',
}

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
    process.stderr.write(banner(supervisor, config))
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

type Started = { origin: string; isWaiting: boolean }

/** The start message for the operator; written to stderr, since stdout has the log. */
function banner({ origin, isWaiting }: Started, config: Config): string {
  const engines = [
    config.databaseUrl === null ? 'embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL',
    config.clickhouseUrl === null ? 'embedded ClickHouse' : 'ClickHouse at CLICKHOUSE_URL',
  ]
  const { api } = partsOf(config.role)
  const hasDashboard = api === 'whole' || api === 'forwards'
  return `
Signpost ${readVersion()} ${isWaiting ? 'waits for its databases, and answers' : 'is ready'} at ${origin}
${config.role === 'all' ? '' : `\n  Role       ${config.role}`}
  Data       ${config.dataDir} (${engines.join(', ')})
${hasDashboard ? `  Dashboard  ${origin}/app/\n` : ''}  First key  npm run -s signpost -- bootstrap --email you@example.com
  API        ${origin}/v1/reference
  Mail       ${config.smtpUrl === null ? `files in ${join(config.dataDir, 'outbox')} (npm run -s signpost -- mails)` : 'by SMTP_URL'}
  Sign-up    ${SIGNUP[config.signup]}${hintsFor(config)
    .map((hint) => `\n  Note       ${hint}`)
    .join(
      '',
    )}${hasDashboard ? '\n  Next       open the dashboard to sign up or sign in; Ctrl-C stops the server' : ''}

`
}
