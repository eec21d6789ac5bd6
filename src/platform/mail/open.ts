import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { printable } from '../core/terminal.ts'
import { createMails, type Mails } from './mails.ts'
import type { SayLink } from './outbox-folder.ts'

/** @param publicOrigin public address of this server; set once it has its port */
export function openMails(
  config: Config,
  publicOrigin: () => string,
  { clock, log }: { clock: Clock; log: Log },
): Mails {
  const { smtpUrl, mailFrom } = config
  const outboxDir = outboxDirOf(config)
  const sayLink = toTerminal(process.stdout, config.logFormat)
  return createMails({ smtpUrl, mailFrom, outboxDir, publicOrigin, sayLink, clock, log })
}

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
