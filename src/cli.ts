import * as abuse from './operator/command-line/abuse.ts'
import * as accounts from './operator/command-line/accounts.ts'
import { say } from './operator/command-line/command.ts'
import {
  explainArguments,
  findHelp,
  isArgumentError,
  renderHelp,
  showHelp,
  type CommandName,
} from './operator/command-line/help.ts'
import { createOperate, type Command } from './operator/command-line/operate.ts'
import { verify } from './operator/command-line/verify.ts'
import * as workspaces from './operator/command-line/workspaces.ts'
import { OperatorError } from './platform/core/errors.ts'

/**
 * What a running server answers needs little of the program. The rest is loaded where it is used: loading all of
 * it takes longer than most commands.
 */
const COMMANDS: Record<CommandName, Command> = {
  bootstrap: accounts.bootstrap,
  operators: accounts.operators,
  'export-account': accounts.exportAccount,
  workspaces: workspaces.list,
  suspend: workspaces.suspend,
  resume: workspaces.resume,
  plan: workspaces.setPlan,
  'rate-limit': workspaces.setRateLimit,
  block: abuse.block,
  unblock: abuse.unblock,
  blocks: abuse.listBlocks,
  reports: abuse.reports,
  purge: workspaces.purge,
  verify,
  backup: async (args) => (await import('./operator/command-line/backup.ts')).backup(args),
  restore: async (args) => (await import('./operator/command-line/backup.ts')).restore(args),
  ship: async (args) => (await import('./operator/command-line/backup.ts')).ship(args),
  'rotate-secret': async (args) =>
    (await import('./operator/command-line/installation.ts')).rotateSecret(args),
  doctor: async (args) => (await import('./operator/doctor/doctor.ts')).doctor(args),
  health: async (args) => (await import('./operator/command-line/health.ts')).health(args),
  'accept-empty-clickhouse': async (args) =>
    (await import('./operator/command-line/installation.ts')).accept('empty-clickhouse', args),
  'accept-new-secret-key': async (args) =>
    (await import('./operator/command-line/installation.ts')).accept('new-secret-key', args),
  mails: async (args) => (await import('./operator/command-line/mails.ts')).mails(args),
  listen: async (args) => (await import('./operator/command-line/listen.ts')).listen(args),
  config: async (args) => (await import('./operator/command-line/docs.ts')).config(args),
  help: showHelp,
}

const operate = createOperate(async (...given) =>
  (await import('./app/offline.ts')).operateOffline(...given),
)

const [name = 'help', ...args] = process.argv.slice(2)
try {
  if ((await runCommand()) === false) process.exitCode = 1
} catch (error) {
  if (!(error instanceof OperatorError) && !isArgumentError(error)) throw error
  const message = isArgumentError(error) ? explainArguments(name, error) : error.message
  process.stderr.write(`signpost: ${message}\n`)
  process.exitCode = 1
}

async function runCommand(): Promise<unknown> {
  if (name === '--help' || name === '-h') return say(renderHelp())
  findHelp(name)
  const end = args.indexOf('--')
  const flags = end === -1 ? args : args.slice(0, end)
  if (flags.includes('--help') || flags.includes('-h')) return say(renderHelp(name))
  return COMMANDS[name as CommandName](args, operate)
}
