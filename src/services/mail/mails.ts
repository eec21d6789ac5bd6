import { isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { isEmailAddress } from '../email-address.ts'
import type { Letter } from './layout.ts'
import { LETTERS, type LetterName } from './letters.ts'
import { compose, parseSender, type Sender } from './message.ts'
import { createOutboxFolder } from './outbox-folder.ts'
import { createSmtp } from './smtp.ts'

type Deps = {
  /** `SMTP_URL`; null: mails become files in `outboxDir`. */
  smtpUrl: string | null
  /** `MAIL_FROM`; null: `Signpost <signpost@…>` at the host of the public origin. */
  mailFrom: string | null
  outboxDir: string
  /** Asked at each mail, since the port may be chosen at start. Links are built from nothing else. */
  publicOrigin: () => string
  clock: Clock
  log: Log
  retryDelaysMs?: readonly number[]
}

/**
 * Everything Signpost writes to people: each method sends in the background and never throws. False:
 * too many mails wait, which is logged; the caller may send it again later.
 */
export type Mails = {
  [K in LetterName]: (to: string, facts: Parameters<(typeof LETTERS)[K]>[1]) => boolean
} & AsyncDisposable

const CLOSE_WITHIN_MS = 5_000

/** Opens nothing until the first mail. Disposing waits at most five seconds for what is under way. */
export function createMails(deps: Deps): Mails {
  const { smtpUrl, mailFrom, outboxDir, publicOrigin, clock, log } = deps
  const transport =
    smtpUrl === null
      ? createOutboxFolder({ folder: outboxDir, log })
      : createSmtp({
          url: smtpUrl,
          ownName: mailFrom === null ? null : domainOf(mailFrom),
          log,
          ...(deps.retryDelaysMs && { retryDelaysMs: deps.retryDelaysMs }),
        })

  function send(kind: LetterName, to: string, write: (origin: string) => Letter): boolean {
    try {
      if (!isEmailAddress(to)) {
        log.error({ mail: kind }, 'a mail was not sent: its address is none')
        return true
      }
      const origin = publicOrigin()
      const from = senderOf(mailFrom, origin)
      return transport.send(compose(kind, write(origin), { to, from, date: new Date(clock()) }))
    } catch (error) {
      log.error({ err: error, mail: kind }, 'a mail could not be written')
      return true
    }
  }

  const methods = Object.entries(LETTERS).map(([kind, letter]) => [
    kind,
    (to: string, facts: never) => send(kind as LetterName, to, (origin) => letter(origin, facts)),
  ])
  return {
    ...(Object.fromEntries(methods) as Omit<Mails, typeof Symbol.asyncDispose>),
    [Symbol.asyncDispose]: () => transport.close(CLOSE_WITHIN_MS),
  }
}

/** An address needs a name after its @: a bare IP address is none. */
function senderOf(mailFrom: string | null, origin: string): Sender {
  const configured = mailFrom === null ? null : parseSender(mailFrom)
  if (configured) return configured
  const host = URL.parse(origin)?.hostname ?? ''
  const isName = host !== '' && isIP(host.replace(/^\[|\]$/g, '')) === 0
  return { name: 'Signpost', address: `signpost@${isName ? host : 'localhost'}` }
}

function domainOf(mailFrom: string): string | null {
  return parseSender(mailFrom)?.address.split('@')[1] ?? null
}
