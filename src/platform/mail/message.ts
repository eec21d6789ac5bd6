import { isEmailAddress } from '../resources/field-checks.ts'
import { headerLine, renderHtml, renderText, type MailContent } from './layout.ts'
import type { TemplateName } from './templates.ts'

export type Message = {
  template: TemplateName
  to: string
  from: Sender
  subject: string
  link: string | null
  text: string
  html: string
  date: Date
}

export type Sender = { name: string; address: string }

/** Since the process started. */
export type MailHealth = {
  transport: 'smtp' | 'outbox'
  waiting: number
  sent: number
  failed: number
  /** `at` is when the mail was written. */
  lastFailure: { at: Date; reason: string } | null
}

export function newMailHealth(transport: MailHealth['transport']): MailHealth {
  return { transport, waiting: 0, sent: 0, failed: 0, lastFailure: null }
}

/** Never throws, and logs only template and recipient. */
export type Transport = {
  readonly health: Readonly<MailHealth>
  send(message: Message): boolean
  close(timeoutMs: number): Promise<void>
}

export function compose(
  template: TemplateName,
  content: MailContent,
  envelope: { to: string; from: Sender; date: Date },
): Message {
  return {
    template,
    ...envelope,
    subject: headerLine(content.subject),
    link: content.link?.url ?? null,
    text: renderText(content),
    html: renderHtml(content),
  }
}

/** For nodemailer. Addresses are objects, because it parses strings as lists. */
export function toMail({ to, from, subject, text, html, date }: Message) {
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    date,
    // Suppresses out-of-office answers.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

export function parseSender(text: string): Sender | null {
  const parts = /^(?:"?([^"<>@,;:\p{Cc}]*?)"?\s*<([^<>]+)>|([^<>]+))$/u.exec(text.trim())
  const address = (parts?.[2] ?? parts?.[3] ?? '').trim()
  return isEmailAddress(address) ? { name: parts?.[1]?.trim() ?? '', address } : null
}
