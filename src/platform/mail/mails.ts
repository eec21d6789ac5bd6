import { isIP } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { isEmailAddress } from '../resources/field-checks.ts'
import type { MailContent } from './layout.ts'
import { compose, parseSender, type MailHealth, type Sender } from './message.ts'
import { createOutboxFolder, type ShowLink } from './outbox-folder.ts'
import { createSmtp } from './smtp.ts'
import { TEMPLATES, type TemplateName } from './templates.ts'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { printable } from '../core/terminal.ts'

type Deps = {
  smtpUrl: string | null
  mailFrom: string | null
  outboxDir: string
  showLink?: ShowLink | null
  /** A function, since the port may be chosen at the start. */
  publicOrigin: () => string
  clock: Clock
  log: Log
  retryDelaysMs?: readonly number[]
}

/** Sends in the background and never throws. False when the queue is full, so that the caller may try again later. */
export type Mails = {
  [K in TemplateName]: (to: string, facts: Parameters<(typeof TEMPLATES)[K]>[1]) => boolean
} & { readonly health: Readonly<MailHealth> } & AsyncDisposable

const CLOSE_TIMEOUT_MS = 5_000

export function createMails(deps: Deps): Mails {
  const { smtpUrl, mailFrom, outboxDir, publicOrigin, clock, log } = deps
  const transport =
    smtpUrl === null
      ? createOutboxFolder({ folder: outboxDir, log, showLink: deps.showLink ?? null })
      : createSmtp({
          url: smtpUrl,
          ownName:
            mailFrom === null ? null : (parseSender(mailFrom)?.address.split('@')[1] ?? null),
          log,
          ...(deps.retryDelaysMs && { retryDelaysMs: deps.retryDelaysMs }),
        })

  function send(name: TemplateName, to: string, write: (origin: string) => MailContent): boolean {
    try {
      if (!isEmailAddress(to)) {
        log.error({ mail: name }, 'mail not sent: invalid recipient')
        return true
      }
      const origin = publicOrigin()
      const from = toSender(mailFrom, origin)
      return transport.send(compose(name, write(origin), { to, from, date: new Date(clock()) }))
    } catch (error) {
      log.error({ err: error, mail: name }, 'mail not sent: its template failed')
      return true
    }
  }

  const methods = Object.entries(TEMPLATES).map(([name, template]) => [
    name,
    (to: string, facts: never) =>
      send(name as TemplateName, to, (origin) => template(origin, facts)),
  ])
  return {
    ...(Object.fromEntries(methods) as Omit<Mails, 'health' | typeof Symbol.asyncDispose>),
    health: transport.health,
    [Symbol.asyncDispose]: () => transport.close(CLOSE_TIMEOUT_MS),
  }
}

/** `localhost` if the origin is an IP address, which a mail address cannot contain. */
function toSender(mailFrom: string | null, origin: string): Sender {
  const configured = mailFrom === null ? null : parseSender(mailFrom)
  if (configured) return configured
  const host = URL.parse(origin)?.hostname ?? ''
  const isName = host !== '' && isIP(host.replace(/^\[|\]$/g, '')) === 0
  return { name: 'Signpost', address: `signpost@${isName ? host : 'localhost'}` }
}

export function openMails(
  config: Config,
  publicOrigin: () => string,
  { clock, log }: { clock: Clock; log: Log },
): Mails {
  const { smtpUrl, mailFrom } = config
  const outboxDir = outboxDirOf(config)
  const showLink = toTerminal(process.stdout, config.logFormat)
  return createMails({ smtpUrl, mailFrom, outboxDir, publicOrigin, showLink, clock, log })
}

export function outboxDirOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox')
}

/** Prints links of mails, but only on a terminal: no link may reach a log, and a pipe, a file or JSON lines may be one. */
export function toTerminal(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  logFormat: Config['logFormat'],
): ShowLink | null {
  if (!stream.isTTY || logFormat === 'json') return null
  return ({ to, subject, link }) =>
    void stream.write(
      `\n  Mail to ${printable(to)}: ${printable(subject)}\n  ${printable(link)}\n\n`,
    )
}
