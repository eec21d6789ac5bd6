import { isIP } from 'node:net'
import type { Log } from '../core/log.ts'
import { sleep, withinMs } from '../core/service.ts'
import { getMailClass, type MailClass } from './templates.ts'
import { newMailHealth, toMail, type Message, type Transport } from './message.ts'

const TIMEOUT_MS = 10_000
const MAX_CONNECTIONS = 3
/** Per mail class, so that workspace mails never displace account mails. */
const MAX_QUEUED = 1_000
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000] as const

type Deps = {
  url: string
  ownName: string | null
  log: Log
  retryDelaysMs?: readonly number[]
  maxQueued?: number
}

/**
 * Retries connection failures, timeouts and 4xx three times; a 5xx is permanent. Each mail class has a queue of
 * 1,000. Account mails go before workspace mails.
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
  const health = newMailHealth('smtp')

  return {
    health,
    send(message) {
      const about = { mail: message.template, to: message.to }
      const queue = queued[getMailClass(message.template)]
      if (closing.signal.aborted || queue.size >= maxQueued) {
        log.error(about, 'mail not sent: the queue is full, or the process is closing')
        return false
      }
      health.waiting += 1
      const sending = deliver(message).then(
        () => void (health.sent += 1),
        (error: unknown) => {
          const fields = toLogFields(error, server.auth?.pass)
          health.failed += 1
          health.lastFailure = { at: message.date, reason: fields.reason }
          log.error({ ...about, ...fields }, 'mail not sent')
        },
      )
      queue.add(sending)
      void sending.finally(() => {
        health.waiting -= 1
        queue.delete(sending)
      })
      return true
    },
    async close(timeoutMs) {
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

/** Loaded with the first mail, to save memory. */
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

export async function trySmtp(url: string): Promise<void> {
  const pool = await connect(parseSmtpUrl(url), null)
  try {
    await pool.verify()
  } finally {
    pool.close()
  }
}

type SmtpServer = {
  host: string
  port: number
  secure: boolean
  requireTLS: boolean
  auth?: { user: string; pass: string }
}

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

/** RFC 5321, 4.2.1. A wrong password is not permanent, since the operator may fix it. */
function isPermanent(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500
}

/**
 * Only the codes of a server's reply, since servers quote refused mails with their links; else the message without
 * the password.
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

type Waiting = { start: () => void; refuse: (error: Error) => void }

/** One connection is reserved for account mails, so that a slow server that holds workspace mails delays none. */
function createConnectionShares(connections: number) {
  const waiting: Record<MailClass, Waiting[]> = { account: [], workspace: [] }
  const inUse: Record<MailClass, number> = { account: 0, workspace: 0 }
  let isClosed = false
  return { use, close }

  async function use<T>(mailClass: MailClass, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start, refuse) => {
      if (isClosed) return refuse(new Error('The mail connections are closed.'))
      waiting[mailClass].push({ start, refuse })
      startNext()
    })
    try {
      return await work()
    } finally {
      inUse[mailClass] -= 1
      startNext()
    }
  }

  function startNext(): void {
    for (const mailClass of ['account', 'workspace'] as const)
      while (waiting[mailClass].length > 0 && isFree(mailClass)) {
        inUse[mailClass] += 1
        waiting[mailClass].shift()!.start()
      }
  }

  function isFree(mailClass: MailClass): boolean {
    if (inUse.account + inUse.workspace >= connections) return false
    return mailClass === 'account' || inUse.workspace < connections - 1
  }

  function close(): void {
    isClosed = true
    for (const { refuse } of [...waiting.account.splice(0), ...waiting.workspace.splice(0)])
      refuse(new Error('The mail connections are closed.'))
  }
}
