import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Offline } from './app/offline.ts'
import { operatorSocket } from './operator/socket-path.ts'
import type { Operations } from './operator/operations.ts'
import type { VerifyAnswer } from './operator/verify.ts'
import { systemClock } from './platform/core/clock.ts'
import { OperatorError } from './platform/core/errors.ts'
import { openLog } from './platform/core/log.ts'
import { toLogStream } from './platform/core/log-text.ts'
import { sleep } from './platform/core/service.ts'
import { printable, table } from './platform/core/terminal.ts'
import {
  explainArguments,
  findHelp,
  isArgumentError,
  renderCommandsDoc,
  renderHelp,
  type CommandName,
} from './operator/command-line/help.ts'
import {
  renderConfigurationDoc,
  renderEnvExample,
  renderLimitsDoc,
} from './platform/config/docs.ts'
import { readConfig, readEnvironment, type Config } from './platform/config/config.ts'
import type { Recount } from './analytics/retention/recount.ts'
import type { ConversionRecount } from './conversions/conversions/recount.ts'
import { askServer } from './operator/socket.ts'
import {
  DataDirHeldError,
  holdDataDir,
  openDataDir,
} from './platform/storage/installation/data-dir.ts'
import type { Acceptance } from './platform/storage/installation/installation.ts'

// A command that a running server answers needs little of the program, so each part is loaded where it
// is used: loading all of it takes longer than most commands.
const loadOffline = () => import('./app/offline.ts')
const loadStores = () => import('./platform/storage/stores.ts')

const COMMANDS: Record<CommandName, (args: string[]) => Promise<void>> = {
  bootstrap,
  'export-account': exportAccount,
  workspaces,
  suspend,
  resume,
  plan,
  'rate-limit': rateLimit,
  block,
  unblock,
  blocks,
  reports,
  purge,
  verify,
  backup: async (args) => {
    const { backupCommand } = await import('./operator/command-line/backup.ts')
    if (!(await backupCommand(args, say))) process.exitCode = 1
  },
  restore: async (args) =>
    (await import('./operator/command-line/backup.ts')).restoreCommand(args, say),
  ship,
  'rotate-secret': async (args) =>
    (await import('./operator/command-line/rotate-secret.ts')).rotateSecretCommand(args, say),
  doctor: async (args) => {
    const { doctorCommand } = await import('./operator/doctor/doctor.ts')
    if (!(await doctorCommand(args, say))) process.exitCode = 1
  },
  health: async (args) =>
    (await import('./operator/command-line/health.ts')).healthCommand(args, say),
  'accept-empty-clickhouse': (args) => accept('empty-clickhouse', args),
  'accept-new-secret-key': (args) => accept('new-secret-key', args),
  mails: async (args) => (await import('./operator/command-line/mails.ts')).mailsCommand(args, say),
  listen: async (args) => (await import('./operator/command-line/listen.ts')).listen(args),
  config,
  help,
}

/** The data that each acceptance gives up, and the message after it. */
const ACCEPTANCES: Record<Acceptance, { loss: string; done: string }> = {
  'empty-clickhouse': {
    loss: 'accept-empty-clickhouse gives up the analytics of all clicks that were stored in the former ClickHouse; add --yes to confirm.',
    done: 'ClickHouse is ready and empty. Clicks that wait in a journal will be stored in it.\n',
  },
  'new-secret-key': {
    loss: 'accept-new-secret-key gives up every second factor, every link password and every webhook signing secret and header made with the former key, and counts every visitor as new; add --yes to confirm.',
    done: 'SECRET_KEY is accepted. Rotate the signing secrets, and ask users to set up their second factors again.\n',
  },
}

const MAX_BATCHES_SHOWN = 100
/** Wait for a server that is starting: it locks the data directory before its socket listens. */
const SERVER_START_MS = 30_000
const MAX_PASSWORD_CHARS = 4_096

const [commandName = 'help', ...commandArgs] = process.argv.slice(2)
try {
  await runCommand(commandName, commandArgs)
} catch (error) {
  if (!(error instanceof OperatorError) && !isArgumentError(error)) throw error
  const message = isArgumentError(error) ? explainArguments(commandName, error) : error.message
  process.stderr.write(`signpost: ${message}\n`)
  process.exitCode = 1
}

async function runCommand(given: string, options: string[]): Promise<void> {
  if (given === '--help' || given === '-h') return say(renderHelp())
  findHelp(given)
  const end = options.indexOf('--')
  const flags = end === -1 ? options : options.slice(0, end)
  if (flags.includes('--help') || flags.includes('-h')) return say(renderHelp(given))
  return COMMANDS[given as CommandName](options)
}

async function help(topics: string[]): Promise<void> {
  if (topics.length > 1) throw new OperatorError('help takes the name of one command.')
  say(renderHelp(topics[0]))
}

async function bootstrap(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      password: { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
      workspace: { type: 'string' },
      role: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const { email, json, 'password-stdin': isPiped, ...rest } = values
  if (email === undefined) throw new OperatorError('bootstrap needs --email ADDRESS.')
  if (isPiped && rest.password !== undefined)
    throw new OperatorError('bootstrap takes --password or --password-stdin, not both.')
  if (isPiped) rest.password = await readPassword()
  const { setPasswordUrl, ...created } = await operate('bootstrap', { email, ...rest }, (where) =>
    process.stderr.write(`signpost: ${where}\n`),
  )
  if (json) {
    // Programs read exactly these three fields; the link is for the operator.
    say(`${JSON.stringify(created)}\n`)
    if (setPasswordUrl)
      process.stderr.write(
        `Set a password (the link works once, within a day): ${setPasswordUrl}\n`,
      )
    return
  }
  const link = setPasswordUrl
    ? `Password   ${setPasswordUrl}\n           (the link works once, within a day)\n`
    : ''
  say(
    `User       ${created.userId}\nWorkspace  ${created.workspaceId}\nAPI key    ${created.apiKey}\n${link}\nThe key is shown only once. A key of an earlier bootstrap no longer works.\n`,
  )
}

/** Returns the first line of standard input. */
async function readPassword(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.includes('\n') || text.length > MAX_PASSWORD_CHARS) break
  }
  return text.split(/\r?\n/, 1)[0]!
}

async function exportAccount(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { to: { type: 'string' } },
    allowPositionals: true,
  })
  const [email] = named(positionals, 'export-account needs an ADDRESS and --to FILE.')
  if (values.to === undefined) throw new OperatorError('export-account needs --to FILE.')
  const data = await operate('export-account', { email })
  const file = resolve(values.to)
  try {
    // Readable by its owner only, and never over an existing file.
    writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new OperatorError(`${file} cannot be written (${(error as Error).message}).`)
  }
  say(`Written to ${file}\n`)
}

async function workspaces(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { search: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const { search } = values
  const found = await operate('workspaces', search === undefined ? {} : { search })
  if (values.json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.workspaces.map((workspace) => [
    workspace.id,
    workspace.plan,
    String(workspace.members),
    String(workspace.links),
    workspace.suspendedAt ? 'suspended' : '',
    printable(workspace.name),
  ])
  say(table([['ID', 'PLAN', 'MEMBERS', 'LINKS', '', 'NAME'], ...rows]))
  const left = found.total - rows.length
  if (left > 0) say(`and ${left} more; --search TEXT finds them.\n`)
}

async function suspend(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { reason: { type: 'string' } },
    allowPositionals: true,
  })
  const [workspace] = named(positionals, 'suspend needs the id of a WORKSPACE.')
  const { reason } = values
  const done = await operate('suspend', { workspace, ...(reason !== undefined && { reason }) })
  say(`${done.workspaceId} (${printable(done.name)}) is suspended.\n`)
}

async function resume(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [workspace] = named(positionals, 'resume needs the id of a WORKSPACE.')
  const done = await operate('resume', { workspace })
  say(`${done.workspaceId} (${printable(done.name)}) is no longer suspended.\n`)
}

async function plan(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [workspace, name] = named(positionals, 'plan needs a WORKSPACE and a PLAN.', 2)
  const done = await operate('plan', { workspace, plan: name! })
  say(`${done.workspaceId} has the plan ${done.plan} (before: ${done.previousPlan}).\n`)
}

async function rateLimit(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const usage = 'rate-limit needs a WORKSPACE and a NUMBER a minute, or "default".'
  const [workspace, number] = named(positionals, usage, 2)
  if (number !== 'default' && !/^\d{1,10}$/.test(number!)) throw new OperatorError(usage)
  const perMinute = number === 'default' ? null : Number(number)
  const done = await operate('rate-limit', { workspace, perMinute })
  say(`${done.workspaceId} has the rate limit ${done.perMinute ?? 'of its plan'}.\n`)
}

async function block(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { reason: { type: 'string' } },
    allowPositionals: true,
  })
  const [kind, value] = named(positionals, 'block needs host|link|workspace|image VALUE.', 2)
  const { reason } = values
  const done = await operate('block', {
    kind,
    value: value!,
    ...(reason !== undefined && { reason }),
  })
  say(`The ${done.kind} ${printable(done.value)} is blocked.\n`)
}

async function unblock(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [kind, value] = named(positionals, 'unblock needs host|link|workspace|image VALUE.', 2)
  const done = await operate('unblock', { kind, value: value! })
  say(`The ${done.kind} ${printable(done.value)} is no longer blocked.\n`)
}

async function blocks(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const found = await operate('blocks', {})
  if (values.json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.blocks.map(({ kind, value, links, state, createdAt, reason }) => [
    ...[kind, printable(value), String(links), state, createdAt, printable(reason ?? '')],
  ])
  say(table([['KIND', 'VALUE', 'LINKS', 'STATE', 'SINCE', 'REASON'], ...rows]))
  sayRest(found.total - rows.length)
}

async function reports(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      resolve: { type: 'string' },
    },
  })
  if (values.resolve !== undefined) {
    const { id } = await operate('resolve-report', { id: values.resolve })
    return say(`${id} is resolved.\n`)
  }
  const found = await operate('reports', { all: values.all })
  if (values.json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.reports.map((report) => [
    ...[report.id, report.createdAt, report.reason, report.linkId ?? '', printable(report.url)],
    `${report.destinationHost ?? ''}${report.isMixedScript ? ' (mixed alphabets)' : ''}`,
    printable(report.details ?? ''),
  ])
  say(table([['ID', 'TIME', 'REASON', 'LINK', 'URL', 'LEADS TO', 'DETAILS'], ...rows]))
  sayRest(found.total - rows.length)
}

async function purge(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { yes: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [workspace] = named(positionals, 'purge needs the id of a WORKSPACE.')
  if (!values.yes)
    throw new OperatorError(
      'purge deletes a workspace with everything in it; add --yes to confirm.',
    )
  const done = await operate('purge', { workspace })
  say(`${done.workspaceId} (${printable(done.name)}) is deleted.\n`)
}

/** Exits with 1 when an audit row was changed, added or removed, or a counter or a copy is wrong and not repaired. */
async function verify(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { repair: { type: 'boolean', default: false } },
  })
  const found = await operate('verify', { repair: values.repair })
  const isWhole = [
    sayAuditRows(found),
    sayCounters(found.counters),
    sayConversions(found.conversions),
  ].every(Boolean)
  if (!isWhole) process.exitCode = 1
}

function sayAuditRows({ rows, workspaces: count, broken, brokenTotal }: VerifyAnswer): boolean {
  say(`Audit rows checked: ${rows}, in ${count} workspaces\n`)
  if (brokenTotal === 0) say('All of them are unchanged.\n')
  for (const { workspaceId, rowId, reason } of broken)
    say(`BROKEN  ${workspaceId}  ${rowId ?? '(the whole chain)'}  ${reason}\n`)
  sayRest(brokenTotal - broken.length)
  return brokenTotal === 0
}

function sayCounters(recount: Recount): boolean {
  const { links, drifting, driftingTotal, keptTotal, isRepaired } = recount
  say(`Links compared: ${links}\n`)
  if (driftingTotal === 0) say('All counters are the number of their clicks.\n')
  for (const { workspaceId, linkId, counter, clicks, state } of drifting)
    say(`${state}  ${workspaceId}  ${linkId}  counter ${counter}, clicks ${clicks}\n`)
  sayRest(driftingTotal - drifting.length)
  if (driftingTotal > 0 && !isRepaired) say('verify --repair corrects the counters.\n')
  if (keptTotal > 0) say('KEPT counters may be right: ClickHouse set parts aside; see doctor.\n')
  return driftingTotal === 0 || (isRepaired && keptTotal === 0)
}

function sayConversions({ conversions, drifting, isRepaired }: ConversionRecount): boolean {
  say(`Conversions compared: ${conversions}\n`)
  if (drifting.length === 0) say('All of them are in ClickHouse.\n')
  const name = isRepaired ? 'SENT AGAIN' : 'DRIFT'
  for (const { batch, stored, copied } of drifting.slice(0, MAX_BATCHES_SHOWN))
    say(`${name}  batch ${batch}  PostgreSQL ${stored}, ClickHouse ${copied}\n`)
  sayRest(drifting.length - MAX_BATCHES_SHOWN)
  return drifting.length === 0 || isRepaired
}

function sayRest(count: number): void {
  if (count > 0) say(`and ${count} more\n`)
}

async function ship(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { dir: { type: 'string' } } })
  if (values.dir === undefined) throw new OperatorError('ship needs --dir FOLDER.')
  const dir = resolve(values.dir)
  const segments = await askOrOpen('ship', { dir }, async (offline) =>
    (await loadOffline()).shipOffline(offline, dir),
  )
  say(`Segments shipped: ${segments}\n`)
}

/** Opens the databases with one accepted loss and closes them again. */
async function accept(acceptance: Acceptance, options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { yes: { type: 'boolean', default: false } },
  })
  const { loss, done } = ACCEPTANCES[acceptance]
  if (!values.yes) throw new OperatorError(loss)
  const settings = readConfig(readEnvironment())
  requireData(settings)
  using dataDir = holdDataDir(settings.dataDir, systemClock)
  const log = openLog('error', toLogStream(null, process.stderr))
  const { openStores } = await loadStores()
  await using _stores = await openStores(settings, dataDir, log, { accept: acceptance })
  say(done)
}

/**
 * Runs one of the operations of src/operator/operations.ts.
 * @param onPlace called after the operation with a message that says which data it changed
 */
function operate<Name extends keyof Operations>(
  name: Name,
  input: Parameters<Operations[Name]>[0] & object,
  onPlace?: (message: string) => void,
): Promise<Awaited<ReturnType<Operations[Name]>>> {
  const perform = async (offline: Offline) =>
    (await loadOffline()).operateOffline(offline, name, input)
  return askOrOpen(name, input, perform, onPlace) as Promise<Awaited<ReturnType<Operations[Name]>>>
}

/** Runs an operation in the running server if there is one, otherwise on briefly opened databases. */
async function askOrOpen<T>(
  operation: string,
  input: object,
  perform: (offline: Offline) => Promise<T>,
  onPlace: (message: string) => void = () => {},
): Promise<T> {
  const settings = readConfig(readEnvironment())
  const surroundings = {
    log: openLog('error', toLogStream(null, process.stderr)),
    clock: systemClock,
  }
  const deadline = performance.now() + SERVER_START_MS
  for (;;) {
    const answer = await askRunning(settings.dataDir, operation, input)
    if (answer !== null) {
      onPlace(`done by the running server of ${settings.dataDir}.`)
      return answer as T
    }
    if (operation !== 'bootstrap') requireData(settings)
    try {
      const isNew = !hasData(settings)
      using dataDir = holdDataDir(settings.dataDir, systemClock)
      const { openStores } = await loadStores()
      await using stores = await openStores(settings, dataDir, surroundings.log)
      const result = await perform({ stores, config: settings, ...surroundings })
      onPlace(describePlace(settings, isNew))
      return result
    } catch (error) {
      if (!(error instanceof DataDirHeldError) || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

/**
 * Returns null when no server runs on the directory. The command asks the server before it looks for
 * data, since the server may have a DATABASE_URL that the command was not given.
 */
async function askRunning(dataDir: string, operation: string, input: object): Promise<unknown> {
  // The command must not create the directory.
  if (!existsSync(dataDir)) return null
  openDataDir(dataDir)
  return askServer(operatorSocket(dataDir), operation, input)
}

/** Refuses a directory without data, where every answer would be empty and wrong. */
function requireData(settings: Config): void {
  if (!hasData(settings))
    throw new OperatorError(
      `There is no data in ${settings.dataDir}; set DATA_DIR (or DATABASE_URL) as for the server.`,
    )
}

function hasData({ dataDir, databaseUrl }: Config): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'postgres'))
}

/** Tells the operator which data was changed: a server with another DATA_DIR would not have it. */
function describePlace({ dataDir, databaseUrl }: Config, isNew: boolean): string {
  const place =
    databaseUrl === null ? dataDir : `the database of DATABASE_URL, with DATA_DIR ${dataDir}`
  return isNew
    ? `no server runs on ${place}; a new installation was created there.`
    : `no server runs on ${place}; its data was changed directly.`
}

async function config(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { write: { type: 'boolean', default: false } } })
  if (!values.write) return say(renderEnvExample())
  const { PAGES_WITH_TABLES, writeTables } = await import('./operator/command-line/docs.ts')
  const root = join(import.meta.dirname, '..')
  writeFileSync(join(root, '.env.example'), renderEnvExample())
  writeFileSync(join(root, 'docs/configuration.md'), renderConfigurationDoc())
  writeFileSync(join(root, 'docs/limits.md'), renderLimitsDoc())
  writeFileSync(join(root, 'docs/commands.md'), renderCommandsDoc())
  for (const page of PAGES_WITH_TABLES)
    writeFileSync(join(root, page), writeTables(readFileSync(join(root, page), 'utf8')))
}

/** @throws OperatorError with the usage when there are more or fewer than `count` arguments */
function named(positionals: string[], usage: string, count = 1): [string, ...string[]] {
  if (positionals.length !== count) throw new OperatorError(usage)
  return positionals as [string, ...string[]]
}

function say(text: string): void {
  process.stdout.write(text)
}
