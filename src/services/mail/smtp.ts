import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Log } from '../../base/log.ts'
import { sleep } from '../../base/service.ts'
import { createConnectionShares } from './connection-shares.ts'
import { MAIL_CLASSES, type MailClass } from './letters.ts'
import { toMail, type Message, type Transport } from './message.ts'
import { within } from './within.ts'

const TIMEOUT_MS = 10_000
const MAX_CONNECTIONS = 3
/** Per class of mails: the workspace mails take none of the places of the account mails. */
const MAX_UNDER_WAY = 1_000
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000] as const

type Deps = {
  /** `SMTP_URL`, checked. */
  url: string
  /** The name this server says at EHLO; null leaves the choice to the library. */
  ownName: string | null
  log: Log
  retryDelaysMs?: readonly number[]
  /** Per class of mails. */
  maxUnderWay?: number
}

/**
 * Mails by SMTP, over a few connections that stay open:
 *
 *   queued -> sending -> sent
 *     ^          |-- refused for good (5xx) ----------------> given up, logged
 *     +- wait ---|-- no connection, no answer, 4xx
 *                |-- the same for the fourth time ----------> given up, logged
 *
 * Of each class at most 1,000 are queued or waiting; a further one is refused and logged. Account
 * mails go before workspace mails.
 */
export function createSmtp(deps: Deps): Transport {
  const { url, ownName, log, maxUnderWay = MAX_UNDER_WAY } = deps
  const retryDelaysMs = deps.retryDelaysMs ?? RETRY_DELAYS_MS
  const server = parseSmtpUrl(url)
  const pool = createTransport({
    ...server,
    ...(ownName !== null && { name: ownName }),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const shares = createConnectionShares(MAX_CONNECTIONS)
  const underWay: Record<MailClass, Set<Promise<void>>> = {
    account: new Set(),
    workspace: new Set(),
  }
  const closing = new AbortController()

  return {
    send(message) {
      const about = { mail: message.kind, to: message.to }
      const ofClass = underWay[MAIL_CLASSES[message.kind]]
      if (closing.signal.aborted || ofClass.size >= maxUnderWay) {
        log.error(about, 'a mail was not sent: too many are waiting, or the server is closing')
        return false
      }
      const sending = deliver(message).catch((error: unknown) => {
        log.error({ ...about, ...describe(error, server.auth?.pass) }, 'a mail could not be sent')
      })
      ofClass.add(sending)
      void sending.finally(() => ofClass.delete(sending))
      return true
    },
    async close(withinMs) {
      // What waits for another attempt has met a server that does not answer: it gets its last one now.
      closing.abort()
      await within(withinMs, ...underWay.account, ...underWay.workspace)
      shares.close()
      pool.close()
    },
  }

  async function deliver(message: Message): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await shares.use(MAIL_CLASSES[message.kind], () => pool.sendMail(toMail(message)))
        return
      } catch (error) {
        const delayMs = retryDelaysMs[failures]
        if (delayMs === undefined || isForGood(error) || closing.signal.aborted) throw error
        const about = { mail: message.kind, to: message.to, delayMs }
        log.warn({ ...about, ...describe(error, server.auth?.pass) }, 'a mail waits to be sent')
        await sleep(delayMs, closing.signal)
      }
    }
  }
}

export type SmtpServer = {
  host: string
  port: number
  secure: boolean
  requireTLS: boolean
  auth?: { user: string; pass: string }
}

/** Takes what the setting has let through. A password never crosses a network in clear text. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const user = decodeURIComponent(url.username)
  const isLocal =
    host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && user !== '' && !isLocal,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
  }
}

/** A permanent refusal (RFC 5321, 4.2.1); a wrong password may be mended meanwhile, and is not one. */
function isForGood(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
}

/**
 * What the log may hear. Servers quote what they refuse, links included, so of their answer only
 * the codes are told; of other failures the message, without the password.
 */
function describe(error: unknown, password: string | undefined) {
  const { code, responseCode, response, message } = error as {
    code?: string
    responseCode?: number
    response?: string
    message: string
  }
  if (responseCode !== undefined || response !== undefined) {
    const status = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '')?.[0]
    return { code, reason: status ?? String(responseCode) }
  }
  return { code, reason: password ? message.replaceAll(password, '[redacted]') : message }
}
