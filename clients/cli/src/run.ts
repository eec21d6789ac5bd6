import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { SignpostError } from '../../typescript/src/index.ts'
import { clientFor } from './account.ts'
import { plain, UserError, type Command, type Io } from './command.ts'
import { completionOf } from './completion.ts'
import * as links from './links.ts'
import { mcp } from './mcp.ts'
import * as numbers from './numbers.ts'
import * as signIn from './sign-in.ts'
import { listen } from './webhooks.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  login: signIn.login,
  logout: signIn.logout,
  shorten: links.shorten,
  'links ls': links.list,
  'links get': links.get,
  'links edit': links.edit,
  'links rm': links.remove,
  'links open': links.open,
  stats: numbers.stats,
  tail: numbers.tail,
  import: links.importFile,
  'webhooks listen': listen,
  mcp,
  completion: completionOf(() => COMMANDS),
}

const COMMON = {
  json: { type: 'boolean', about: 'print JSON' },
  help: { type: 'boolean', about: 'show this help' },
} as const

export const EXIT = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

/** Runs a command line, and returns the exit code. */
export async function run(words: readonly string[], io: Io): Promise<number> {
  try {
    return await runCommand(words, io)
  } catch (error) {
    if (io.signal.aborted) return EXIT.interrupted
    const isMistake = error instanceof UserError || isArgumentError(error)
    if (!isMistake && !(error instanceof SignpostError)) throw error
    const { message } = error as Error
    const { requestId } = error as Partial<SignpostError>
    if (words.includes('--json')) {
      const { code = 'USAGE', details } = error as Partial<SignpostError>
      io.note(JSON.stringify({ error: { code, message, details, requestId } }))
    } else io.note(`signpost: ${plain(message)}${requestId ? ` (${requestId})` : ''}`)
    return isMistake ? EXIT.misused : EXIT.failed
  }
}

async function runCommand(words: readonly string[], io: Io): Promise<number> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => each in COMMANDS)
  if (name === undefined) return showHelp(words, io)
  const command = COMMANDS[name]!
  const { values, positionals: args } = parseArgs({
    args: words.slice(name.split(' ').length),
    options: { ...COMMON, ...command.options } as ParseArgsOptionsConfig,
    allowPositionals: true,
  })
  if (values['help'] === true) {
    io.write(helpOf(name, command))
    return EXIT.done
  }
  if (args.length !== (command.args ? 1 : 0))
    throw new UserError(`The command is: signpost ${name} ${command.args ?? ''}`.trimEnd())
  const options = values as Record<string, string | boolean | undefined>
  const result = await command.run(io, { args, options }, () => clientFor(io.env))
  if (result) io.write(options['json'] === true ? JSON.stringify(result.data) : result.text)
  return EXIT.done
}

function showHelp(words: readonly string[], io: Io): number {
  const [first] = words
  if (first !== undefined && !['help', '--help', '-h'].includes(first)) {
    const isGroup = Object.keys(COMMANDS).some((name) => name.startsWith(`${first} `))
    throw new UserError(
      `There is no command "${(isGroup ? words.slice(0, 2) : [first]).join(' ')}": see "signpost help".`,
    )
  }
  io.write(
    Object.entries(COMMANDS)
      .map(([name, { args = '', summary }]) => `  ${`${name} ${args}`.padEnd(18)} ${summary}`)
      .join('\n')
      .replace(/^/, 'signpost COMMAND [OPTIONS]\n\n')
      .concat('\n\n"signpost COMMAND --help" shows the options of a command.'),
  )
  return EXIT.done
}

function helpOf(name: string, { args = '', summary, options = {} }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON }).map(([option, spec]) => {
    const { value = '' } = spec as { value?: string }
    return `  ${`--${option} ${value}`.padEnd(22)} ${spec.about}`
  })
  return `signpost ${name} ${args}`.trimEnd() + `: ${summary}\n\n${rows.join('\n')}`
}

/** An error of parseArgs: an unknown option, or one without its value. */
function isArgumentError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS_')
}
