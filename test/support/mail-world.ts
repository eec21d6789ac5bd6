import { Writable } from 'node:stream'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Language } from '../../src/platform/facts/languages.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { createMails, type Mails } from '../../src/platform/mail/mails.ts'

export const ORIGIN = 'https://links.example.com'
export const TOKEN = 'Zq8_canary-token-that-opens-an-account-x0Y1z2'
export const NOW_MS = Date.UTC(2026, 2, 1, 9, 30)

export type Received = { from: string; to: string[]; user: string | undefined; mail: Email }

/** A real SMTP server on loopback that keeps what it takes. `port` 0 takes a free one. */
export async function openSmtpServer(options: SMTPServerOptions = {}, port = 0) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push({
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            to: session.envelope.rcptTo.map((to) => to.address),
            user: session.user as string | undefined,
            mail,
          })
          done()
        })
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let isOpen = true
  return {
    received,
    port: (server.server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        if (!isOpen) return resolve()
        isOpen = false
        server.close(resolve)
      }),
  }
}

/** A log, and every line it was told. */
export function openLines() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: openLog('debug', stream), lines }
}

/** Mails with everything they log, as lines. */
export function openMails(
  t: TestContext,
  options: Partial<Parameters<typeof createMails>[0]> & { outboxDir: string },
) {
  const { log, lines } = openLines()
  const mails: Mails = createMails({
    smtpUrl: null,
    mailFrom: null,
    publicOrigin: () => ORIGIN,
    clock: () => NOW_MS,
    log,
    ...options,
  })
  t.after(() => mails[Symbol.asyncDispose]())
  return { mails, lines }
}

/** Every mail there is, sent once to `to`. */
export function sendAll(
  mails: Mails,
  to: string,
  name = 'Owner',
  language: Language = 'en',
): number {
  const newEmail = 'new@example.com'
  mails.verifyEmail(to, { language, name, token: TOKEN })
  mails.alreadyRegistered(to, { language, name })
  mails.resetPassword(to, { language, name, token: TOKEN })
  mails.passwordChanged(to, { language, name })
  mails.approveEmailChange(to, { language, name, newEmail, token: TOKEN })
  mails.verifyNewEmail(to, { language, name, email: 'old@example.com', token: TOKEN })
  mails.emailChanged(to, { language, name, newEmail })
  mails.invitation(to, {
    language,
    workspaceName: name,
    inviterName: name,
    role: 'member',
    token: TOKEN,
  })
  mails.accountDeleted(to, { language, name })
  mails.reportReady(to, {
    ...{ language, name, workspaceId: 'wsp_1', workspaceName: name, reportName: 'Weekly' },
  })
  mails.alert(to, {
    ...{ language, name, workspaceId: 'wsp_1', workspaceName: name, linkName: name },
    ...{ news: 'high', count: 1_200, usual: 300 },
  })
  mails.webhookFailing(to, {
    language,
    name,
    workspaceName: name,
    endpoints: [
      {
        endpointId: 'whe_1',
        host: 'hooks.example.com',
        failingSince: new Date(NOW_MS),
        autoPausedAt: null,
        status: 503,
        error: null,
      },
    ],
    unlistedCount: 2,
  })
  return 12
}
