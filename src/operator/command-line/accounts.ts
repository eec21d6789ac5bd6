import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/core/errors.ts'
import { printable, table } from '../../platform/core/terminal.ts'
import { say, takeArguments } from './command.ts'
import type { Operate } from './operate.ts'

const MAX_PASSWORD_CHARS = 4_096

export async function bootstrap(args: string[], operate: Operate): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      password: { type: 'string' },
      'password-stdin': { type: 'boolean', default: false },
      workspace: { type: 'string' },
      role: { type: 'string' },
      operator: { type: 'boolean', default: false },
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
    // Programs read exactly these three fields; the operator reads the link.
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

async function readPassword(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.includes('\n') || text.length > MAX_PASSWORD_CHARS) break
  }
  return text.split(/\r?\n/, 1)[0]!
}

export async function exportAccount(args: string[], operate: Operate): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { to: { type: 'string' } },
    allowPositionals: true,
  })
  const [email] = takeArguments(positionals, 'export-account needs an ADDRESS and --to FILE.')
  if (values.to === undefined) throw new OperatorError('export-account needs --to FILE.')
  const data = await operate('export-account', { email })
  const file = resolve(values.to)
  try {
    // Only its owner can read it; an existing file is never overwritten.
    writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new OperatorError(`${file} cannot be written (${(error as Error).message}).`)
  }
  say(`Written to ${file}\n`)
}

export async function operators(args: string[], operate: Operate): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      add: { type: 'string' },
      remove: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const { add, remove, json } = values
  if (add !== undefined && remove !== undefined)
    throw new OperatorError('operators takes --add or --remove, not both.')
  const found = await operate('operators', { add, remove })
  if (json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.operators.map(({ id, email, name }) => [id, printable(email), printable(name)])
  say(table([['ID', 'EMAIL', 'NAME'], ...rows]))
}
