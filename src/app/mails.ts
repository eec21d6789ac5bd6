import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OperatorError } from '../base/errors.ts'
import { printable } from '../base/terminal.ts'
import { readConfig, readEnvironment, type Config } from '../config/config.ts'
import { readOutbox } from '../services/mail/outbox-mails.ts'
import type { SayLink } from '../services/mail/outbox-folder.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100

/** The folder of mails as files, of a server without SMTP_URL. */
export function outboxDirOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox')
}

/** Prints mails on a terminal. A log gets nothing: no link may reach one, so not a pipe, a file or JSON lines either. */
export function toTerminal(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  logFormat: Config['logFormat'],
): SayLink | null {
  if (!stream.isTTY || logFormat === 'json') return null
  return ({ to, subject, link }) =>
    void stream.write(
      `\n  Mail to ${printable(to)}: ${printable(subject)}\n  ${printable(link)}\n\n`,
    )
}

/** `mails`: the newest mails of the outbox with their links. */
export async function mailsCommand(args: string[], say: (text: string) => void): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { limit: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const limit = values.limit === undefined ? DEFAULT_LIMIT : Number(values.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new OperatorError(`mails takes a --limit from 1 to ${MAX_LIMIT}.`)
  const config = readConfig(readEnvironment())
  const folder = outboxDirOf(config)
  const mails = await readOutbox(folder, limit).catch((error: Error) => {
    throw new OperatorError(`${folder} cannot be read (${error.message}).`)
  })
  if (values.json) return say(`${JSON.stringify({ folder, mails })}\n`)
  if (mails.length === 0) {
    const why = config.smtpUrl === null ? '' : ' SMTP_URL is set, so mails are sent.'
    return say(`There is no mail in ${folder}.${why}\n`)
  }
  for (const { sentAt, to, subject, link, file } of mails)
    say(
      `${sentAt}  ${printable(to)}  ${printable(subject)}\n${link === null ? '' : `  ${printable(link)}\n`}  ${file}\n\n`,
    )
}
