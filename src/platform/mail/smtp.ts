import { isIP } from 'node:net'
import type { Log } from '../core/log.ts'
import { sleep, withinMs } from '../core/service.ts'
import { createConnectionShares } from './connection-shares.ts'
import { getMailClass, type MailClass } from './templates.ts'
import { toMail, type Message, type Transport } from './message.ts'

const TIMEOUT_MS = 10_000
const MAX_CONNECTIONS = 3
/** Per mail class, so that workspace mails never displace account mails. */
const MAX_QUEUED = 1_000
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000] as const

type Deps = {
  /** `SMTP_URL`, already validated. */
  url: string
  /** The host name for EHLO; null: chosen by the library. */
  ownName: string | null
  log: Log
  retryDelaysMs?: readonly number[]
  /** Per mail class. */
  maxQueued?: number
}

/**
 * Sends mails by SMTP over a few connections that stay open:
 *
 *   queued -> sending -> sent
 *     ^          |-- permanent refusal (5xx) ---------------> dropped, logged
 *     +- wait ---|-- connection failure, timeout, 4xx
 *                |-- the same for the fourth time ----------> dropped, logged
 *
 * The queue of each mail class takes 1,000 mails; a further one is refused and logged. Account mails
 * go before workspace mails.
 */
export function createSmtp(deps: Deps): Transport {
  const { url, ownName, log, maxQueued = MAX_QUEUED } = deps
  const retryDelaysMs = deps.retryDelaysMs ?? RETRY_DELAYS_MS
  const server = parseSmtpUrl(url)
  let pool: Promise<Pool> | null = null
  const openPool = () => (pool ??= connect(server, ownName))
  const shares = createConnectionShares(MAX_CONNECTIONS)
  const queued: Record<MailClass, Set<Promise<void>>> = {
    account: new Set(),
    workspace: new Set(),
  }
  const closing = new AbortController()

  return {
    send(message) {
      const about = { mail: message.template, to: message.to }
      const queue = queued[getMailClass(message.template)]
      if (closing.signal.aborted || queue.size >= maxQueued) {
        log.error(about, 'mail not sent: the queue is full, or the process is closing')
        return false
      }
      const sending = deliver(message).catch((error: unknown) => {
        log.error({ ...about, ...toLogFields(error, server.auth?.pass) }, 'mail not sent')
      })
      queue.add(sending)
      void sending.finally(() => queue.delete(sending))
      return true
    },
    async close(timeoutMs) {
      // Mails that wait for another attempt get their last one now.
      closing.abort()
      const sending = Promise.all([...queued.account, ...queued.workspace])
      await withinMs(sending, timeoutMs).catch(() => {})
      shares.close()
      ;(await pool)?.close()
    },
  }

  async function deliver(message: Message): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await shares.use(getMailClass(message.template), async () =>
          (await openPool()).sendMail(toMail(message)),
        )
        return
      } catch (error) {
        const delayMs = retryDelaysMs[failures]
        if (delayMs === undefined || isPermanent(error) || closing.signal.aborted) throw error
        const about = { mail: message.template, to: message.to, delayMs }
        log.warn(
          { ...about, ...toLogFields(error, server.auth?.pass) },
          'mail delayed; another attempt follows',
        )
        await sleep(delayMs, closing.signal)
      }
    }
  }
}

type Pool = Awaited<ReturnType<typeof connect>>

/** Loads the library at the first mail, which saves memory where no mail is sent. */
async function connect(server: SmtpServer, ownName: string | null) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
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
}

/**
 * Connects and signs in without sending a mail.
 * @throws the error of the server or the network, without the password
 */
export async function trySmtp(url: string): Promise<void> {
  const pool = await connect(parseSmtpUrl(url), null)
  try {
    await pool.verify()
  } finally {
    pool.close()
  }
}

export type SmtpServer = {
  host: string
  port: number
  secure: boolean
  requireTLS: boolean
  auth?: { user: string; pass: string }
}

/** Parses the validated setting. A password is never sent over a network in clear text. */
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

/** True for permanent refusals (RFC 5321, 4.2.1), except a wrong password, which the operator may fix. */
function isPermanent(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
}

/**
 * Fields of a failure that may be logged: only the codes of a server's answer, since servers quote
 * refused mails with their links; otherwise the message without the password.
 */
function toLogFields(error: unknown, password: string | undefined) {
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
