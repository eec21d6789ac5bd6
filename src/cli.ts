import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { shippingDeps } from './app-edge.ts'
import { createServices } from './app-services.ts'
import { operatorSocket } from './app.ts'
import { systemClock } from './base/clock.ts'
import type { Clock } from './base/clock.ts'
import { OperatorError } from './base/errors.ts'
import { openLog } from './base/log.ts'
import type { Log } from './base/log.ts'
import { sleep } from './base/service.ts'
import { shipFolder } from './clicks/shipper.ts'
import { renderConfigurationDoc, renderEnvExample } from './config-docs.ts'
import { readConfig, readEnvironment } from './config.ts'
import type { Config } from './config.ts'
import { openCountries } from './facts/country.ts'
import { askServer } from './gateway/operator.ts'
import { createMails } from './services/mail/mails.ts'
import { DataDirHeldError, holdDataDir, openDataDir } from './storage/data-dir.ts'
import { openRateLimits } from './storage/rate-limits.ts'
import { openStores } from './storage/stores.ts'
import type { Stores } from './storage/stores.ts'

const HELP = `Usage: npm run -s signpost -- <command>

  bootstrap --email ADDRESS [--workspace NAME|ID] [--role ROLE] [--json]
      Make (or find) an account with a workspace and print a fresh API key. The key that an
      earlier bootstrap made for it stops working. Works beside a running server and without one.
  ship --dir FOLDER
      Ship the click journal of a lost machine: FOLDER is its data directory's journal. It is
      emptied; shipping a copy again adds nothing.
  config [--write]
      Print the settings and their defaults; --write renews .env.example and the docs page.
  help
      Show this text.
`

const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  bootstrap,
  ship,
  config,
  help: async () => say(HELP),
}

/** A server that is starting holds the data directory before its socket listens. */
const SERVER_START_MS = 30_000

/** No link is made or shown here. */
function noShortHost(): never {
  throw new Error('the command line has no short host')
}

try {
  const [name = 'help', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new OperatorError(`There is no command "${name}"; "help" lists them.`)
  await command(args)
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
  if (!(error instanceof OperatorError) && !isUsage) throw error
  process.stderr.write(`signpost: ${(error as Error).message}\n`)
  process.exitCode = 1
}

async function bootstrap(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      workspace: { type: 'string' },
      role: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const { email, workspace, role, json } = values
  if (email === undefined) throw new OperatorError('bootstrap needs --email ADDRESS.')
  const input = { email, workspace, role }
  const made = await askOrOpen('bootstrap', input, (stores, settings, surroundings) =>
    openServices(stores, settings, surroundings).then((services) => services.bootstrap(input)),
  )
  say(
    json
      ? `${JSON.stringify(made)}\n`
      : `User       ${made.userId}\nWorkspace  ${made.workspaceId}\nAPI key    ${made.apiKey}\n\nThe key is shown this once; an earlier one made by bootstrap no longer works.\n`,
  )
}

async function ship(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { dir: { type: 'string' } } })
  if (values.dir === undefined) throw new OperatorError('ship needs --dir FOLDER.')
  const dir = resolve(values.dir)
  const segments = await askOrOpen('ship', { dir }, async (stores, settings, surroundings) => {
    await using countries = await openCountries(settings.geoipDb, surroundings)
    const { locate } = countries
    const deps = shippingDeps(settings, stores, surroundings, locate, new Registry())
    return shipFolder(dir, deps, new AbortController().signal)
  })
  say(`Segments shipped: ${segments}\n`)
}

type Surroundings = { log: Log; clock: Clock }

/** The services without a server around them. */
async function openServices(stores: Stores, config: Config, { log, clock }: Surroundings) {
  const origin = () => config.publicUrl ?? `http://localhost:${config.port}`
  const rateLimits = openRateLimits({ redisUrl: null, log })
  return createServices({
    stores,
    config,
    clock,
    log,
    mails: createMails({
      smtpUrl: config.smtpUrl,
      mailFrom: config.mailFrom,
      outboxDir: join(config.dataDir, 'outbox'),
      publicOrigin: origin,
      clock,
      log,
    }),
    limiter: (name, points, durationSeconds) =>
      rateLimits.limiter({ name, points, durationSeconds, whenStoreIsGone: 'tight' }),
    origin,
    shortHost: noShortHost,
    journalDir: join(config.dataDir, 'journal'),
    countryOf: () => null,
    checkUrl: async () => {},
  })
}

/** Through the running server when there is one; otherwise the databases are opened for a moment. */
async function askOrOpen<T>(
  operation: string,
  input: object,
  perform: (stores: Stores, settings: Config, surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  const settings = readConfig(readEnvironment())
  const surroundings = { log: openLog('error', process.stderr), clock: systemClock }
  openDataDir(settings.dataDir)
  const deadline = performance.now() + SERVER_START_MS
  for (;;) {
    const answer = await askServer(operatorSocket(settings.dataDir), operation, input)
    if (answer !== null) return answer as T
    try {
      using dataDir = holdDataDir(settings.dataDir, systemClock)
      await using stores = await openStores(settings, dataDir, surroundings.log)
      return await perform(stores, settings, surroundings)
    } catch (error) {
      if (!(error instanceof DataDirHeldError) || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

async function config(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { write: { type: 'boolean', default: false } } })
  if (!values.write) return say(renderEnvExample())
  const root = join(import.meta.dirname, '..')
  writeFileSync(join(root, '.env.example'), renderEnvExample())
  writeFileSync(join(root, 'docs/configuration.md'), renderConfigurationDoc())
}

function say(text: string): void {
  process.stdout.write(text)
}
