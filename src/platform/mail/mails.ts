import { isIP } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { isEmailAddress } from './email-address.ts'
import type { MailContent } from './layout.ts'
import { compose, parseSender, type Sender } from './message.ts'
import { createOutboxFolder, type SayLink } from './outbox-folder.ts'
import { createSmtp } from './smtp.ts'
import { TEMPLATES, type TemplateName } from './templates.ts'

type Deps = {
  /** `SMTP_URL`; null: mails become files in `outboxDir`. */
  smtpUrl: string | null
  /** `MAIL_FROM`; null: `Signpost <signpost@…>` at the host of the public origin. */
  mailFrom: string | null
  outboxDir: string
  /** Shows the link of a mail without SMTP to the operator at a terminal; null: there is no terminal. */
  sayLink?: SayLink | null
  /** The only source of links in mails. A function, since the port may be chosen at start. */
  publicOrigin: () => string
  clock: Clock
  log: Log
  retryDelaysMs?: readonly number[]
}

/**
 * Mails to users, with one method per template. A method sends in the background and never throws. It
 * returns false when the queue is full, which is logged; the caller may send the mail again later.
 */
export type Mails = {
  [K in TemplateName]: (to: string, facts: Parameters<(typeof TEMPLATES)[K]>[1]) => boolean
} & AsyncDisposable

const CLOSE_TIMEOUT_MS = 5_000

/** Connects at the first mail. Disposing waits at most five seconds for mails that are being sent. */
export function createMails(deps: Deps): Mails {
  const { smtpUrl, mailFrom, outboxDir, publicOrigin, clock, log } = deps
  const transport =
    smtpUrl === null
      ? createOutboxFolder({ folder: outboxDir, log, sayLink: deps.sayLink ?? null })
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
    ...(Object.fromEntries(methods) as Omit<Mails, typeof Symbol.asyncDispose>),
    [Symbol.asyncDispose]: () => transport.close(CLOSE_TIMEOUT_MS),
  }
}

/** The default sender is at `localhost` if the origin is an IP address, which an address cannot contain. */
function toSender(mailFrom: string | null, origin: string): Sender {
  const configured = mailFrom === null ? null : parseSender(mailFrom)
  if (configured) return configured
  const host = URL.parse(origin)?.hostname ?? ''
  const isName = host !== '' && isIP(host.replace(/^\[|\]$/g, '')) === 0
  return { name: 'Signpost', address: `signpost@${isName ? host : 'localhost'}` }
}
