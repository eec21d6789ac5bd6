import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/core/errors.ts'
import { printable } from '../../platform/core/terminal.ts'
import { readConfig, readEnvironment } from '../../platform/config/config.ts'
import { readOutbox } from '../../platform/mail/outbox-folder.ts'
import { outboxDirOf } from '../../platform/mail/mails.ts'
import { say } from './command.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100

export async function mails(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { limit: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const limit = values.limit === undefined ? DEFAULT_LIMIT : Number(values.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new OperatorError(`mails takes a --limit from 1 to ${MAX_LIMIT}.`)
  const config = readConfig(readEnvironment())
  const folder = outboxDirOf(config)
  const found = await readOutbox(folder, limit).catch((error: Error) => {
    throw new OperatorError(`${folder} cannot be read (${error.message}).`)
  })
  if (values.json) return say(`${JSON.stringify({ folder, mails: found })}\n`)
  if (found.length === 0) {
    const why = config.smtpUrl === null ? '' : ' SMTP_URL is set, so mails are sent.'
    return say(`There is no mail in ${folder}.${why}\n`)
  }
  for (const { sentAt, to, subject, link, file } of found)
    say(
      `${sentAt}  ${printable(to)}  ${printable(subject)}\n${link === null ? '' : `  ${printable(link)}\n`}  ${file}\n\n`,
    )
}
