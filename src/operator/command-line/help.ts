import { OperatorError } from '../../platform/core/errors.ts'
import { say } from './command.ts'

export type CommandHelp = { usage: string; text: string; example?: string }

const PREFIX = 'npm run -s signpost --'

export const COMMAND_HELP = {
  bootstrap: {
    usage:
      '--email ADDRESS [--password-stdin | --password PASSWORD] [--workspace NAME|ID] [--role ROLE] [--operator] [--json]',
    text: `Create (or find) an account with a workspace and print a new API key. The key that an earlier
bootstrap created for it stops working. Without a password the command also prints a link under
which the account gets one: it works once, within a day. --password-stdin reads the password from
standard input; --password shows it to every user of this machine while the command runs. --operator
makes the account an operator, as operators --add does.`,
    example: 'bootstrap --email you@example.com --json',
  },
  operators: {
    usage: '[--add ADDRESS | --remove ADDRESS] [--json]',
    text: `List the operators: users who see all workspaces and users of this server in the dashboard, and change
plans, suspend, block and resolve reports there. --add makes an account one, --remove ends that. Nothing else does.`,
    example: 'operators --add you@example.com',
  },
  'export-account': {
    usage: 'ADDRESS --to FILE',
    text: 'Write everything that is stored about a user to a new file, as JSON without secrets.',
    example: 'export-account you@example.com --to you.json',
  },
  workspaces: {
    usage: '[--search TEXT] [--json]',
    text: `List workspaces: the newest hundred, or those whose name or id contains TEXT, or that have a
member with this address.`,
    example: 'workspaces --search example.com',
  },
  suspend: {
    usage: 'WORKSPACE [--reason TEXT]',
    text: 'Refuse its credentials, answer its links with 410 and hold its deliveries.',
  },
  resume: { usage: 'WORKSPACE', text: 'End a suspension.' },
  plan: { usage: 'WORKSPACE PLAN', text: 'Give a workspace a plan.' },
  'rate-limit': {
    usage: 'WORKSPACE NUMBER|default',
    text: 'Set the API requests per minute of each key and user of a workspace.',
  },
  block: {
    usage: 'host|link|workspace|image VALUE [--reason TEXT]',
    text: `Block a host of destinations with its subdomains, a link or bio page (its id or URL), a workspace, which is
suspended, or an image (its id or URL), wherever it is shown. Links answer 451: a single one within a second,
the links of a host one after another. Admins of the workspace see the reason. Images that nothing else shows are
gone with their link or page.`,
    example: 'block host phishing.example --reason phishing',
  },
  unblock: {
    usage: 'host|link|workspace|image VALUE',
    text: 'Lift a block. Its links get their former status, unless another block covers them.',
  },
  blocks: { usage: '[--json]', text: 'List what is blocked: the newest thousand entries.' },
  reports: {
    usage: '[--all] [--json] | --resolve ID',
    text: `List reports of abuse: the newest hundred that are open, or of all. A destination whose letters mix
alphabets is marked. --resolve takes a report off the list.`,
  },
  purge: {
    usage: 'WORKSPACE --yes',
    text: 'Delete a workspace with everything in it. This cannot be undone.',
  },
  verify: {
    usage: '[--repair]',
    text: `Check that no row of an audit log was changed, added or removed outside the program, and that the
click counter of each link is the number of its clicks, and all conversions are in ClickHouse.
Exits with 1 when a check fails. --repair corrects the counters and sends missing conversions again,
beside a running server as well.`,
  },
  backup: {
    usage: '--to FOLDER [--with-key | --key-to FILE] | --check FOLDER',
    text: `Write a backup of both databases and of the click journal to a new folder, beside a running server or
without one. The secret key is left out, since a backup with it can be read by every holder; --with-key puts it
in, --key-to writes it to a file of its own. --check restores a backup to a temporary directory beside it,
compares the rows of every table, runs verify there, and exits with 1 when something differs.`,
    example: 'backup --to /backups/2026-11-23',
  },
  restore: {
    usage: 'FOLDER [--key FILE]',
    text: `Restore a backup to the data directory and databases of the settings, which must be empty. The secret key
is SECRET_KEY, else the file of --key, else the key in the backup.`,
    example: 'restore /backups/2026-11-23 --key /safe/secret.key',
  },
  ship: {
    usage: '--dir FOLDER',
    text: `Ship the click journal of a lost machine: FOLDER is the folder "journal" of its data directory.
It is emptied; shipping a copy of it again adds nothing.`,
  },
  'rotate-secret': {
    usage: '[--new-key]',
    text: `Seal every stored secret with a new SECRET_KEY, beside servers that accept both keys: the new one in
SECRET_KEY, the former one in SECRET_KEY_ALSO. For the key in DATA_DIR, --new-key makes a new one beside the
former; restart the server then, and run rotate-secret. A run that was cut off is completed by the next one.`,
  },
  doctor: {
    usage: '[--json]',
    text: `Check what the server depends on: disk, inodes, open files, memory, processor, the clock against the
database, versions, roles, LISTEN, tables, key, a request through PUBLIC_URL, proxies, mail, journals and refused
clicks. One line each, with what to do. Exits with 1 when a check fails.`,
  },
  health: {
    usage: '[--ready]',
    text: `Request /health of the server of these settings, or with --ready /ready, for containers without curl.
Exits with 1 unless the server is well.`,
  },
  mails: {
    usage: '[--limit NUMBER] [--json]',
    text: `Print the newest mails of a server without SMTP_URL with their links, which are as good as passwords:
ten, or NUMBER of at most 100. They are the files of the folder "outbox" in DATA_DIR.`,
    example: 'mails --limit 1',
  },
  'accept-empty-clickhouse': {
    usage: '--yes',
    text: `Start with an empty ClickHouse, or another one: the analytics of all clicks that were stored in the
former one are given up. The server must be stopped.`,
  },
  'accept-new-secret-key': {
    usage: '--yes',
    text: `Continue with another SECRET_KEY: every second factor, every link password and every webhook signing secret and header that was
made with the former key is given up, and visitors count as new. The server must be stopped.`,
  },
  listen: {
    usage: '--to URL [--events TYPES] [--url URL] [--api-key KEY] [--secret SECRET]',
    text: `Forward new events to a server on this machine, as deliveries: signed, with the same headers and
body, one attempt each. No port is opened. --events takes types separated by commas; the API key may
also come from SIGNPOST_API_KEY.`,
    example: 'listen --to http://localhost:4000/hook --events link.created',
  },
  config: {
    usage: '[--write]',
    text: 'Print the settings and their defaults; --write regenerates .env.example and the generated pages of docs/.',
  },
  help: { usage: '[COMMAND]', text: 'Show this help, or the help of one command.' },
} as const satisfies Record<string, CommandHelp>

export type CommandName = keyof typeof COMMAND_HELP

const FOOTER = `All commands but accept-…, restore, listen, config and help work beside a running server and without one, on the data
that DATA_DIR (or DATABASE_URL and CLICKHOUSE_URL) names: give them the settings of the server.
WORKSPACE is an id (wsp_…). Each command shows its help with --help.
`

export async function showHelp(topics: string[]): Promise<void> {
  if (topics.length > 1) throw new OperatorError('help takes the name of one command.')
  say(renderHelp(topics[0]))
}

export function renderHelp(topic?: string): string {
  if (topic === undefined) {
    const commands = Object.entries(COMMAND_HELP).map(([name, help]) => renderCommand(name, help))
    return `Usage: ${PREFIX} COMMAND\n\n${commands.join('')}\n${FOOTER}`
  }
  const { usage, text, example } = findHelp(topic)
  const shown = example ? `\nExample:\n  ${PREFIX} ${example}\n` : ''
  return `Usage: ${PREFIX} ${[topic, usage].join(' ').trimEnd()}\n\n${text}\n${shown}`
}

export function renderCommandsDoc(): string {
  const sections = Object.entries(COMMAND_HELP).map(([name, help]: [string, CommandHelp]) => {
    const { usage, text, example } = help
    const lines = [`${PREFIX} ${[name, usage].join(' ').trimEnd()}`]
    if (example) lines.push('', '# for example', `${PREFIX} ${example}`)
    return `## ${name}\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n\n${text}\n`
  })
  return `# The command line

${FOOTER}
This page is generated from \`src/operator/command-line/help.ts\` by \`npm run -s signpost -- config --write\`.

${sections.join('\n')}`
}

export function findHelp(name: string): CommandHelp {
  const help = Object.hasOwn(COMMAND_HELP, name) ? COMMAND_HELP[name as CommandName] : undefined
  if (!help) throw new OperatorError(`There is no command "${name}"; "help" lists the commands.`)
  return help
}

function renderCommand(name: string, { usage, text }: CommandHelp): string {
  const lines = text.split('\n').map((line) => `      ${line}\n`)
  return `  ${`${name} ${usage}`.trimEnd()}\n${lines.join('')}`
}

type ParseError = Error & { code: string }

export function isArgumentError(error: unknown): error is ParseError {
  return (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
}

export function explainArguments(command: string, { code, message }: ParseError): string {
  const [, option = ''] = /'(-[^' ]+)/.exec(message) ?? []
  const [, extra = ''] = /Unexpected argument '([^']*)'/.exec(message) ?? []
  const problem =
    code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
      ? `${command} has no option ${option}`
      : code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
        ? `${command} takes no argument "${extra}"`
        : /does not take an argument/.test(message)
          ? `${command}: ${option} takes no value`
          : `${command}: ${option} needs a value`
  return `${problem}; "help ${command}" shows what it takes.`
}
