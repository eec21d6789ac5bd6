import { OperatorError } from '../../platform/core/errors.ts'
import { say } from './command.ts'

export type CommandHelp = { usage: string; text: string; example?: string }

const PREFIX = 'npm run -s signpost --'

export const COMMAND_HELP = {
  bootstrap: {
    usage:
      '--email ADDRESS [--password-stdin | --password PASSWORD] [--workspace NAME|ID] [--role ROLE] [--operator] [--json]',
    text: `Create an account with a workspace, or find it, and print a new API key. The key of an earlier bootstrap
stops working. Without a password the command also prints a link to choose one; it works once, within a
day. --password-stdin reads the password from standard input. With --password, every user of this
machine can see it while the command runs. --operator makes the account an operator, as operators --add does.`,
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
    text: 'Write everything that is stored about a user, except secrets, to a new JSON file.',
    example: 'export-account you@example.com --to you.json',
  },
  workspaces: {
    usage: '[--search TEXT] [--json]',
    text: `List the newest hundred workspaces, or those whose name or id contains TEXT or that have a member with
this e-mail address.`,
    example: 'workspaces --search example.com',
  },
  suspend: {
    usage: 'WORKSPACE [--reason TEXT]',
    text: 'Suspend a workspace: its requests are refused, its links answer 410, and its deliveries wait.',
  },
  resume: { usage: 'WORKSPACE', text: 'End a suspension.' },
  plan: { usage: 'WORKSPACE PLAN', text: 'Change the plan of a workspace.' },
  'rate-limit': {
    usage: 'WORKSPACE NUMBER|default',
    text: 'Set how many API requests per minute each key and user of a workspace can send; "default" is the number of its plan.',
  },
  block: {
    usage: 'host|link|workspace|image VALUE [--reason TEXT]',
    text: `Block a destination host with its subdomains, a link or bio page (by id or URL), an image (by id, URL or
SHA-256), or a workspace, which is then suspended. Blocked links answer 451: a single link within a second, the
links to a host one after another. Admins of the workspace see the reason. Images that only blocked links and
pages show disappear too.`,
    example: 'block host phishing.example --reason phishing',
  },
  unblock: {
    usage: 'host|link|workspace|image VALUE',
    text: 'Lift a block. Links get their former status back, unless another block covers them.',
  },
  blocks: { usage: '[--json]', text: 'List the newest thousand blocks.' },
  reports: {
    usage: '[--all] [--json] | --resolve ID',
    text: `List the newest hundred open reports of abuse, or with --all also resolved ones. Destination hosts that mix
alphabets are marked. --resolve closes a report.`,
  },
  purge: {
    usage: 'WORKSPACE --yes',
    text: 'Delete a workspace with everything in it. This cannot be undone.',
  },
  verify: {
    usage: '[--repair]',
    text: `Check three things: no row of an audit log was changed, added or removed outside the program; the click
counter of each link equals its clicks in ClickHouse; all conversions are in ClickHouse. Exits with 1 when
a check fails. --repair corrects the counters and sends missing conversions again; the server can run.`,
  },
  backup: {
    usage: '--to FOLDER [--with-key | --key-to FILE] | --check FOLDER',
    text: `Write a backup of both databases and the click journal to a new folder; the server can run. The secret key
is left out, because whoever has it and the backup can read every secret: --with-key includes it, --key-to writes
it to another file. --check restores a backup to a temporary directory beside it, compares the rows of
every table, runs verify there, and exits with 1 when something differs.`,
    example: 'backup --to /backups/2026-11-23',
  },
  restore: {
    usage: 'FOLDER [--key FILE]',
    text: `Restore a backup to DATA_DIR, or to the databases of DATABASE_URL and CLICKHOUSE_URL, which must be empty. The
secret key comes from SECRET_KEY, else from the file of --key, else from the backup.`,
    example: 'restore /backups/2026-11-23 --key /safe/secret.key',
  },
  ship: {
    usage: '--dir FOLDER',
    text: `Store the clicks that a lost machine had not shipped. FOLDER is the folder "journal" of its data directory;
the command empties it. Shipping a copy again adds no clicks.`,
  },
  'rotate-secret': {
    usage: '[--new-key]',
    text: `Encrypt every stored secret with a new key. If SECRET_KEY is in the settings, first give every server the new
key as SECRET_KEY and the former one as SECRET_KEY_ALSO. If the key is in DATA_DIR, run rotate-secret --new-key,
restart the server, and run rotate-secret. If a run is interrupted, run it again.`,
  },
  doctor: {
    usage: '[--json]',
    text: `Check what the server depends on: disk, inodes, open files, memory, processor, the clock compared with the
database's, versions, roles, LISTEN, tables, key, a request through PUBLIC_URL, proxies, mail, journals and
refused clicks. Prints a line for each, with what to do. Exits with 1 when a check fails.`,
  },
  health: {
    usage: '[--ready]',
    text: `Request /health of the server on HOST and PORT, or /ready with --ready, for containers without curl. Exits
with 1 unless the answer is 200.`,
  },
  mails: {
    usage: '[--limit NUMBER] [--json]',
    text: `Print the newest mails of a server without SMTP_URL: ten, or NUMBER up to 100. The links in them are as good
as passwords. The mails are files in DATA_DIR/outbox.`,
    example: 'mails --limit 1',
  },
  'accept-empty-clickhouse': {
    usage: '--yes',
    text: `Continue with an empty ClickHouse. The analytics of all clicks in the former one are lost. Stop the server
first.`,
  },
  'accept-new-secret-key': {
    usage: '--yes',
    text: `Continue with another SECRET_KEY. Every second factor, link password, webhook signing secret and webhook header
that was stored with the former key is lost, and every visitor counts as new. Stop the server first.`,
  },
  listen: {
    usage: '--to URL [--events TYPES] [--url URL] [--api-key KEY] [--secret SECRET]',
    text: `Forward new events to a server on this machine, like deliveries: signed, with the same headers and body,
but with one attempt each. Opens no port. --events takes types separated by commas. The API key can also
come from SIGNPOST_API_KEY.`,
    example: 'listen --to http://localhost:4000/hook --events link.created',
  },
  config: {
    usage: '[--write]',
    text: 'Print the settings with their defaults. --write regenerates .env.example and the generated pages of docs/.',
  },
  help: { usage: '[COMMAND]', text: 'Show this help, or the help of one command.' },
} as const satisfies Record<string, CommandHelp>

export type CommandName = keyof typeof COMMAND_HELP

const FOOTER = `Run the commands with the settings of the server: DATA_DIR, or DATABASE_URL and CLICKHOUSE_URL, say which data
they work on. They work whether the server runs or not, except accept-… and restore, which need it stopped. WORKSPACE is
an id (wsp_…). Each command shows its help with --help.
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
